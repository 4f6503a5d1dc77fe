#!/usr/bin/env python3
"""Measures the papers' systems beside each other and beside other programs: round after round.

    benchmarks/presets.py [--scales 18,20,22] [--ranks 2,4,8] [--rounds 3] [--keys 16] [--presets NAME,...]
                          [--limit 60] [--riken PATH/runnable] [--reference PATH/graph500_reference_bfs]
                          [--breadth PROGRAM]

Prints a table for each scale and number of ranks of one thread, in Markdown. All programs take turns within a round.
GTEPS are the harmonic mean over the searches, each with its median time over the rounds; "rounds" are the least and the
greatest harmonic mean of a single round. Bytes a traversed edge are those between ranks that the program counts; those
of peers are counted where each rank is a host (hosts.py --hosts 8). The table at the end tells how the preset auto
stands to the fastest of the others and to each peer.

A program that runs longer than --limit seconds is ended: a peer counts with the searches that it has made by then, a
preset not at all. Nor is a program started that took so long with fewer vertices that it would take longer than that.
Peers are run as peers.py tells.
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
    """Their names, as `breadth options` lists them."""
    return [preset["name"] for preset in json.loads(run([program, "options", "--json"]))["presets"]]


def contenders(arguments, scale, ranks):
    """(name, measure) of every program."""
    for preset in arguments.presets:
        options = ("--validate", "first", "--preset", preset)
        setup = (arguments.breadth, ("--scale", scale), ranks, 1, arguments.keys)
        yield preset, partial(breadth, *setup, options=options, limit=arguments.limit)
    for peer in peers.chosen_peers(arguments, scale, arguments.keys):
        command = peers.on_this_machine(peer, ranks)
        yield peer.name, partial(peers.measure, command, arguments.keys, arguments.limit)


class Patience:
    """Remembers how long programs took, and tells which of them would now take longer than there is time for."""

    def __init__(self, limit):
        self.limit = limit
        self.took = {}  # (scale, seconds) by program and ranks

    def suffices(self, scale, ranks, name):
        """Whether it should be started: time grows with the vertices."""
        earlier, seconds = self.took.get((name, ranks), (scale, 0))
        return seconds * 2 ** (scale - earlier) < self.limit

    def run(self, scale, ranks, name, once):
        """What it measures; None where it fails or takes too long."""
        begin = time.monotonic()
        try:
            result = once()
        except TooSlow:
            result = None
        self.took[name, ranks] = (scale, time.monotonic() - begin)
        return result


def measure(arguments, patience, scale, ranks):
    """The rounds of each program; none of those for which there was no time."""
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
    """What the table says of a program's rounds. A peer that was ended has fewer searches in some of them."""
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
    """Prints one, and returns the GTEPS of those who have any."""
    print(f"\nScale {scale}, {ranks} ranks:\n")
    print("| program | GTEPS | rounds | searches | bytes a traversed edge | kernel 1 s |\n|---|---|---|---|---|---|")
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
    """auto's GTEPS over those of the best other preset, and of each peer."""
    headings = [f"over {one}" for one in peers.NAMES]
    print("\n| scale | ranks | auto, GTEPS | over the best preset | " + " | ".join(headings) + " |")
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
    parser.add_argument("--presets", help="all there are, unless given")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a program may take")
    add_program_options(parser)
    arguments = parser.parse_args()
    presets = all_presets(arguments.breadth)
    arguments.presets = names_among(parser, "--presets", arguments.presets, presets) if arguments.presets else presets
    print(f"{describe_machine()['processor']}; one thread a rank, {arguments.keys} searches", end="")
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
