#!/usr/bin/env python3
"""Measures the papers' systems (presets) beside each other and beside other programs, round after round.

    benchmarks/presets.py [--scales 18,20,22] [--ranks 2,4,8] [--rounds 3] [--keys 16] [--presets NAME,...]
                          [--limit 60] [--riken PATH/runnable] [--reference PATH/graph500_reference_bfs]
                          [--breadth PROGRAM]

Prints a table for each scale and number of ranks of one thread, in Markdown. All programs take turns within a round.
GTEPS are the harmonic mean over the searches, each with its median time over the rounds; "rounds" are the least and the
greatest harmonic mean of a single round. "bytes per traversed edge" are those between ranks, which breadth counts; the
bytes of peers are counted if each rank has a host (hosts.py --hosts 8). The table at the end has the ratios of the
preset auto to the fastest other preset and to each peer.

A program that runs longer than --limit seconds is ended. A peer then counts with the searches that it has finished, a
preset does not count. A program is not started if, by its time with fewer vertices, it would take longer than --limit.
peers.py runs the peers.
"""

import json
import statistics
import sys
import time
from functools import partial

import peers
from ablation import harmonic_gteps
from compare import (
    TooSlow,
    add_program_options,
    breadth,
    describe_machine,
    if_it_succeeds,
    names_among,
    run,
    run_script,
    script_options,
)


def all_presets(program):
    """The names of all presets, as `breadth options` lists them."""
    return [preset["name"] for preset in json.loads(run([program, "options", "--json"]))["presets"]]


def contenders(arguments, scale, ranks):
    """Yields (name, measure) of every program."""
    for preset in arguments.presets:
        options = ("--validate", "first", "--preset", preset)
        setup = (arguments.breadth, ("--scale", scale), ranks, 1, arguments.keys)
        yield preset, partial(breadth, *setup, options=options, limit=arguments.limit)
    for peer in peers.chosen_peers(arguments, scale, arguments.keys):
        command = peers.on_this_machine(peer, ranks)
        yield peer.name, partial(peers.measure, command, arguments.keys, arguments.limit)


class Patience:
    """Remembers how long programs took, and predicts which of them would now take longer than the limit."""

    def __init__(self, limit):
        self.limit = limit
        self.took = {}  # (scale, seconds) by program and ranks

    def suffices(self, scale, ranks, name):
        """Whether a program should be started. Its time is taken to grow with the number of vertices."""
        earlier, seconds = self.took.get((name, ranks), (scale, 0))
        return seconds * 2 ** (scale - earlier) < self.limit

    def run(self, scale, ranks, name, once):
        """Returns once(), or None if the program takes too long, and remembers the time."""
        begin = time.monotonic()
        try:
            result = once()
        except TooSlow:
            result = None
        self.took[name, ranks] = (scale, time.monotonic() - begin)
        return result


def measure(arguments, patience, scale, ranks):
    """The results of each program's rounds; empty if there was no time for the program."""
    rounds = {}
    for _ in range(arguments.rounds):
        for name, once in contenders(arguments, scale, ranks):
            of_name = rounds.setdefault(name, [])
            if not patience.suffices(scale, ranks, name):
                continue
            cell = f"scale {scale}, {ranks} ranks: {name}"
            result = if_it_succeeds(cell, patience.run, scale, ranks, name, once)
            if result is not None:
                of_name.append(result)
                print(f"{cell}: {result['GTEPS']:.3g} GTEPS", file=sys.stderr, flush=True)
    return rounds


def summary(runs):
    """The cells of a program from its rounds. A peer that was ended has fewer searches in some rounds."""
    searches = min(len(run["search seconds"]) for run in runs)
    edges = runs[0]["search edges"][:searches]
    times = [statistics.median(run["search seconds"][i] for run in runs) for i in range(searches)]
    traffic = sum(runs[0]["search bytes"]) / sum(runs[0]["search edges"])
    return {
        "GTEPS": harmonic_gteps(times, edges),
        "least": min(run["GTEPS"] for run in runs),
        "greatest": max(run["GTEPS"] for run in runs),
        "searches": searches,
        "bytes": f"{traffic:.3g}" if traffic else "",
        "kernel 1": f"{statistics.median(run['kernel 1 s'] for run in runs):.3g}" if "kernel 1 s" in runs[0] else "",
    }


def print_table(scale, ranks, rounds, patience):
    """Prints a table, and returns the GTEPS of the programs that have any."""
    print(f"\nScale {scale}, {ranks} ranks:\n")
    print("| program | GTEPS | rounds | searches | bytes per traversed edge | kernel 1 s |\n|---|---|---|---|---|---|")
    gteps = {}
    for name, runs in rounds.items():
        if not runs:
            waited = not patience.suffices(scale, ranks, name)
            print(f"| {name} | {f'more than {patience.limit:g} s' if waited else 'failed'} | | | | |")
            continue
        of_name = summary(runs)
        gteps[name] = of_name["GTEPS"]
        cells = [f"{of_name['GTEPS']:.3g}", f"{of_name['least']:.3g} to {of_name['greatest']:.3g}"]
        cells += [str(of_name["searches"]), of_name["bytes"], of_name["kernel 1"]]
        print(f"| {name} | " + " | ".join(cells) + " |")
    sys.stdout.flush()
    return gteps


def print_ratios(gteps_of_cells):
    """Prints auto's GTEPS over those of the best other preset and of each peer."""
    headings = [f"over {one}" for one in peers.NAMES]
    print("\n| scale | ranks | auto, GTEPS | auto / best preset | " + " | ".join(headings) + " |")
    print("|---|---|---|---|---|---|")
    for (scale, ranks), gteps in gteps_of_cells.items():
        if "auto" not in gteps:
            continue
        presets = {name: rate for name, rate in gteps.items() if name not in ("auto", *peers.NAMES)}
        best = max(presets, key=presets.get, default=None)
        cells = [f"{gteps['auto'] / presets[best]:.2f} ({best})" if best else ""]
        cells += [f"{gteps['auto'] / gteps[one]:.3g}" if one in gteps else "" for one in peers.NAMES]
        print(f"| {scale} | {ranks} | {gteps['auto']:.3g} | " + " | ".join(cells) + " |")


def main():
    parser = script_options(__doc__, scales="18,20,22", ranks="2,4,8", rounds=3, keys=16)
    parser.add_argument("--presets", help="names of presets; by default all")
    parser.add_argument("--limit", type=float, default=60, help="the most seconds that a program may take")
    add_program_options(parser)
    arguments = parser.parse_args()
    presets = all_presets(arguments.breadth)
    arguments.presets = names_among(parser, "--presets", arguments.presets, presets) if arguments.presets else presets
    print(f"{describe_machine()['processor']}; one thread per rank, {arguments.keys} searches", end="")
    print(f", median of {arguments.rounds} rounds")
    patience = Patience(arguments.limit)
    gteps = {}
    for scale in sorted(map(int, arguments.scales.split(","))):
        for ranks in map(int, arguments.ranks.split(",")):
            rounds = measure(arguments, patience, scale, ranks)
            gteps[scale, ranks] = print_table(scale, ranks, rounds, patience)
    print_ratios(gteps)


if __name__ == "__main__":
    run_script(main)
