"""Judges a run of the program: right, refused, wrong, crashed or hung."""

import dataclasses
import json
import re

from . import oracle
from .cases import REPORT
from .catalogue import named_options
from .files import read_result
from .programs import CRASHES

KINDS = ["right", "refused", "wrong", "crashed", "hung"]
BAD = ["wrong", "crashed", "hung"]
SEARCHES = ["bfs", "sssp"]  # kernels that search from keys
# Refusals because the machine or the build lacks something, whatever options are given.
MACHINE = re.compile("too little memory|cannot share memory|no space left", re.IGNORECASE)


@dataclasses.dataclass
class Verdict:
    kind: str
    problem: str = ""  # starts with the sort of the problem and a colon
    named: frozenset = frozenset()  # the options that a refusal names

    @property
    def bad(self):
        return self.kind in BAD

    def alike(self, other):
        """Whether the verdict is bad and of the same kind and sort as another one."""
        return self.bad and (self.kind, self.sort) == (other.kind, other.sort)

    @property
    def sort(self):
        return self.problem.partition(":")[0]


class Expected:
    """The result that a search must have, or why it must be refused. For graph500 only the graph is judged."""

    def __init__(self, case):
        self.refusal = ""  # why the program has to refuse the graph
        self.values = {}  # level or distance by reached vertex; in components the vertices of its component
        self.neighbours = oracle.neighbours_of(case.edges, case.leads_one_way and case.command != "graph500")
        if not case.edges:
            self.refusal = "the graph has no edge"
        elif case.command == "graph500":
            self.judge_benchmark(case)
        elif case.command == "components":
            for vertices in oracle.components_of(self.neighbours, case.vertices):
                self.values |= dict.fromkeys(vertices, frozenset(vertices))
        elif case.source not in case.vertices:
            self.refusal = "the source is no vertex"
        elif case.command == "bfs":
            deepest = oracle.INFINITY if case.limit is None else case.limit
            self.values = oracle.levels_from(self.neighbours, case.source, deepest)
        elif not case.weighted:
            self.refusal = "the edges have no weights"
        else:
            farthest = oracle.INFINITY if case.limit is None else case.limit
            self.values = oracle.distances_from(self.neighbours, case.source, farthest)
            if case.limit is None and oracle.overflows(self.neighbours, self.values):
                self.refusal = "distances do not fit 32 bits"

    def judge_benchmark(self, case):
        if all(source == target for source, target, _ in case.edges):
            self.refusal = "all edges are loops"
        elif "sssp" in case.options.get("kernels", "") and not case.weighted:
            self.refusal = "the edges have no weights"

    def text(self):
        """The expected result, for a person who looks at a bad case."""
        if self.refusal:
            return f"refused, because {self.refusal}\n"
        return "".join(f"{vertex} {value}\n" for vertex, value in self.values.items())


def judge(case, run, folder):
    """The verdict on the run of a case in a folder."""
    if run.crash:
        return Verdict("crashed", f"{run.crash}: {crash_line(run)}")
    if run.status is None:
        return Verdict("hung", "no end: killed after its time was up")
    partial = [path.name for path in folder.iterdir() if ".partial-" in path.name]
    if partial:
        return Verdict("wrong", f"partial file: {partial[0]} was left behind")
    expected = Expected(case) if not case.generated else None
    if run.status != 0:
        return judge_refusal(case, run, expected, folder)
    if expected and expected.refusal:
        return Verdict("wrong", f"accepted: it should be refused, because {expected.refusal}")
    try:
        if case.command == "graph500":
            problem = benchmark_problem(case, expected, folder)
        elif case.command == "components":
            problem = components_problem(case, run, expected, folder)
        else:
            problem = search_problem(case, run, expected, folder)
    except (ValueError, KeyError, IndexError, OSError) as error:
        problem = f"unreadable: {type(error).__name__} {error}"
    return Verdict("wrong", problem) if problem else Verdict("right")


