"""The soak itself: runs random cases until the time is up, and counts their outcomes."""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random as random_numbers
import secrets
import shlex
import shutil
import tempfile
import threading
import time

from .cases import Case, draw_case
from .catalogue import Catalogue
from .judging import BAD, KINDS
from .programs import clean_environment
from .shrinking import Shrinker
from .trial import Bench, keep, try_case

MENDS = 10  # the most changes of a case, to find options that the program accepts together
REFUSED_SHARE = 0.25  # the largest share of refused cases: a soak with only refusals tests nothing
PROGRESS_SECONDS = 10
KEPT = pathlib.Path(__file__).resolve().parents[2] / "build/soak"


class Tally:
    """Counts of outcomes. Several threads may add to them."""

    def __init__(self, catalogue):
        self.lock = threading.Lock()
        self.kinds = dict.fromkeys(KINDS, 0)
        self.refusals = 0  # after which cases were mended
        self.commands = {}
        self.unseen = {(command, name) for command in catalogue.commands for name in catalogue.drawn(command)}

    def add(self, case, verdict, refusals):
        with self.lock:
            self.kinds[verdict.kind] += 1
            self.refusals += refusals
            self.commands[case.command] = self.commands.get(case.command, 0) + 1
            if verdict.kind == "right":
                self.unseen -= {(case.command, name) for name in case.options}

    @property
    def cases(self):
        return sum(self.kinds.values())

    @property
    def bad(self):
        return sum(self.kinds[kind] for kind in BAD)

    def line(self, seconds):
        counts = ", ".join(f"{count} {kind}" for kind, count in self.kinds.items())
        return f"soak: {self.cases} cases in {seconds:.0f} s: {counts}; {self.refusals} refusals on the way"

    def shortcomings(self):
        """Yields the reasons why the soak failed, although perhaps no case failed."""
        if self.bad:
            yield f"{self.bad} bad cases"
        if not self.kinds["right"]:
            yield "not one case was right"
        elif self.kinds["refused"] > REFUSED_SHARE * self.cases:
            yield f"{self.kinds['refused']} of {self.cases} cases were refused, too many to test anything"


