#!/usr/bin/env python3
"""Counts the cost of buckets of several widths in shortest paths, and prints one table. Nothing is timed.

    benchmarks/buckets.py [--scale 18] [--ranks 2] [--keys 4] [--factors 0.25,1,4,16,64] [--only EXPRESSION]
                          [--packets runs|compressed] [--ranks-per-node 1] [--breadth PROGRAM]

The graphs are those of other_graphs.py, 2^scale vertices each, with whole weights from 1 to 255. Widths are multiples
of twice the average weight over the average degree. The figures are averages over the searches: buckets; rounds, which
all ranks end together; million edges examined, of which Dijkstra's algorithm examines the fewest; messages; and
megabytes that ranks sent.
"""

import json
import tempfile
from pathlib import Path

from compare import BREADTH, names_matching, on_this_machine, run, run_script, script_options
from other_graphs import GRAPHS, SSSP, make_stored


def count(arguments, graph, delta, folder):
    """Returns (buckets, rounds, million edges, messages, megabytes) of an average search."""
    report = folder / "report.json"
    words = ["--kernels", "sssp", "--sweeps", "off", "--delta", delta, "--packets", arguments.packets]
    words += ["--ranks-per-node", arguments.ranks_per_node, "--keys", arguments.keys, "--threads", 1]
    words += ["--validate", "none", "--json", report]
    command = [arguments.breadth, "graph500", "--input", graph, *words]
    run(on_this_machine(arguments.ranks, list(map(str, command))))
    searches = json.loads(report.read_text())["sssp"]["runs"]

    def average(value):
        return sum(value(level) for search in searches for level in search["levels"]) / len(searches)

    return (
        average(lambda _: 1),
        average(lambda level: level["rounds"]),
        average(lambda level: level["edges_examined"]) / 1e6,
        average(lambda level: level["messages"]),
        average(lambda level: level["bytes"]) / 1e6,
    )


def main():
    parser = script_options(__doc__, scale=18, keys=4, factors="0.25,1,4,16,64", breadth=BREADTH)
    parser.add_argument("--ranks", type=int, default=2, help="2 or more, because one rank counts no rounds")
    parser.add_argument("--ranks-per-node", type=int, default=1, help="ranks per node; rounds cost more between nodes")
    parser.add_argument("--packets", choices=["runs", "compressed"], default="runs")
    parser.add_argument("--only", default="", help="measure only the graphs whose names match")
    arguments = parser.parse_args()
    names = names_matching(parser, "--only", arguments.only, GRAPHS)
    print("| graph | width | buckets | rounds | million edges | messages | MB |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            graph, mean_degree = make_stored(arguments.breadth, name, arguments.scale, SSSP, Path(folder))
            width = 2 * SSSP.average_weight / mean_degree
            for factor in map(float, arguments.factors.split(",")):
                cells = count(arguments, graph, factor * width, Path(folder))
                row = " | ".join(f"{cell:.4g}" for cell in cells)
                print(f"| {name} | {factor:g} | {row} |", flush=True)


if __name__ == "__main__":
    run_script(main)
