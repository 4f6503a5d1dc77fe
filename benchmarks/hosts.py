#!/usr/bin/env python3
"""Measures searches between hosts with slow links, where communication dominates, beside other programs.

    benchmarks/hosts.py [--rates 200mbit,1gbit] [--scales 16,18] [--hosts 4] [--ranks 4] [--presets auto,...] [--keys 8]
                        [--rounds 1] [--limit 60] [--breadth PROGRAM] [--riken PATH] [--reference PATH]

The hosts are made on this machine (tools/hosts.py). Each has a link of the given rate to a switch, and the ranks of all
hosts share this machine's processors. Programs take turns within a round. "auto-without-hubs" is the preset auto with
--hubs none, "auto-of-all-bits" the preset auto with --shared-bits all. Prints a table for each rate, scale and number
of ranks, in Markdown: GTEPS (the median over the rounds of harmonic means), bytes per traversed edge, and the ratio to
the best peer. Programs that take longer than --limit seconds are ended (peers.py).

breadth's bytes are those between ranks, which the program counts. A peer's bytes are those that cross links from the
beginning to the end of a search, with headers. If each rank has a host of its own, as in

    benchmarks/hosts.py --hosts 8 --ranks 2,4,8 --rates 10gbit --presets "" --riken PATH --reference PATH

they are all bytes that a peer sends.
"""

import statistics
import sys

import peers
from compare import (
    ROOT,
    add_program_options,
    breadth,
    describe_machine,
    if_it_succeeds,
    names_among,
    run_script,
    script_options,
)
from presets import all_presets

sys.path.insert(0, str(ROOT / "tools"))
from hosts import run_among_hosts

OPTIONS = {  # of the names that are no presets
    "auto-without-hubs": ("--preset", "auto", "--hubs", "none"),
    "auto-of-all-bits": ("--preset", "auto", "--shared-bits", "all"),
}


def on_hosts(hosts, ranks):
    """How many ranks run on each host."""
    count = len(hosts.names)
    return [ranks // count + (number < ranks % count) for number in range(count)]


def measure_breadth(hosts, arguments, preset, scale, ranks):
    def launch(_, command):
        return hosts.command(on_hosts(hosts, ranks), *command)

    options = ("--validate", "first", *OPTIONS.get(preset, ("--preset", preset)))
    setup = (("--scale", scale), ranks, 1, arguments.keys)
    return breadth(arguments.breadth, *setup, options=options, launch=launch, limit=arguments.limit)


def measure_peer(hosts, arguments, peer, ranks):
    command = hosts.command(on_hosts(hosts, ranks), *peer.words)
    return peers.measure(command, arguments.keys, arguments.limit, hosts.bytes_sent)


def contenders(arguments, hosts, scale, ranks):
    """Yields (name, measure) of every program."""
    for preset in filter(None, arguments.presets.split(",")):
        yield preset, lambda preset=preset: measure_breadth(hosts, arguments, preset, scale, ranks)
    for peer in peers.chosen_peers(arguments, scale, arguments.keys):
        yield peer.name, lambda peer=peer: measure_peer(hosts, arguments, peer, ranks)


def figures(runs):
    """The medians over the rounds of GTEPS and of bytes per traversed edge."""
    return {
        "GTEPS": statistics.median(one["GTEPS"] for one in runs),
        "bytes": statistics.median(sum(one["search bytes"]) / sum(one["search edges"]) for one in runs),
    }


def measure(arguments, hosts, scale, ranks):
    """The figures of each program, by its name; None if it failed or took too long."""
    rounds = {}
    for _ in range(arguments.rounds):
        for name, once in contenders(arguments, hosts, scale, ranks):
            of_name = rounds.setdefault(name, [])
            result = if_it_succeeds(f"scale {scale}, {ranks} ranks: {name}", once)
            if result is not None:
                of_name.append(result)
                print(f"scale {scale}, {ranks} ranks: {name}: {figures([result])}", file=sys.stderr, flush=True)
    return {name: figures(runs) if runs else None for name, runs in rounds.items()}


def print_table(title, results):
    of_peers = (values["GTEPS"] for name, values in results.items() if values and name in peers.NAMES)
    best_peer = max(of_peers, default=None)
    print(f"\n{title}:\n")
    print("| program | GTEPS | bytes per traversed edge | / best peer |\n|---|---|---|---|")
    for name, values in results.items():
        if values is None:
            print(f"| {name} | took too long, or failed | | |")
            continue
        ratio = f"{values['GTEPS'] / best_peer:.3g}" if best_peer else ""
        print(f"| {name} | {values['GTEPS']:.3g} | {values['bytes']:.3g} | {ratio} |")
    sys.stdout.flush()


PRESETS = "auto,auto-without-hubs,auto-of-all-bits,cui2012,checconi2014,pan2018,tianhe2021,fuentes2014,reference"


def main():
    parser = script_options(
        __doc__, rates="200mbit,1gbit", scales="16,18", hosts=4, ranks="4", presets=PRESETS, keys=8, rounds=1
    )
    parser.add_argument("--limit", type=float, default=60, help="the most seconds that a program may take")
    add_program_options(parser)
    arguments = parser.parse_args()
    if arguments.presets:
        names_among(parser, "--presets", arguments.presets, [*OPTIONS, *all_presets(arguments.breadth)])
    names = [f"h{number + 1}" for number in range(arguments.hosts)]
    hosts = run_among_hosts(names, "mpiexec", "1gbit", skipped=1)
    print(f"{describe_machine()['processor']}; {arguments.keys} searches, one thread per rank")
    for rate in arguments.rates.split(","):
        hosts.limit(rate)
        for scale in map(int, arguments.scales.split(",")):
            for ranks in map(int, arguments.ranks.split(",")):
                title = f"{rate}, scale {scale}, {ranks} ranks on {min(ranks, len(names))} hosts"
                print_table(title, measure(arguments, hosts, scale, ranks))


if __name__ == "__main__":
    run_script(main)
