#!/usr/bin/env python3
"""Measures the papers' systems beside each other: every preset, round after round.

    benchmarks/presets.py [--scale 20] [--ranks 1,2,4] [--rounds 3] [--keys 16] [--threads 1] [--presets NAME,...]
                          [--breadth PROGRAM]

Prints a table for each number of ranks, in Markdown. Presets take turns within a round. GTEPS are the harmonic mean
over the searches, each with its median time over the rounds; "rounds" are the least and the greatest harmonic mean of
a single round. The last line tells how the preset auto stands to the fastest of the others.
"""

import argparse
import re
import statistics
import subprocess

from ablation import harmonic_gteps
from compare import ROOT, breadth, describe_machine


def all_presets(program):
    """As `breadth options` lists them, after their heading."""
    listed = subprocess.run([program, "options"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^([a-z]+\d*)$", listed[listed.index("Presets") :], re.MULTILINE)


def measure(arguments, ranks, presets):
    """The rounds of each preset."""
    rounds = {preset: [] for preset in presets}
    setup = (("--scale", arguments.scale), ranks, arguments.threads, arguments.keys)
    for _ in range(arguments.rounds):
        for preset, of_preset in rounds.items():
            options = ("--validate", "first", "--preset", preset)
            of_preset.append(breadth(arguments.breadth, *setup, options=options))
    return rounds


def print_table(ranks, rounds):
    gteps = {}
    print(f"\n{ranks} ranks:\n\n| preset | GTEPS | rounds | kernel 1 s |\n|---|---|---|---|")
    for preset, runs in rounds.items():
        seconds = [statistics.median(times) for times in zip(*(run["search seconds"] for run in runs), strict=True)]
        gteps[preset] = harmonic_gteps(seconds, runs[0]["search edges"])
        least, greatest = (choose(run["GTEPS"] for run in runs) for choose in (min, max))
        kernel_1 = statistics.median(run["kernel 1 s"] for run in runs)
        print(f"| {preset} | {gteps[preset]:.3g} | {least:.3g} to {greatest:.3g} | {kernel_1:.3g} |", flush=True)
    others = {preset: value for preset, value in gteps.items() if preset != "auto"}
    if "auto" in gteps and others:
        best = max(others, key=others.get)
        print(f"\nauto has {gteps['auto'] / others[best]:.2f} times the GTEPS of {best}, the fastest other preset.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keys", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--presets", help="all there are, unless given")
    parser.add_argument("--breadth", default=ROOT / "build/release/bin/breadth")
    arguments = parser.parse_args()
    presets = arguments.presets.split(",") if arguments.presets else all_presets(arguments.breadth)
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.threads} threads a rank")
    print(f"{arguments.keys} searches, median of {arguments.rounds} rounds")
    for ranks in map(int, arguments.ranks.split(",")):
        print_table(ranks, measure(arguments, ranks, presets))


if __name__ == "__main__":
    main()
