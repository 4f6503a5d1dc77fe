#!/usr/bin/env python3
"""Measures every way in which ranks communicate beside the default, round after round, within a given time.

    benchmarks/communication.py [--scale 18] [--ranks 2,4] [--seconds 170] [--keys 8] [--breadth PROGRAM]

Each row changes one thing: exchange, packets, route, how frontiers are replicated or asked for, partition, hubs. All
rows take turns within a round; rounds go on until the time would not do for another one (but there is one at least).
Prints a table for each number of ranks, in Markdown. GTEPS are the harmonic mean over the searches, each with its
median time over the rounds; "of default" is the ratio to the first row's; messages and kilobytes are all ranks' in an
average search, collectives among the bytes. Routes and shared frontiers are for groups and nodes of two ranks.
exchange.py and replication.py look at their options more closely.
"""

import statistics
import time

from ablation import harmonic_gteps
from compare import BREADTH, LAUNCHER, describe_machine, report_of, script_options

PAIRS = ("--ranks-per-node", "2", "--group-size", "2")
VARIANTS = {
    "default": (),
    "exchange bulk": ("--exchange", "bulk"),
    "packets pairs": ("--packets", "pairs"),
    "packets compressed": ("--packets", "compressed"),
    "coalescing 4096": ("--coalescing", "4096"),
    "route local": ("--route", "local", *PAIRS),
    "route local, unique": ("--route", "local", "--unique", "on", *PAIRS),
    "route monitor": ("--route", "monitor", *PAIRS),
    "replicate leader": ("--replicate", "leader", *PAIRS[:2]),
    "replicate shared-in": ("--replicate", "shared-in", *PAIRS[:2]),
    "replicate shared": ("--replicate", "shared", *PAIRS[:2]),
    "replicate subgroups": ("--replicate", "subgroups", *PAIRS[:2]),
    "summary 256": ("--summary", "256"),
    "pull messages": ("--pull", "messages"),
    "direction push": ("--direction", "push", "--leaves", "levels"),
    "partition auto-2d": ("--partition", "auto-2d"),
    "hubs auto": ("--hubs", "auto"),
    "hubs 1000": ("--hubs", "1000"),
    "hubs 1000, two-phase": ("--hubs", "1000", "--hub-masks", "two-phase", *PAIRS[:2]),
}


def one_run(arguments, ranks, options):
    """The "bfs" of one run's report."""
    command = [*arguments.launcher.split(), str(ranks), arguments.breadth, "graph500", "--threads", "1"]
    command += ["--scale", str(arguments.scale), "--keys", str(arguments.keys), "--validate", "none"]
    return report_of([*command, "--calibrate", "0", *options])["bfs"]


def traffic(search, name):
    return search["leaves"][name] + sum(level[name] for level in search["levels"])


def print_table(ranks, results):
    print(f"\n{ranks} ranks, {len(results['default'])} rounds:\n")
    print("| option | GTEPS | of default | messages | kB |\n|---|---|---|---|---|", flush=True)
    default = None
    for name, rounds in results.items():
        searches = rounds[0]["runs"]
        seconds = [statistics.median(one["runs"][i]["seconds"] for one in rounds) for i in range(len(searches))]
        gteps = harmonic_gteps(seconds, [search["nedge"] for search in searches])
        default = default or gteps
        messages = statistics.mean(traffic(search, "messages") for search in searches)
        kilobytes = statistics.mean(traffic(search, "bytes") for search in searches) / 1e3
        print(f"| {name} | {gteps:.3g} | {gteps / default:.2f} | {messages:.0f} | {kilobytes:.0f} |")


def main():
    parser = script_options(__doc__, scale=18, ranks="2,4", keys=8, launcher=LAUNCHER, breadth=BREADTH)
    parser.add_argument("--seconds", type=float, default=170, help="for all of it")
    arguments = parser.parse_args()
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.keys} searches, 1 thread a rank")
    counts = [int(ranks) for ranks in arguments.ranks.split(",")]
    results = {ranks: {name: [] for name in VARIANTS} for ranks in counts}
    begin = time.monotonic()
    rounds = 0
    while rounds == 0 or (time.monotonic() - begin) * (rounds + 1) / rounds < arguments.seconds:
        for ranks in counts:
            for name, options in VARIANTS.items():
                results[ranks][name].append(one_run(arguments, ranks, options))
        rounds += 1
    for ranks, of_ranks in results.items():
        print_table(ranks, of_ranks)


if __name__ == "__main__":
    main()
