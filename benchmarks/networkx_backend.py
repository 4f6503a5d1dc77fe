#!/usr/bin/env python3
"""Times networkx with the backend `breadth` against networkx itself, on a graph of a million edges made in networkx.

The first row includes the conversion, the others search a graph that was converted before.
"""

from __future__ import annotations

import argparse
import functools
import platform
import time

import breadth
import networkx as nx
import numpy as np


def graph_of(vertices, edges, seed):
    """Ends drawn evenly; weights from 1 to 100."""
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, vertices, (edges, 2)).tolist()
    weights = draw.integers(1, 101, edges).tolist()
    graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from((tail, head, weight) for (tail, head), weight in zip(ends, weights, strict=True))
    return graph


def fastest(call, repetitions):
    """Seconds on the clock, of the fastest call."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        result = call()
        if hasattr(result, "__next__"):
            for _ in result:
                pass
        times.append(time.perf_counter() - start)
    return min(times)


CALLS = {
    "single_source_shortest_path_length": (0,),
    "single_source_shortest_path": (0,),
    "bfs_edges": (0,),
    "predecessor": (0,),
    "descendants": (0,),
    "connected_components": (),
    "single_source_dijkstra_path_length": (0,),
    "single_source_dijkstra": (0,),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vertices", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    graph = graph_of(options.vertices, options.edges, 1)
    print(f"{graph}; breadth {breadth.__version__}, networkx {nx.__version__}, Python {platform.python_version()}")
    print(f"{'':52} {'networkx':>10} {'breadth':>10} {'times':>6}")

    def row(title, name, prepare):
        def call(backend):
            prepare()
            return getattr(nx, name)(graph, *CALLS[name], backend=backend)

        theirs = fastest(functools.partial(call, "networkx"), options.repetitions)
        ours = fastest(functools.partial(call, "breadth"), options.repetitions)
        print(f"{title:52} {theirs * 1e3:7.1f} ms {ours * 1e3:7.1f} ms {theirs / ours:6.1f}", flush=True)

    first = "single_source_shortest_path_length"
    row(f"{first}, converted", first, graph.__networkx_cache__.clear)
    for name in CALLS:
        row(name, name, lambda: None)


if __name__ == "__main__":
    main()
