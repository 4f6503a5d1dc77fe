#!/usr/bin/env python3
"""Times networkx with the backend `breadth` beside networkx itself: the medians for a graph that has been converted and
for a graph that has not.

The graphs are made in networkx: a large one for single searches, a small one for functions that search from each node,
a smaller one for those that take networkx longer, and a lattice of hexagons for girth, because a random graph has a
triangle, which ends girth soon. A line also has the decision of `should_run` if nobody asks for a backend: "-" if it
leaves the call to networkx.
"""

from __future__ import annotations

import argparse
import operator
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import breadth
import networkx as nx
import numpy as np
from _breadth_networkx import FUNCTIONS
from breadth._networkx import should_run


class Clock(NamedTuple):
    read: Callable[[], float]
    repetitions: int


def graph_of(vertices: int, edges: int, seed: int) -> nx.Graph:
    """A graph with random edges, and weights from 1 to 100."""
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, vertices, (edges, 2)).tolist()
    weights = draw.integers(1, 101, edges).tolist()
    graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from((tail, head, weight) for (tail, head), weight in zip(ends, weights, strict=True))
    return graph


def seconds_of(call: Callable[[], Any], prepare: Callable[[], None], clock: Clock) -> float:
    """The median seconds of clock.repetitions calls, each after prepare(), which is not timed."""
    times = []
    for _ in range(clock.repetitions):
        prepare()
        start = clock.read()
        result = call()
        if hasattr(result, "__next__"):
            for _ in result:
                pass
        times.append(clock.read() - start)
        result = None  # freed before the time starts again
    return statistics.median(times)


SINGLE: dict[str, dict[str, Any]] = {
    "single_source_shortest_path_length": {"source": 0},
    "single_source_shortest_path": {"source": 0},
    "shortest_path": {"source": 0, "target": 1},
    "bfs_edges": {"source": 0},
    "predecessor": {"source": 0},
    "descendants": {"source": 0},
    "connected_components": {},
    "is_connected": {},
    "is_bipartite": {},
    "single_source_dijkstra_path_length": {"source": 0},
    "single_source_dijkstra": {"source": 0},
    "dijkstra_predecessor_and_distance": {"source": 0},
    "dijkstra_path": {"source": 0, "target": 1},
    "bidirectional_dijkstra": {"source": 0, "target": 1},
    "single_source_bellman_ford_path_length": {"source": 0},
    "group_closeness_centrality": {"S": range(10)},
}
FROM_EACH: dict[str, dict[str, Any]] = {
    "eccentricity": {},
    "closeness_centrality": {},
    "harmonic_centrality": {},
    "average_shortest_path_length": {},
    "global_efficiency": {},
    "barycenter": {},
    "betweenness_centrality": {},
    "edge_betweenness_centrality": {},
    "betweenness_centrality_subset": {"sources": range(100), "targets": range(100, 200)},
    "edge_betweenness_centrality_subset": {"sources": range(100), "targets": range(100, 200)},
    "load_centrality": {},
    "percolation_centrality": {},
    "harmonic_diameter": {},
    "hyper_wiener_index": {},
    "schultz_index": {},
    "gutman_index": {},
    "bipartite.closeness_centrality": {"nodes": range(100)},
    "all_pairs_shortest_path_length": {},
    "all_pairs_dijkstra_path_length": {},
}
SLOWER: dict[str, dict[str, Any]] = {
    "edge_load_centrality": {},
    "transitive_closure": {},
    "group_betweenness_centrality": {"C": range(3)},
}
LATTICE: dict[str, dict[str, Any]] = {
    "girth": {},
}


def time_functions(graph: nx.Graph, functions: dict[str, dict[str, Any]], clock: Clock) -> None:
    print(f"\n{graph}")
    print(f"{'':40} {'networkx':>12} {'converting':>12} {'times':>7} {'converted':>12} {'times':>7}  should run")
    for name, arguments in functions.items():
        function = operator.attrgetter(name)(nx)
        if function.name not in FUNCTIONS:
            continue

        def call(backend: str, function: Any = function, arguments: dict[str, Any] = arguments) -> Any:
            return function(graph, backend=backend, **arguments)

        forget = graph.__networkx_cache__.clear
        theirs = seconds_of(lambda: call("networkx"), lambda: None, clock)
        first = seconds_of(lambda: call("breadth"), forget, clock)
        call("breadth")  # the second search of a graph builds data that later searches use
        again = seconds_of(lambda: call("breadth"), lambda: None, clock)
        kept = should_run(function.name, (graph,), arguments) is True
        forget()
        unknown = should_run(function.name, (graph,), arguments) is True
        print(
            f"{name:40} {theirs * 1e3:9.2f} ms {first * 1e3:9.2f} ms {theirs / first:7.1f} {again * 1e3:9.2f} ms "
            f"{theirs / again:7.1f}  {'yes' if unknown else '-'} / {'yes' if kept else '-'}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vertices", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--small-vertices", type=int, default=1000)
    parser.add_argument("--small-edges", type=int, default=5000)
    parser.add_argument("--smaller-vertices", type=int, default=500)
    parser.add_argument("--smaller-edges", type=int, default=2500)
    parser.add_argument("--lattice", type=int, default=40, help="hexagons in each row, and rows")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument(
        "--cpu", action="store_true", help="measure processor time of all threads, not elapsed time: for a busy machine"
    )
    options = parser.parse_args()
    clock = Clock(time.process_time if options.cpu else time.perf_counter, options.repetitions)
    nx.config.warnings_to_ignore.add("cache")
    print(f"breadth {breadth.__version__}, networkx {nx.__version__}, Python {platform.python_version()}")
    time_functions(graph_of(options.vertices, options.edges, 1), SINGLE, clock)
    time_functions(graph_of(options.small_vertices, options.small_edges, 2), FROM_EACH, clock)
    time_functions(graph_of(options.smaller_vertices, options.smaller_edges, 3), SLOWER, clock)
    time_functions(nx.hexagonal_lattice_graph(options.lattice, options.lattice), LATTICE, clock)


if __name__ == "__main__":
    main()
