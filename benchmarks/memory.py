#!/usr/bin/env python3
"""Compares the predicted memory of a run with the memory that it takes, for every technique.

    benchmarks/memory.py [--scale 18] [--ranks 2,3,4,8,16] [--keys 2] [--threads 1] [--techniques NAME,...]
                         [--breadth PROGRAM]

Prints a table in Markdown. MiB are averages per rank: the graph as kernel 1 leaves it; the peak of resident memory,
with validation, beyond what the processes took before there was an edge list; and what the processes took then. Each
figure has its prediction and the ratio of the measured to the predicted figure. The last lines name the least and the
greatest ratio. The exit status is 1 if one of these ratios differs from 1 by more than --tolerance (0.1).
"""

import sys

from compare import BREADTH, LAUNCHER, describe_machine, names_among, report_of, run_script, script_options

TECHNIQUES = {
    "defaults": (),
    "summary": ("--summary", "256"),
    "shared frontier": ("--replicate", "subgroups"),
    "pull messages": ("--pull", "messages"),
    "push": ("--direction", "push", "--leaves", "levels"),
    "bulk": ("--exchange", "bulk"),
    "local route": ("--route", "local", "--group-size", "2"),
    "monitor route with unique": ("--route", "monitor", "--group-size", "2", "--unique", "on"),
    "hubs": ("--hubs", "100"),
    "hubs by rule": ("--hubs", "auto"),
    "subgraphs apart": ("--hubs", "auto", "--subgraphs", "apart"),
    "2D": ("--partition", "auto-2d"),
    "compressed": ("--adjacency", "compressed"),
    "full scan": ("--adjacency", "full-scan"),
    "coarse index": ("--adjacency", "coarse-index"),
    "shortest paths": ("--kernels", "sssp"),
    "shortest paths in buckets": ("--kernels", "sssp", "--sweeps", "off"),
    "shortest paths with hubs": ("--kernels", "sssp", "--hubs", "auto"),
    "both kernels": ("--kernels", "bfs,sssp"),
}


def measure(arguments, ranks, options):
    """(measured, predicted) bytes of all ranks: for the graph, for the peak beyond the processes, for the processes."""
    words = [arguments.breadth, "graph500", "--scale", str(arguments.scale), "--keys", str(arguments.keys)]
    words += ["--threads", str(arguments.threads), "--calibrate", "0", *options]
    result = report_of([*arguments.launcher.split(), str(ranks), *words])
    memory = result["memory"]
    start, predicted_start = memory["start_bytes"], memory["predicted_start_bytes"]
    return {
        "graph": (result["construction"]["graph_bytes"], memory["predicted_graph_bytes"]),
        "peak": (memory["peak_bytes"] - start, memory["predicted_peak_bytes"] - predicted_start),
        "processes": (start, predicted_start),
    }


def row(ranks, technique, figures):
    cells = [str(ranks), technique]
    for measured, predicted in figures.values():
        cells += [f"{measured / ranks / 2**20:.2f}", f"{predicted / ranks / 2**20:.2f}", f"{measured / predicted:.2f}"]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = script_options(
        __doc__, scale=18, ranks="2,3,4,8,16", keys=2, threads=1, tolerance=0.1, launcher=LAUNCHER, breadth=BREADTH
    )
    parser.add_argument("--techniques", default=",".join(TECHNIQUES), help="the names of the techniques to measure")
    arguments = parser.parse_args()
    techniques = names_among(parser, "--techniques", arguments.techniques, TECHNIQUES)
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.keys} searches, MiB per rank\n")
    print(
        "| ranks | technique | graph | predicted | ratio | peak | predicted | ratio | processes | predicted | ratio |"
    )
    print("|" + "---|" * 11)
    ratios = {}
    for ranks in map(int, arguments.ranks.split(",")):
        for technique in techniques:
            figures = measure(arguments, ranks, TECHNIQUES[technique])
            print(row(ranks, technique, figures), flush=True)
            for part in ("graph", "peak"):
                measured, predicted = figures[part]
                ratios[f"{part} of {technique} on {ranks} ranks"] = measured / predicted
    for of_what, choose in (("least", min), ("greatest", max)):
        widest = choose(ratios, key=ratios.get)
        print(f"\nThe {of_what} ratio is that of the {widest}, {ratios[widest]:.2f}.")
    sys.exit(any(abs(ratio - 1) > arguments.tolerance for ratio in ratios.values()))


if __name__ == "__main__":
    run_script(main)
