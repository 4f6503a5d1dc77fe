#!/usr/bin/env python3
"""Measures searches of graphs that are not Kronecker's, beside GAP's bfs, and prints one table.

    benchmarks/other_graphs.py [--scale 20] [--rounds 3] [--gap PATH/bfs]

The graphs are those of `breadth generate`, 2^scale vertices each: a grid (roads: long ways, few edges), the same with
its labels in random order, a uniform random graph, a small world, and a core with long tails (the Web). Both programs
read the same file, search from 16 vertices of their own choice, validate (breadth), and report mean seconds a search.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from compare import Failed, add_program_options, breadth, gap, if_it_succeeds, run

GRAPHS = {
    "grid": ("grid",),
    "grid, mixed labels": ("grid", "--mixed"),
    "uniform": ("uniform", "--edgefactor", "8"),
    "small world": ("small-world", "--edgefactor", "4"),
    "small world, mixed labels": ("small-world", "--edgefactor", "4", "--mixed"),
    "tails": ("tails", "--edgefactor", "8"),
    "tails, mixed labels": ("tails", "--edgefactor", "8", "--mixed"),
}


def measure(arguments, name, scale, keys):
    """Median milliseconds of both programs over the rounds; None where there is no GAP."""
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "graph.txt"
        run([arguments.breadth, "generate", *GRAPHS[name], "--scale", str(scale), "--output", graph])
        graph.with_suffix(".el").hardlink_to(graph)  # as GAP wants it
        for _ in range(arguments.rounds):
            result = breadth(arguments.breadth, ("--input", graph), 1, 2, keys)
            ours.append(1e3 * result["seconds"])
            if arguments.gap:
                source = ("-sf", graph.with_suffix(".el"))
                if result := if_it_succeeds(f"{name}: GAP", gap, arguments.gap, source, 2, keys):
                    theirs.append(1e3 * result["seconds"])
            print(f"{name}: {ours[-1]:.3g} ms, GAP {theirs[-1:]} ms", file=sys.stderr, flush=True)
    return statistics.median(ours), statistics.median(theirs) if theirs else None


def print_table(milliseconds):
    """As Markdown, of (ours, theirs) by graph."""
    print("| graph | breadth ms | GAP bfs ms | GAP / breadth |\n|---|---|---|---|")
    for name, (ours, theirs) in milliseconds.items():
        cells = [f"{ours:.3g}", f"{theirs:.3g}" if theirs else "", f"{theirs / ours:.2f}" if theirs else ""]
        print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--keys", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    add_program_options(parser)
    arguments = parser.parse_args()
    try:
        print_table({name: measure(arguments, name, arguments.scale, arguments.keys) for name in GRAPHS})
    except Failed as error:
        sys.exit(f"other_graphs.py: {error}")


if __name__ == "__main__":
    main()
