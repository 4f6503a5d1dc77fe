#!/usr/bin/env python3
"""Measures which vertices should be hubs: searches by several degrees, and what ranks tell each other in them.

    benchmarks/hubs.py [--scales 18,20,22] [--ranks 2,4] [--hubs none,16,32,64,128,256,512,1024,pan,auto]
                       [--subgraphs together,apart] [--rounds 5] [--keys 16] [--threads 1] [--breadth PROGRAM]

Prints a table for each scale and number of ranks, in Markdown. Variants take turns within a round. GTEPS are the
harmonic mean over the searches, each with its median time over the rounds; "rounds" are the least and the greatest
harmonic mean of a single round. KiB are those of an average search, all ranks together: levels, leaves and what settles
the parents of hubs. They are the same in every round, whatever else the machine does.
"""

import argparse
import statistics

from ablation import harmonic_gteps
from compare import ROOT, breadth, describe_machine


def variants(arguments):
    """(hubs, subgraphs) of each variant. Without hubs there is one subgraph."""
    ways = arguments.subgraphs.split(",")
    for hubs in arguments.hubs.split(","):
        yield from ((hubs, way) for way in (ways if hubs != "none" else ways[:1]))


def measure(arguments, scale, ranks):
    """The rounds of each variant."""
    rounds = {variant: [] for variant in variants(arguments)}
    for _ in range(arguments.rounds):
        for (hubs, subgraphs), of_variant in rounds.items():
            options = ["--preset", "auto", "--calibrate", "0", "--validate", "first", "--hubs", hubs]
            if hubs != "none":
                options += ["--subgraphs", subgraphs]
            setup = (("--scale", scale), ranks, arguments.threads, arguments.keys)
            of_variant.append(breadth(arguments.breadth, *setup, options=options))
    return rounds


def row(hubs, subgraphs, rounds):
    seconds = [statistics.median(times) for times in zip(*(one["search seconds"] for one in rounds), strict=True)]
    gteps = harmonic_gteps(seconds, rounds[0]["search edges"])
    least, greatest = (choose(one["GTEPS"] for one in rounds) for choose in (min, max))
    kibibytes = statistics.mean(rounds[0]["search bytes"]) / 1024
    cells = [hubs, subgraphs if hubs != "none" else "", rounds[0]["hubs"], f"{gteps:.3g}"]
    return [*cells, f"{least:.3g} to {greatest:.3g}", f"{kibibytes:.0f}", f"{rounds[0]['graph MiB']:.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scales", default="18,20,22")
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--hubs", default="none,16,32,64,128,256,512,1024,pan,auto")
    parser.add_argument("--subgraphs", default="together,apart")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keys", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--breadth", default=ROOT / "build/release/bin/breadth")
    arguments = parser.parse_args()
    print(f"{describe_machine()['processor']}; {arguments.threads} threads a rank, ", end="")
    print(f"{arguments.keys} searches, {arguments.rounds} rounds\n")
    for scale in map(int, arguments.scales.split(",")):
        for ranks in map(int, arguments.ranks.split(",")):
            print(f"Scale {scale}, {ranks} ranks:\n")
            print("| `--hubs` | `--subgraphs` | hubs | GTEPS | rounds | KiB a search | graph MiB |")
            print("|---|---|---|---|---|---|---|")
            for (hubs, subgraphs), rounds in measure(arguments, scale, ranks).items():
                print("| " + " | ".join(map(str, row(hubs, subgraphs, rounds))) + " |")
            print(flush=True)


if __name__ == "__main__":
    main()