class Campaign:
    def __init__(self, bench, catalogue, seed, settings):
        self.bench = bench
        self.catalogue = catalogue
        self.seed = seed
        self.settings = settings
        self.tally = Tally(catalogue)
        self.start = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.start

    def over(self, number):
        enough = self.settings.cases and number >= self.settings.cases
        return enough or self.seconds() > 60 * self.settings.minutes or self.tally.bad >= self.settings.bad

    def run(self):
        """Runs cases, and returns whether the soak succeeded."""
        numbers = itertools.count()
        with concurrent.futures.ThreadPoolExecutor(self.settings.jobs) as pool:
            try:
                self.fill(pool, numbers)
            except KeyboardInterrupt:
                print("soak: interrupted, ends with the cases that it is at", flush=True)
        return self.summary()

    def fill(self, pool, numbers):
        """Keeps all workers busy until the soak is over."""
        next_line = PROGRESS_SECONDS
        waiting = set()
        while True:
            while len(waiting) < self.settings.jobs and not self.over(number := next(numbers)):
                waiting.add(pool.submit(self.run_case, number))
            if not waiting:
                return
            done, waiting = concurrent.futures.wait(waiting, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in done:
                one.result()
            if self.seconds() > next_line:
                print(self.tally.line(self.seconds()), flush=True)
                next_line = self.seconds() + PROGRESS_SECONDS

    def run_case(self, number):
        """Runs the case with this number, which the seed determines. Mends it while the program refuses its options."""
        random = random_numbers.Random(f"{self.seed}:{number}")
        case = draw_case(random, self.catalogue, self.settings.ranks if self.bench.launcher else 1)
        folder = self.bench.folder / f"case-{number}"
        verdict = try_case(self.bench, case, folder)
        refusals = 0
        while verdict.kind == "refused" and refusals < MENDS and self.mend(random, case, verdict):
            refusals += 1
            verdict = try_case(self.bench, case, folder)
        self.tally.add(case, verdict, refusals)
        if verdict.bad:
            self.keep(number, case, verdict, folder)
        shutil.rmtree(folder, ignore_errors=True)

    def mend(self, random, case, verdict):
        """Removes an option that a refusal names, or adds a named option that was not given. Returns False if there is
        none."""
        given = sorted(name for name in verdict.named if name in case.options)
        if not given and "preset" in case.options:
            given = ["preset"]
        others = sorted(verdict.named & set(self.catalogue.drawn(case.command)) - set(case.options))
        options = dict(case.options)
        if others and random.random() < 0.5:
            name = random.choice(others)
            options[name] = self.catalogue.draw_value(random, case.command, name)
        elif given:
            name = random.choice(given)
            if case.generated and name == "scale":
                options[name] = self.catalogue.draw_value(random, case.command, name)
            else:
                del options[name]
        else:
            return False
        case.set_options(options, random)
        return True

    def keep(self, number, case, verdict, folder):
        """Shrinks a bad case, and puts the case as it was found and the small one into a folder."""
        kept = self.settings.keep / f"{self.seed}-{number}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        print(f"soak: case {number} {verdict.kind}: {verdict.problem}", flush=True)
        print(f"soak: {shlex.join(self.bench.command(case))}", flush=True)
        shutil.copytree(folder, kept / "found")
        (kept / "found/case.json").write_text(case.to_json() + "\n")
        small = Shrinker(self.bench, case, verdict, folder, self.settings.shrink_seconds).run()
        keep(self.bench, small, verdict, self.seed, kept / "small")
        print(f"soak: kept, {len(case.edges)} edges as {len(small.edges)}: {kept}/small/again.sh", flush=True)

    def summary(self):
        print(self.tally.line(self.seconds()))
        for command in self.catalogue.commands:
            unseen = [f"--{name}" for of, name in sorted(self.tally.unseen) if of == command]
            count = self.tally.commands.get(command, 0)
            print(f"soak: {count} of {command}; options that none of them had: {' '.join(unseen) or 'none'}")
        shortcomings = list(self.tally.shortcomings())
        for shortcoming in shortcomings:
            print(f"soak: {shortcoming}")
        return not shortcomings


def again(bench, folder):
    """Runs a case that was kept, and returns whether it is right now."""
    case = Case.from_json((folder / "case.json").read_text())
    verdict = try_case(bench, case, bench.folder / "again")
    print(f"soak: {verdict.kind}: {verdict.problem}".rstrip(": "))
    return verdict.kind == "right"


def parse_words():
    parser = argparse.ArgumentParser(description="Runs the program on random graphs and options and checks it.")
    parser.add_argument("--breadth", required=True, help="the program")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--cases", type=int, default=0, help="end after so many cases; 0: only by time")
    parser.add_argument("--bad", type=int, default=10, help="end after so many bad cases")
    parser.add_argument("--seed", help="seed of the cases; by default a new one each time")
    parser.add_argument(
        "--launcher", default="", help='words that start several ranks, before their number: "mpiexec -n"'
    )
    parser.add_argument("--ranks", type=int, default=4, help="the most ranks")
    parser.add_argument("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0)) // 2), help="cases at a time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds after which a run counts as hung")
    parser.add_argument("--shrink-seconds", type=float, default=120, help="the most seconds to shrink a bad case")
    parser.add_argument("--keep", type=pathlib.Path, default=KEPT, help="folder for bad cases")
    parser.add_argument(
        "--again", type=pathlib.Path, metavar="FOLDER", help="only run the case that was kept in this folder"
    )
    return parser.parse_args()


def main():
    """Runs the soak, and returns the exit status."""
    settings = parse_words()
    settings.keep = settings.keep.resolve()
    seed = settings.seed if settings.seed is not None else secrets.randbelow(1 << 32)
    with tempfile.TemporaryDirectory(prefix="soak-", ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(temporary)
        program = str(pathlib.Path(settings.breadth).resolve())
        bench = Bench(program, tuple(shlex.split(settings.launcher)), settings.timeout, folder)
        if settings.again:
            return 0 if again(bench, settings.again) else 1
        print(f"soak: seed {seed}", flush=True)
        catalogue = Catalogue.of_program(program, clean_environment(folder))
        for name in catalogue.not_drawn():
            print(f"soak: not drawn, because it has neither words nor numbers: {name}", flush=True)
        return 0 if Campaign(bench, catalogue, seed, settings).run() else 1
