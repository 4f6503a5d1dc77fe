#!/usr/bin/env python3
"""Measures what single choices of a search are worth: each one changed alone, round after round.

    benchmarks/ablation.py [--scale 20] [--rounds 5] [--ranks 1] [--threads 2]

Prints the median of each variant's harmonic means, in GTEPS, and its share of the default's.
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
    default = statistics.median(rounds["default"])
    print("| variant | GTEPS | of the default |\n|---|---|---|")
    for name, values in rounds.items():
        print(f"| {name} | {statistics.median(values):.3g} | {statistics.median(values) / default:.2f} |")


if __name__ == "__main__":
    main()
