#!/usr/bin/env python3
"""Measures searches between hosts whose links are slow, where communication dominates, beside other programs.

    benchmarks/hosts.py [--rates 200mbit,1gbit] [--scale 18] [--ranks 4] [--presets auto,...] [--keys 16] [--rounds 1]
                        [--breadth PROGRAM] [--riken PATH] [--reference PATH]

Four hosts are made on this machine (tools/hosts.py): each has a link of that rate to a switch, and the ranks of all
share this machine's processors. Programs take turns within a round. Prints a table for each rate and number of ranks,
in Markdown: GTEPS (harmonic means, the median over the rounds), bytes a traversed edge, and the ratio to the best peer.

Bytes are those between ranks that the program counts (breadth); of peers, what crosses links in a run without
validation from two keys less what crosses in one from one (RIKEN's), or all of it, kernel 1 too, by 64 searches (the
reference).
"""

import argparse
import re
import statistics
import subprocess
import sys

from compare import ROOT, Failed, add_program_options, breadth, describe_machine, if_it_succeeds

sys.path.insert(0, str(ROOT / "tools"))
from hosts import run_among_hosts

NAMES = ["h1", "h2", "h3", "h4"]


def output_of(hosts, command):
    """Standard output, and the bytes that crossed links."""
    before = hosts.bytes_sent()
    result = subprocess.run(command, capture_output=True, text=True, cwd=hosts.folder)
    if result.returncode != 0:
        raise Failed(f"{command[-1]}: {result.stderr[-2000:]}")
    return result.stdout, hosts.bytes_sent() - before


def on_hosts(hosts, ranks):
    """How many of the ranks each host gets."""
    return [ranks // len(NAMES) + (number < ranks % len(NAMES)) for number in range(len(NAMES))]


def measure_breadth(hosts, arguments, preset, ranks):
    def launch(_, command):
        return hosts.command(on_hosts(hosts, ranks), *command)

    options = ("--validate", "first", "--preset", preset)
    graph = ("--scale", arguments.scale)
    result = breadth(arguments.breadth, graph, ranks, 1, arguments.keys, options=options, launch=launch)
    return {"GTEPS": result["GTEPS"], "bytes": sum(result["search bytes"]) / sum(result["search edges"])}


def measure_riken(hosts, program, scale, ranks, keys):
    """With validation for the speed, without for the bytes: then it sleeps ten seconds after each search."""

    def one(keys, *options):
        words = ["env", "OMP_NUM_THREADS=1", program, scale, "-A", "-C", "-n", keys, *options]
        return output_of(hosts, hosts.command(on_hosts(hosts, ranks), *words))

    def value(text, name):
        return float(re.search(rf"^{name}:\s+([\d.e+-]+)\s*$", text, re.MULTILINE).group(1))

    timed, _ = one(keys)
    _, of_one_key = one(1, "-v", "0")
    _, of_two_keys = one(2, "-v", "0")
    bytes_an_edge = (of_two_keys - of_one_key) / value(timed, "median_nedge")
    return {"GTEPS": value(timed, "harmonic_mean_TEPS") / 1e9, "bytes": bytes_an_edge}


def measure_reference(hosts, program, scale, ranks):
    words = ["env", "SKIP_VALIDATION=1", program, scale]
    text, crossed = output_of(hosts, hosts.command(on_hosts(hosts, ranks), *words))

    def value(name):
        return float(re.search(rf"^{name}:\s+!?\s*([\d.e+-]+)", text, re.MULTILINE).group(1))

    return {"GTEPS": value("bfs  harmonic_mean_TEPS") / 1e9, "bytes": crossed / 64 / value("median_nedge")}


def contenders(arguments, hosts, ranks):
    """(name, whether it is a peer, measure)."""
    scale, keys = arguments.scale, arguments.keys
    for preset in arguments.presets.split(","):
        yield preset, False, lambda preset=preset: measure_breadth(hosts, arguments, preset, ranks)
    if arguments.riken:
        yield "RIKEN Graph500-BFS", True, lambda: measure_riken(hosts, arguments.riken, scale, ranks, keys)
    if arguments.reference:
        yield "Graph500 reference", True, lambda: measure_reference(hosts, arguments.reference, scale, ranks)


def measure(arguments, hosts, ranks):
    """Medians over the rounds, by name; and the best peer's GTEPS, None without peers."""
    rounds = {}
    peers = set()
    for _ in range(arguments.rounds):
        for name, is_peer, once in contenders(arguments, hosts, ranks):
            result = if_it_succeeds(name, once)
            if result is None:
                continue
            print(f"{name}: {result}", file=sys.stderr, flush=True)
            rounds.setdefault(name, []).append(result)
            if is_peer:
                peers.add(name)
    medians = {
        name: {key: statistics.median(one[key] for one in runs) for key in runs[0]} for name, runs in rounds.items()
    }
    return medians, max((medians[name]["GTEPS"] for name in peers), default=None)


def print_table(rate, ranks, medians, best_peer):
    print(f"\n{rate}, {ranks} ranks on {len(NAMES)} hosts:\n")
    print("| program | GTEPS | bytes a traversed edge | of the best peer |\n|---|---|---|---|")
    for name, values in medians.items():
        ratio = f"{values['GTEPS'] / best_peer:.3g}" if best_peer else ""
        print(f"| {name} | {values['GTEPS']:.3g} | {values['bytes']:.3g} | {ratio} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rates", default="200mbit,1gbit")
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--ranks", default="4")
    parser.add_argument("--presets", default="auto,cui2012,checconi2014,pan2018,tianhe2021,fuentes2014,reference")
    parser.add_argument("--keys", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1)
    add_program_options(parser)
    arguments = parser.parse_args()
    hosts = run_among_hosts(NAMES, "mpiexec", "1gbit", skipped=1)
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.keys} searches, one thread a rank")
    for rate in arguments.rates.split(","):
        hosts.limit(rate)
        for ranks in map(int, arguments.ranks.split(",")):
            print_table(rate, ranks, *measure(arguments, hosts, ranks))


if __name__ == "__main__":
    main()
