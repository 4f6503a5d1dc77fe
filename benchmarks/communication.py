#!/usr/bin/env python3
"""Measures each option of communication between ranks beside the default, round after round, within a given time.

    benchmarks/communication.py [--scale 18] [--ranks 2,4] [--seconds 170] [--keys 8] [--breadth PROGRAM]

Each row changes one option, and the options that it needs: exchange, packets, route, replication of frontiers or
questions about them, partition, hubs. Routes and ways to replicate are measured on nodes of two ranks. Between nodes,
ranks send fewer bits of a frontier than on one node (--shared-bits auto), so that these rows have a default of their
own, the first row of nodes. All rows take turns within a round. There is at least one round, and as many more as fit
into the time. Prints a table for each number of ranks, in Markdown. GTEPS are the harmonic mean over the searches, each
with its median time over the rounds; "of default" is the ratio to the default above the row; messages and kilobytes are
those of all ranks in an average search, and the kilobytes include collectives. exchange.py and replication.py measure
their options more closely.
"""

import os
import statistics
import time

from ablation import harmonic_gteps
from compare import (
    BREADTH,
    LAUNCHER,
    describe_machine,
    report_of,
    run_script,
    script_options,
    search_bytes,
    several_ranks,
)

NODES = ("--ranks-per-node", "2")
VARIANTS = {
    "default": (),
    "exchange bulk": ("--exchange", "bulk"),
    "packets pairs": ("--packets", "pairs"),
    "packets compressed": ("--packets", "compressed"),
    "coalescing 4096": ("--coalescing", "4096"),
    "summary 256": ("--summary", "256"),
    "pull messages": ("--pull", "messages"),
    "direction push": ("--direction", "push", "--leaves", "levels"),
    "partition auto-2d": ("--partition", "auto-2d"),
    "hubs auto": ("--hubs", "auto"),
    "hubs 1000": ("--hubs", "1000"),
    "nodes: default": NODES,
    "nodes: all bits": ("--shared-bits", "all", *NODES),
    "nodes: route local": ("--route", "local", *NODES),
    "nodes: route local, unique": ("--route", "local", "--unique", "on", *NODES),
    "nodes: route monitor": ("--route", "monitor", *NODES),
    "nodes: replicate leader": ("--replicate", "leader", *NODES),
    "nodes: replicate shared-in": ("--replicate", "shared-in", *NODES),
    "nodes: replicate shared": ("--replicate", "shared", *NODES),
    "nodes: replicate subgroups": ("--replicate", "subgroups", *NODES),
    "nodes: hubs 1000": ("--hubs", "1000", *NODES),
    "nodes: hubs 1000, two-phase": ("--hubs", "1000", "--hub-masks", "two-phase", *NODES),
}
FEW_ROUNDS = 3


def one_run(arguments, ranks, options):
    """Runs the benchmark once and returns the "bfs" of its report."""
    command = [*arguments.launcher.split(), str(ranks), arguments.breadth, "graph500", "--threads", "1"]
    command += ["--scale", str(arguments.scale), "--keys", str(arguments.keys), "--validate", "none"]
    return report_of([*command, "--calibrate", "0", *options])["bfs"]


def sent_messages(search):
    return search["leaves"]["messages"] + sum(level["messages"] for level in search["levels"])


def warning(ranks, rounds):
    """Why the ratios of a table are not reliable; empty if they are."""
    processors = len(os.sched_getaffinity(0))
    reasons = [f"{rounds} of at least {FEW_ROUNDS} rounds"] if rounds < FEW_ROUNDS else []
    reasons += [f"{ranks} ranks on {processors} processors"] if ranks > processors else []
    return f"GTEPS and their ratios may be noise: {', '.join(reasons)}. Counts are not.\n" if reasons else ""


def print_table(ranks, results):
    rounds = len(results["default"])
    print(f"\n{ranks} ranks, {rounds} {'round' if rounds == 1 else 'rounds'}:\n")
    if doubt := warning(ranks, rounds):
        print(doubt)
    print("| option | GTEPS | of default | messages | kB |\n|---|---|---|---|---|", flush=True)
    default = None
    for name, rounds in results.items():
        searches = rounds[0]["runs"]
        seconds = [statistics.median(one["runs"][i]["seconds"] for one in rounds) for i in range(len(searches))]
        gteps = harmonic_gteps(seconds, [search["nedge"] for search in searches])
        if name.endswith("default"):
            default = gteps
        messages = statistics.mean(sent_messages(search) for search in searches)
        kilobytes = statistics.mean(search_bytes(search) for search in searches) / 1e3
        print(f"| {name} | {gteps:.3g} | {gteps / default:.2f} | {messages:.0f} | {kilobytes:.0f} |")


def main():
    parser = script_options(__doc__, scale=18, ranks="2,4", keys=8, launcher=LAUNCHER, breadth=BREADTH)
    parser.add_argument("--seconds", type=float, default=170, help="for all measurements")
    arguments = parser.parse_args()
    counts = several_ranks(parser, arguments.ranks)
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.keys} searches, 1 thread per rank")
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
    run_script(main)
