#!/usr/bin/env python3
"""Measures searches of graphs other than Kronecker's, beside GAP's, and prints one table.

    benchmarks/other_graphs.py [--scale 20] [--rounds 3] [--kernel bfs|sssp] [--gap PATH/bfs] [--gap-sssp PATH/sssp]
                               [--only EXPRESSION]

The graphs are those of `breadth generate`, 2^scale vertices each: a grid (as roads: long paths, few edges), the grid
with its labels in random order, a uniform random graph, a small world, and a core with long tails (as the Web). Both
programs read the same file, search from 16 vertices that each chooses itself, and report the mean seconds of a search;
breadth also validates. Shortest paths have whole weights from 1 to 255, because GAP needs them. GAP's sssp, which finds
distances and no parents, gets the best delta of five: the powers of four from 4 to 1024.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import shortest_paths
from compare import add_program_options, breadth, gap, if_it_succeeds, names_matching, run, run_script, script_options

GRAPHS = {
    "grid": ("grid",),
    "grid, mixed labels": ("grid", "--mixed"),
    "uniform": ("uniform", "--edgefactor", "8"),
    "small world": ("small-world", "--edgefactor", "4"),
    "small world, mixed labels": ("small-world", "--edgefactor", "4", "--mixed"),
    "tails": ("tails", "--edgefactor", "8"),
    "tails, mixed labels": ("tails", "--edgefactor", "8", "--mixed"),
}


@dataclass(frozen=True)
class Kernel:
    """A kind of search, with the graph that it needs and GAP's program for it."""

    name: str
    generate: tuple[str, ...]  # further words of `breadth generate`
    suffix: str  # of the file, by which GAP knows the format
    gap: Callable  # (arguments, file, keys) -> GAP's result
    average_weight: float = 1


def gap_bfs(arguments, graph, keys):
    return gap(arguments.gap, ("-sf", graph), 2, keys)


def gap_sssp(arguments, graph, keys):
    """GAP's result with the best delta for this file."""
    results = [gap(arguments.gap_sssp, ("-sf", graph, "-d", delta), 2, keys) for delta in (4, 16, 64, 256, 1024)]
    return min(results, key=lambda result: result["seconds"])


def make(program, name, scale, kernel, folder):
    """Writes a graph into the folder in a format that GAP reads, and returns the file."""
    graph = folder / f"graph{kernel.suffix}"
    run([program, "generate", *GRAPHS[name], *kernel.generate, "--scale", str(scale), "--output", graph])
    return graph


def make_stored(program, name, scale, kernel, folder):
    """Writes a graph into the folder in breadth's own format, and returns the file and the average degree."""
    text, graph = make(program, name, scale, kernel, folder), folder / "graph.breadth"
    run([program, "convert", text, graph])
    return graph, json.loads(run([program, "info", graph, "--json"]))["mean_degree"]


BFS = Kernel("bfs", (), ".el", gap_bfs)
SSSP = Kernel("sssp", ("--whole-weights", "255"), ".wel", gap_sssp, 128)


def has_gap(arguments, kernel):
    return bool(arguments.gap if kernel is BFS else arguments.gap_sssp)


def measure(arguments, name, scale, keys, kernel=BFS):
    """The median milliseconds of breadth and of GAP over the rounds; None for GAP if there is no GAP."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        graph = make(arguments.breadth, name, scale, kernel, Path(folder))
        for _ in range(arguments.rounds):
            options = ("--kernels", kernel.name)
            result = breadth(arguments.breadth, ("--input", graph), 1, 2, keys, options=options, kernel=kernel.name)
            ours.append(1e3 * result["seconds"])
            times = f"{ours[-1]:.3g} ms"
            words = (f"{name}: GAP", kernel.gap, arguments, graph, keys)
            if has_gap(arguments, kernel) and (result := if_it_succeeds(*words)):
                theirs.append(1e3 * result["seconds"])
                times += f", GAP {theirs[-1]:.3g} ms"
            print(f"{kernel.name}, {name}: {times}", file=sys.stderr, flush=True)
    return statistics.median(ours), statistics.median(theirs) if theirs else None


def print_table(milliseconds, kernel=BFS):
    """Prints (our, their) milliseconds by graph, in Markdown."""
    print(f"| graph | breadth ms | GAP {kernel.name} ms | GAP / breadth |\n|---|---|---|---|")
    for name, (ours, theirs) in milliseconds.items():
        cells = [f"{ours:.3g}", f"{theirs:.3g}" if theirs else "", f"{theirs / ours:.2f}" if theirs else ""]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = script_options(__doc__, scale=20, keys=16, rounds=3)
    parser.add_argument("--kernel", choices=["bfs", "sssp"], default="bfs")
    parser.add_argument("--only", default="", help="measure only the graphs whose names match")
    add_program_options(parser)
    shortest_paths.add_peer_options(parser)
    arguments = parser.parse_args()
    kernel = BFS if arguments.kernel == "bfs" else SSSP
    names = names_matching(parser, "--only", arguments.only, GRAPHS)
    print_table({name: measure(arguments, name, arguments.scale, arguments.keys, kernel) for name in names}, kernel)


if __name__ == "__main__":
    run_script(main)
