#!/usr/bin/env python3
"""Measures every way to replicate the frontier of a pull on all ranks (Cui et al. 2012, fig. 9).

    benchmarks/replication.py [--scale 20] [--ranks 4] [--ranks-per-node 2] [--sent all,unvisited,256] [--rounds 7]
                              [--keys 16] [--threads 1] [--breadth PROGRAM]

Prints a table in Markdown. "sent" is a word of --shared-bits, or a number: the granularity of a summary, whose changed
groups are sent. Ways take turns within a round. GTEPS are the harmonic mean over the searches, each with its median
time over the rounds; "rounds" are the least and the greatest harmonic mean of a single round. KiB are those of the
pulls in an average search. Milliseconds are those of rank 0 in an average search, the median over the rounds.
--ranks-per-node simulates nodes on one machine: their bytes are those of a cluster, their times are not.
"""

import statistics

from ablation import harmonic_gteps
from compare import BREADTH, breadth, describe_machine, run_script, script_options

WAYS = ("allgather", "leader", "shared-in", "shared", "subgroups")


def measure(arguments):
    """The results of the rounds of each (way, sent)."""
    rounds = {(way, sent): [] for sent in arguments.sent.split(",") for way in WAYS}
    setup = (("--scale", arguments.scale), arguments.ranks, arguments.threads, arguments.keys)
    for _ in range(arguments.rounds):
        for (way, sent), of_way in rounds.items():
            which = ("--summary" if sent.isdigit() else "--shared-bits", sent)
            options = ("--replicate", way, *which, "--ranks-per-node", str(arguments.ranks_per_node))
            of_way.append(breadth(arguments.breadth, *setup, options=("--validate", "first", *options)))
    return rounds


def row(way, sent, rounds):
    seconds = [statistics.median(times) for times in zip(*(one["search seconds"] for one in rounds), strict=True)]
    gteps = harmonic_gteps(seconds, rounds[0]["search edges"])
    least, greatest = (choose(one["GTEPS"] for one in rounds) for choose in (min, max))
    inside, between = (statistics.mean(column) / 1024 for column in zip(*rounds[0]["pull traffic"], strict=True))
    phases = ("pull_communicate", "pull_compute", "stall")
    milliseconds = [1e3 * statistics.median(one["phases"][phase] for one in rounds) for phase in phases]
    cells = [way, sent, f"{gteps:.3g}", f"{least:.3g} to {greatest:.3g}", f"{inside:.0f}", f"{between:.0f}"]
    return cells + [f"{value:.2f}" for value in milliseconds]


def main():
    arguments = script_options(
        __doc__,
        scale=20,
        ranks=4,
        ranks_per_node=2,
        sent="all,unvisited,256",
        rounds=7,
        keys=16,
        threads=1,
        breadth=BREADTH,
    ).parse_args()
    print(
        f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.ranks} x {arguments.threads}", end=""
    )
    print(f" on nodes of {arguments.ranks_per_node}, {arguments.keys} searches, {arguments.rounds} rounds\n")
    print("| `--replicate` | sent | GTEPS | rounds | KiB inside | between | replicate ms | pull ms | stall ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (way, sent), rounds in measure(arguments).items():
        print("| " + " | ".join(row(way, sent, rounds)) + " |")


if __name__ == "__main__":
    run_script(main)
