"""Makes a bad case smaller while it stays bad in the same way: fewer options, ranks, threads and edges."""

import copy
import dataclasses
import random as random_numbers
import time

from .cases import Case
from .files import FileShape
from .trial import try_case

TRIES = 3  # runs of a candidate: a race between threads does not fail each time


class Shrinker:
    """Shrinks a copy of a case, for the given seconds at most."""

    def __init__(self, bench, case, verdict, folder, seconds):
        self.bench = bench
        self.best = copy.deepcopy(case)
        self.verdict = verdict
        self.folder = folder
        self.deadline = time.monotonic() + seconds
        # Each run of a case that hangs takes all of its time.
        self.seconds = max(3, bench.seconds / 4) if verdict.kind == "hung" else bench.seconds
        self.tries = 1 if verdict.kind == "hung" else TRIES

    def run(self):
        """Returns the smallest case that was found."""
        before = None
        while before != self.best and self.left() > 0:
            before = copy.deepcopy(self.best)
            self.drop_options()
            self.lower_counts()
            self.simplify_search()
            self.simplify_file()
            self.drop_edges()
            self.simplify_edges()
        return self.best

    def left(self):
        return self.deadline - time.monotonic()

    def accept(self, candidate):
        """Makes a candidate the best case if it fails in the same way. Returns whether it does."""
        if candidate == self.best:
            return False
        for _ in range(self.tries):
            if self.left() <= 0:
                return False
            if try_case(self.bench, candidate, self.folder, self.seconds).alike(self.verdict):
                self.best = candidate
                return True
        return False

    def change(self, **fields):
        candidate = copy.deepcopy(self.best)
        for name, value in fields.items():
            setattr(candidate, name, value)
        return self.accept(candidate)

    def drop_options(self):
        if self.best.options and self.with_options({}):
            return
        for name in list(self.best.options):
            self.with_options({other: text for other, text in self.best.options.items() if other != name})

    def with_options(self, options):
        candidate = copy.deepcopy(self.best)
        candidate.set_options(options, random_numbers.Random(0))
        return self.accept(candidate)

    def lower_counts(self):
        for ranks in range(1, self.best.ranks):
            files = {name: "".join(text.splitlines(True)[:ranks]) for name, text in self.best.files.items()}
            if self.change(ranks=ranks, files=files):
                break
        for threads in range(1, self.best.threads):
            if self.change(threads=threads):
                break

    def simplify_search(self):
        for simpler in ({"places": {}}, {"limit": None}, {"target": None}, {"directed": False}, {"output": ".txt"}):
            self.change(**simpler)
        if self.best.command != "graph500":
            self.change(report=False)

    def simplify_file(self):
        if self.best.generated:
            return
        shape = self.best.shape
        if shape.by:
            self.change(shape=dataclasses.replace(shape, ending=shape.by, by=""))
        if not self.change(shape=FileShape(".txt")):
            self.change(shape=dataclasses.replace(self.best.shape, style=0))

    def drop_edges(self):
        """Delta debugging (Zeller & Hildebrandt 2002): pieces of the edges, then halves of the pieces."""
        pieces = 2
        while self.best.edges and self.left() > 0:
            edges = self.best.edges
            size = -(-len(edges) // pieces)
            starts = range(0, len(edges), size)
            if any(self.change(edges=edges[:start] + edges[start + size :]) for start in starts):
                pieces = max(2, pieces - 1)
            elif size == 1:
                break
            else:
                pieces = min(len(edges), 2 * pieces)

    def simplify_edges(self):
        """Tries plain names, weights of 1, and a matrix without empty rows."""
        case = self.best
        if case.generated or not case.edges:
            return
        if case.weighted:
            self.change(edges=[(source, target, 1.0) for source, target, _ in case.edges])
        names = list(dict.fromkeys(name for edge in self.best.edges for name in edge[:2]))
        numbers = {name: number for number, name in enumerate(names, 1)}
        candidate = renamed(self.best, numbers)
        if candidate:
            self.accept(candidate)


def renamed(case, numbers):
    """The case with its vertices numbered from 1, or None if the search needs a vertex without edges."""
    if case.command != "graph500" and not {case.source, case.target} <= {*numbers, None}:
        return None
    candidate: Case = copy.deepcopy(case)
    candidate.edges = [(numbers[source], numbers[target], weight) for source, target, weight in case.edges]
    candidate.source = numbers.get(case.source)
    candidate.target = numbers.get(case.target)
    candidate.shape.rows = len(numbers)
    return candidate
