#!/usr/bin/env python3
"""Measures the Python package beside others: from a call to its numpy arrays, the best of several runs.

    build/python/bin/python benchmarks/python.py --scale 20 --repeats 5

Graphs: Kronecker (the benchmark's, edge factor 16), a grid with as many vertices, the files of --graph, and a smaller
graph for networkx. A peer that is not installed is named and left out. Each peer has the graph in its own form before
the time starts, except where building is measured. Peers use all processors if they can. The answers of all packages
are compared before they are timed, for example the number of vertices reached.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import breadth
import numpy as np

PEERS = ("igraph", "networkit", "networkx", "python-graphblas", "rustworkx", "scipy")

GOALS = {"BFS, levels": 10, "BFS, parents": 10, "SSSP": 10, "SSSP in 64 bits": 10, "components": 5, "from arrays": 2}
"""How many times as fast as the best other package breadth should be."""


@dataclass
class Columns:
    """A graph as arrays, with each undirected edge once."""

    name: str
    count: int
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    """Small integers, which the engine stores in 32 bits."""
    fractions: np.ndarray
    """Weights from 0 to 1, which the engine stores in 64 bits."""

    def graph(self, weights=None):
        return breadth.Graph.from_edges(self.sources, self.targets, weights, vertices=range(self.count))


@dataclass
class Case:
    """A task of a package. `run` returns a number, which must be the same for all packages."""

    task: str
    package: str
    run: Callable[[], float]


def columns_of(name: str, graph: breadth.Graph) -> Columns:
    matrix = graph.to_scipy().tocoo()
    once = matrix.row < matrix.col
    sources, targets = matrix.row[once].astype(np.int64), matrix.col[once].astype(np.int64)
    draw = np.random.default_rng(1)
    weights = draw.integers(1, 100, len(sources)).astype(np.float64)
    return Columns(name, len(graph), sources, targets, weights, draw.random(len(sources)))


def farthest(distances: np.ndarray) -> float:
    return distances[np.isfinite(distances)].max()


def breadth_cases(columns: Columns, source: int) -> Iterator[Case]:
    plain, weighted, exact = columns.graph(), columns.graph(columns.weights), columns.graph(columns.fractions)
    yield Case("BFS, levels", "breadth", lambda: np.count_nonzero(plain.bfs(source, parents=False).levels >= 0))
    yield Case("BFS, parents", "breadth", lambda: np.count_nonzero(plain.bfs(source).parents >= 0))
    yield Case("SSSP", "breadth", lambda: np.isfinite(weighted.sssp(source).distances).sum())
    yield Case("SSSP in 64 bits", "breadth", lambda: farthest(exact.sssp(source).distances))
    yield Case("components", "breadth", lambda: len(plain.connected_components()))
    yield Case("from arrays", "breadth", lambda: len(columns.graph()))


def igraph_cases(columns: Columns, source: int) -> Iterator[Case]:
    import igraph

    def build():
        return igraph.Graph(n=columns.count, edges=np.column_stack([columns.sources, columns.targets]))

    g = build()
    weights, fractions = columns.weights.tolist(), columns.fractions.tolist()
    yield Case("BFS, levels", "igraph", lambda: np.isfinite(np.array(g.distances(source)[0])).sum())
    yield Case("BFS, parents", "igraph", lambda: len(g.bfs(source)[0]))
    yield Case("SSSP", "igraph", lambda: np.isfinite(np.array(g.distances(source, weights=weights)[0])).sum())
    yield Case("SSSP in 64 bits", "igraph", lambda: farthest(np.array(g.distances(source, weights=fractions)[0])))
    yield Case("components", "igraph", lambda: max(np.array(g.connected_components().membership)) + 1)
    yield Case("from arrays", "igraph", lambda: build().vcount())


def networkit_cases(columns: Columns, source: int) -> Iterator[Case]:
    import networkit

    def build(weights=None):
        values = np.ones(len(columns.sources)) if weights is None else weights
        return networkit.GraphFromCoo((values, (columns.sources, columns.targets)), n=columns.count, weighted=True)

    unweighted = networkit.graphtools.toUnweighted(build())
    weighted = build(columns.weights)

    def reached(search):
        search.run()
        distances = np.asarray(search.getDistances(asarray=True))
        return np.count_nonzero(distances < np.finfo(np.float64).max)

    def components():
        found = networkit.components.ParallelConnectedComponents(unweighted, False)
        found.run()
        return found.numberOfComponents()

    yield Case("BFS, levels", "networkit", lambda: reached(networkit.distance.BFS(unweighted, source, False)))
    yield Case("SSSP", "networkit", lambda: reached(networkit.distance.Dijkstra(weighted, source, False)))
    yield Case("components", "networkit", components)
    yield Case("from arrays", "networkit", lambda: build().numberOfNodes())


def rustworkx_cases(columns: Columns, source: int) -> Iterator[Case]:
    import rustworkx

    def build():
        g = rustworkx.PyGraph()
        g.add_nodes_from(range(columns.count))
        g.add_edges_from(list(zip(columns.sources.tolist(), columns.targets.tolist(), columns.weights, strict=True)))
        return g

    g = build()
    yield Case("SSSP", "rustworkx", lambda: len(rustworkx.dijkstra_shortest_path_lengths(g, source, lambda w: w)) + 1)
    yield Case("components", "rustworkx", lambda: rustworkx.number_connected_components(g))
    yield Case("from arrays", "rustworkx", lambda: build().num_nodes())


def scipy_cases(columns: Columns, source: int) -> Iterator[Case]:
    from scipy.sparse import csgraph, csr_array

    def build(weights=columns.weights):
        half = csr_array((weights, (columns.sources, columns.targets)), shape=(columns.count, columns.count))
        return half + half.T

    matrix, fractions = build(), build(columns.fractions)
    yield Case("BFS, parents", "scipy", lambda: len(csgraph.breadth_first_order(matrix, source)[0]))
    yield Case("SSSP", "scipy", lambda: np.isfinite(csgraph.dijkstra(matrix, indices=source)).sum())
    yield Case("SSSP in 64 bits", "scipy", lambda: farthest(csgraph.dijkstra(fractions, indices=source)))
    yield Case("components", "scipy", lambda: csgraph.connected_components(matrix, directed=False)[0])
    yield Case("from arrays", "scipy", lambda: build().shape[0])


def graphblas_cases(columns: Columns, source: int) -> Iterator[Case]:
    """GraphBLAS has no searches of its own, so these are the loops over semirings of its tutorials."""
    import graphblas

    def build(weights=columns.weights):
        both = np.concatenate([columns.sources, columns.targets]), np.concatenate([columns.targets, columns.sources])
        values = np.concatenate([weights, weights])
        return graphblas.Matrix.from_coo(*both, values, nrows=columns.count, ncols=columns.count)

    matrix, fractions = build(), build(columns.fractions)

    def levels():
        levels = graphblas.Vector(np.int64, size=columns.count)
        frontier = graphblas.Vector(bool, size=columns.count)
        frontier[source] = True
        level = 0
        while frontier.nvals:
            levels(frontier.S) << level
            frontier(~levels.S, replace=True) << frontier.vxm(matrix, graphblas.semiring.any_pair)
            level += 1
        return np.count_nonzero(levels.to_dense(-1) >= 0)

    def parents():
        parents = graphblas.Vector(np.int64, size=columns.count)
        parents[source] = source
        frontier = parents.dup()
        while frontier.nvals:
            frontier(~parents.S, replace=True) << frontier.vxm(matrix, graphblas.semiring.ss.any_secondi)
            parents(frontier.S) << frontier
        return np.count_nonzero(parents.to_dense(-1) >= 0)

    def distances(weights):
        found = graphblas.Vector(np.float64, size=columns.count)
        found[source] = 0
        closer = found.dup()
        while closer.nvals:
            candidates = closer.vxm(weights, graphblas.semiring.min_plus).new()
            closer = candidates.dup(mask=candidates.ewise_mult(found, graphblas.binary.lt).new().V)
            closer(~found.S) << candidates
            found(graphblas.binary.min) << closer
        return found

    yield Case("BFS, levels", "python-graphblas", levels)
    yield Case("BFS, parents", "python-graphblas", parents)
    yield Case("SSSP", "python-graphblas", lambda: distances(matrix).nvals)
    yield Case("SSSP in 64 bits", "python-graphblas", lambda: farthest(distances(fractions).to_coo()[1]))
    yield Case("from arrays", "python-graphblas", lambda: build().nrows)


def networkx_cases(columns: Columns, source: int) -> Iterator[Case]:
    import networkx

    g = networkx.Graph()
    g.add_nodes_from(range(columns.count))
    g.add_edges_from(zip(columns.sources.tolist(), columns.targets.tolist(), strict=True))
    task = "from networkx, and BFS"

    def converted():
        return np.count_nonzero(breadth.Graph.from_networkx(g).bfs(source).levels >= 0)

    yield Case(task, "breadth", converted)
    yield Case(task, "networkx", lambda: len(networkx.single_source_shortest_path_length(g, source)))


CASES = {
    "breadth": breadth_cases,
    "igraph": igraph_cases,
    "networkit": networkit_cases,
    "python-graphblas": graphblas_cases,
    "rustworkx": rustworkx_cases,
    "scipy": scipy_cases,
    "networkx": networkx_cases,
}


def best_of(run: Callable[[], float], repeats: int) -> float:
    """Return the seconds of the fastest run, of at least `repeats` and as many as fit into half a second."""
    seconds: list[float] = []
    while len(seconds) < repeats or sum(seconds) < 0.5:
        before = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - before)
    return min(seconds)


def measure(columns: Columns, libraries: list[str], repeats: int) -> None:
    """Measure all tasks on a graph and print a table of milliseconds, with the progress on standard error."""
    degrees = np.bincount(columns.sources, minlength=columns.count)
    source = int(np.argmax(degrees > 0))
    answers: dict[str, float] = {}
    table: dict[str, dict[str, float]] = {}
    for library in libraries:
        for case in CASES[library](columns, source):
            print(f"{columns.name}: {case.task} of {case.package}", file=sys.stderr)
            answer = case.run()
            if answers.setdefault(case.task, answer) != answer:
                raise SystemExit(f"{case.package} finds {answer} in {case.task}, breadth {answers[case.task]}")
            table.setdefault(case.task, {})[case.package] = best_of(case.run, repeats) * 1e3
    print_table(columns.name, table)


def print_table(name: str, table: dict[str, dict[str, float]]) -> None:
    libraries = list(dict.fromkeys(library for times in table.values() for library in times))
    print(f"\n| {name} | {' | '.join(libraries)} | times the best | goal |")
    print(f"|---|{'--:|' * (len(libraries) + 2)}")
    for task, times in table.items():
        cells = [milliseconds(times.get(library)) for library in libraries]
        best = min((time for library, time in times.items() if library != "breadth"), default=None)
        gain = "" if best is None else f"{best / times['breadth']:.1f}"
        print(f"| {task} | {' | '.join(cells)} | {gain} | {GOALS.get(task, '')} |", flush=True)


def milliseconds(time: float | None) -> str:
    """Return three digits, or more if there are more before the point."""
    if time is None:
        return ""
    return f"{time:.0f}" if time >= 100 else f"{time:.3g}"


def call_cost(name: str, g: breadth.Graph, source: int, calls: int) -> None:
    """Print the median time of a call, and how much of it is beyond the engine."""
    engine, whole = [], []
    for _ in range(calls):
        before = time.perf_counter()
        found = g.bfs(source)
        whole.append(time.perf_counter() - before)
        engine.append(found.seconds)
    call, search = statistics.median(whole) * 1e6, statistics.median(engine) * 1e6
    print(f"A call on {name}: {call:.1f} µs, {call - search:.1f} beyond the engine")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=20, help="2**scale vertices")
    parser.add_argument("--graph", action="append", default=[], help="an edge list to measure on, too")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peers", default=",".join(PEERS), help="libraries to compare with, separated by commas")
    options = parser.parse_args()
    libraries = ["breadth"]
    for peer in options.peers.split(","):
        try:
            print(f"{peer} {importlib.metadata.version(peer)}")
            libraries.append(peer)
        except importlib.metadata.PackageNotFoundError:
            print(f"{peer} is not installed and is left out")
    print(f"breadth {breadth.__version__}, Python {platform.python_version()}, {os.cpu_count()} processors")
    if "networkx" in libraries:  # a smaller graph of a million edges, because larger dicts would take most of the time
        libraries.remove("networkx")
        measure(columns_of("Kronecker 16", breadth.kronecker(16)), ["networkx"], options.repeats)
    side = 1 << (options.scale // 2)
    measure(columns_of(f"Kronecker {options.scale}", breadth.kronecker(options.scale)), libraries, options.repeats)
    grid = breadth.grid(side, (1 << options.scale) // side)
    measure(columns_of(f"grid {options.scale}", grid), libraries, options.repeats)
    for path in options.graph:
        name = os.path.basename(path).partition(".")[0]
        measure(columns_of(name, breadth.read(path)), libraries, options.repeats)
    print()
    call_cost("ten vertices", breadth.Graph.from_edges(range(9), range(1, 10)), 3, 10_000)
    call_cost("Kronecker 16", breadth.kronecker(16), 1, 1_000)


if __name__ == "__main__":
    main()
