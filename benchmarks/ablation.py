#!/usr/bin/env python3
"""Measures what single choices of a search are worth: each one changed alone, round after round.

    benchmarks/ablation.py [--scale 20] [--rounds 5] [--ranks 1] [--threads 2]

Prints the median of each variant's harmonic means, in GTEPS, its share of the default's, and the size of its graph.
"""

import argparse
import statistics

from compare import ROOT, breadth

VARIANTS = {
    "default": (),
    "leaves in levels": ("--leaves", "levels"),
    "push only": ("--direction", "push"),
    "pull only": ("--direction", "pull"),
    "alpha 5": ("--alpha", "5"),
    "alpha 10": ("--alpha", "10"),
    "alpha 40": ("--alpha", "40"),
    "alpha 100": ("--alpha", "100"),
    "beta 16": ("--beta", "16"),
    "beta 256": ("--beta", "256"),
    "compressed": ("--adjacency", "compressed"),
    "compressed, push only": ("--adjacency", "compressed", "--direction", "push"),
    "full scan": ("--adjacency", "full-scan"),
    "full scan, push only": ("--adjacency", "full-scan", "--direction", "push"),
    "skip list": ("--adjacency", "skip-list"),
    "skip list, push only": ("--adjacency", "skip-list", "--direction", "push"),
    "coarse index": ("--adjacency", "coarse-index"),
    "coarse index, push only": ("--adjacency", "coarse-index", "--direction", "push"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--keys", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--breadth", default=ROOT / "build/release/bin/breadth")
    arguments = parser.parse_args()
    rounds = {name: [] for name in VARIANTS}
    graph_mib = {}
    for _ in range(arguments.rounds):
        for name, options in VARIANTS.items():
            result = breadth(
                arguments.breadth,
                ("--scale", arguments.scale),
                arguments.ranks,
                arguments.threads,
                arguments.keys,
                options=("--validate", "first", *options),
            )
            rounds[name].append(result["GTEPS"])
            graph_mib[name] = result["graph MiB"]
    default = statistics.median(rounds["default"])
    print("| variant | GTEPS | of the default | graph MiB |\n|---|---|---|---|")
    for name, values in rounds.items():
        median = statistics.median(values)
        print(f"| {name} | {median:.3g} | {median / default:.2f} | {graph_mib[name]:.0f} |")


if __name__ == "__main__":
    main()