def crash_line(run):
    lines = [line for line in run.stderr.splitlines() if CRASHES.search(line)]
    return (lines or run.messages or ["nothing said"])[0].strip()


def judge_refusal(case, run, expected, folder):
    if run.status not in (1, 2) or len(run.messages) != 1:
        return Verdict("wrong", f"silent: status {run.status}, {len(run.messages)} error lines\n{run.stderr}")
    message = run.messages[0]
    written = [path.name for path in folder.iterdir() if path.name.startswith(("out.", REPORT))]
    if run.stdout or written:
        return Verdict("wrong", f"output: refused, but there is {' '.join([*written, run.stdout])}: {message}")
    if expected and expected.refusal and "graph." in message:
        return Verdict("right")
    given = set(case.options) | named_by_preset(message)
    named = frozenset(named_options(message) | bare_names(message, given))
    if not named & given and not MACHINE.search(message):
        return Verdict("wrong", f"unclear: refused for nothing that was given: {message}")
    return Verdict("refused", message, named)


def named_by_preset(message):
    return {"preset"} if "--preset" in message else set()


def bare_names(message, given):
    """Options that a message names as plain words, for example scale in "scale 2 has labels 0 to 3"."""
    return {name for name in given if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", message)}


def values_of(text):
    """The values of `key: value` lines."""
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


def search_problem(case, run, expected, folder):
    """What is wrong with the result of bfs or sssp, or None."""
    values = expected.values
    reported = values_of(run.stdout)
    counts = {"reached": len(values), "vertices": len(case.vertices)}
    if case.command == "bfs":
        counts["levels"] = max(values.values()) + 1
    for name, count in counts.items():
        if int(reported[name]) != count:
            return f"{name}: it says {reported[name]}, right is {count}"
    if case.command == "sssp" and oracle.rounded(float(reported["farthest"])) != max(values.values()):
        return f"farthest: it says {reported['farthest']}, right is {max(values.values())}"
    result = read_result(folder / f"out{case.output}", case.words_for_names)
    return (
        table_problem(case, result, expected)
        or target_problem(case, reported, expected)
        or (report_problem(case, expected, folder) if case.report else None)
    )


def components_problem(case, run, expected, folder):
    """What is wrong with the result of components, or None."""
    found = {}
    result = read_result(folder / f"out{case.output}", case.words_for_names)
    for vertex, row in result.items():
        [component] = row.values()
        found.setdefault(component, set()).add(vertex)
    for component, vertices in found.items():
        right = expected.values.get(next(iter(vertices)), ())
        if vertices != right:
            return (
                f"components: {component} is {sorted(map(str, vertices))[:5]}, right is {sorted(map(str, right))[:5]}"
            )
    if len(result) != len(case.vertices) or sorted(found) != list(range(len(found))):
        return f"rows: {len(result)} of {len(case.vertices)} vertices, components {sorted(found)[:5]}"
    right = {"components": len(found), "largest": max(map(len, found.values())), "vertices": len(case.vertices)}
    reported = values_of(run.stdout)
    report = json.loads((folder / REPORT).read_text()) if case.report else None
    for name, count in right.items():
        if int(reported[name]) != count:
            return f"{name}: it says {reported[name]}, right is {count}"
        if report and (report["graph"] if name == "vertices" else report)[name] != count:
            return f"JSON {name}: right is {count}"
    return None


def step_of(command):
    if command == "bfs":
        return lambda level, weight: level + 1
    return lambda distance, weight: oracle.rounded(distance + weight)


def table_problem(case, result, expected):
    """What is wrong with the table of results, which must have a row for each vertex; None if nothing is."""
    values = expected.values
    column, unreached = ("level", -1) if case.command == "bfs" else ("distance", oracle.INFINITY)
    if set(result) != case.vertices:
        return f"rows: vertices {sorted(map(str, set(result) ^ case.vertices))[:5]} are too many or missing"
    for vertex, row in result.items():
        right = values.get(vertex, unreached)
        if row[column] != right:
            return f"{column}s: {vertex!r} has {row[column]!r}, right is {right!r}"
        if vertex not in values and row["parent"] != -1:
            return f"parents: {vertex!r} is not reached and has parent {row['parent']!r}"
    parents = {vertex: row["parent"] for vertex, row in result.items()}
    problem = oracle.tree_problem(expected.neighbours, case.source, values, parents, step_of(case.command))
    return problem and f"parents: {problem}"


def target_problem(case, reported, expected):
    """What is wrong with the path to the target, or None."""
    if case.target is None:
        return None
    value = expected.values.get(case.target)
    if value is None:
        wanted = "-1" if case.command == "bfs" else "inf"
        unreached = reported["distance"] == wanted and "path" not in reported
        return None if unreached else f"target: it is not reached, but {reported['distance']} away"
    if oracle.rounded(float(reported["distance"])) != value:
        return f"target: it is {reported['distance']} away, right is {value}"
    path = reported["path"].split(" ")
    return path_problem(case, path if case.words_for_names else list(map(int, path)), value, expected)


def path_problem(case, path, value, expected):
    problem = oracle.path_problem(expected.neighbours, path, (case.source, case.target), value, step_of(case.command))
    return problem and f"path: {problem}"


def report_problem(case, expected, folder):
    """What is wrong with the JSON of bfs or sssp, or None."""
    report = json.loads((folder / REPORT).read_text())
    values = expected.values
    right = {"reached": len(values), "ranks": case.ranks, "threads": case.threads}
    right["nedge"] = None if case.limit is not None else oracle.traversed_edges(case.edges, values)
    for name, value in right.items():
        if report[name] != value:
            return f"JSON {name}: it is {report[name]}, right is {value}"
    graph = {"directed": case.leads_one_way, "weighted": case.weighted, "vertices": len(case.vertices)}
    graph["tuples"] = len(case.edges)
    for name, value in graph.items():
        if report["graph"][name] != value:
            return f"JSON graph.{name}: it is {report['graph'][name]}, right is {value}"
    raw = any("\udc80" <= letter <= "\udcff" for name in case.vertices for letter in str(name))
    if case.target in values and not raw:  # JSON cannot contain bytes that are not UTF-8
        return path_problem(case, report["path"], values[case.target], expected)
    return None


def benchmark_problem(case, expected, folder):
    """What is wrong with the JSON of graph500, or None. The program itself chooses the search keys."""
    report = json.loads((folder / REPORT).read_text())
    checked = case.options.get("validate", "all") == "all"
    for kernel in case.options.get("kernels", report["options"]["kernels"]).split(","):
        searches = report[kernel]
        if not (searches["complete"] and searches["NBFS"] == len(searches["runs"]) > 0):
            return f"{kernel}: {len(searches['runs'])} searches, complete: {searches['complete']}"
        for run in searches["runs"]:
            if checked and run["valid"] is not True:
                return f"{kernel} validation: the search from {run['key']} is not valid: {run.get('violations')}"
        problem = expected and kernel in SEARCHES and keys_problem(case, searches["runs"], expected)
        if problem:
            return f"{kernel} {problem}"
    return None


def keys_problem(case, runs, expected):
    """What is wrong with the number of keys, or with the edges counted in their searches if keys are names; or None."""
    keys = [run["key"] for run in runs]
    linked = [v for v, others in expected.neighbours.items() if set(others) - {v}]
    if len(set(keys)) != len(keys) or len(keys) != min(len(linked), int(case.options.get("keys", 64))):
        return f"keys: {keys} of {len(linked)} vertices that have edges"
    first = 1 if case.shape.has_rows else 0
    if case.words_for_names or min(map(int, case.vertices)) < 0 or max(case.vertices) >= 1 << 20:
        return None  # keys are not the names
    for run in runs:
        if run["nedge"] is None:
            continue
        reached = oracle.levels_from(expected.neighbours, run["key"] + first)
        edges = oracle.traversed_edges(case.edges, reached)
        if run["nedge"] != edges:
            return f"nedge: from {run['key']} it is {run['nedge']}, right is {edges}"
    return None
