#!/usr/bin/env python3
"""Measures the papers' systems (presets) beside each other and beside other programs, round after round.

    benchmarks/presets.py [--scales 18,20,22] [--ranks 2,4,8] [--rounds 3] [--keys 16] [--presets NAME,...]
                          [--limit 60] [--riken PATH/runnable] [--reference PATH/graph500_reference_bfs]
                          [--options WORDS] [--breadth PROGRAM]
    benchmarks/presets.py --ablation [--scales 18,20,22] [--ranks 2,4,8] [--rounds 3] [--keys 16]
                          [--presets NAME,...] [--limit 60] [--options WORDS] [--breadth PROGRAM]

Prints a table for each scale and number of ranks of one thread, in Markdown. All programs take turns within a round.
GTEPS are the harmonic mean over the searches, each with its median time over the rounds; "rounds" are the least and the
greatest harmonic mean of a single round. "bytes per traversed edge" are those between ranks, which breadth counts; the
bytes of peers are counted if each rank has a host (hosts.py --hosts 8). The table at the end has the ratios of the
preset auto to the fastest other preset and to each peer.

A program that runs longer than --limit seconds is ended. A peer then counts with the searches that it has finished, a
preset does not count. A program is not started if, by its time with fewer vertices, it would take longer than --limit.
peers.py runs the peers. --options gives options to breadth, for all presets.

With --ablation, the script measures what each technique of a paper is worth in the paper's system: each preset as it
is, and with each one of its values set back to the default of breadth (`breadth options --json` has both), in turns.
There is a table for each number of ranks, preset and scale; auto has none, because it sets nothing. "of preset" is the
ratio to the preset as it is: below 1, the paper's value is faster. Messages are those of all ranks in the levels of an
average search. Values that the program refuses to set back alone are listed below the table, with its reason. Values
that only several threads or one rank use (--adaptive-levels) change nothing on several ranks; their ratios show the
noise. All ranks of one machine are on one node and in one group, where routes and two-phase masks have no effect;
--options "--ranks-per-node 2" makes several.
"""

import json
import statistics
import sys
import time
from dataclasses import dataclass
from functools import partial

import peers
from ablation import harmonic_gteps
from compare import (
    ROOT,
    Failed,
    TooSlow,
    add_program_options,
    breadth,
    describe_machine,
    if_it_succeeds,
    names_among,
    on_this_machine,
    run,
    run_script,
    script_options,
)

sys.path.insert(0, str(ROOT / "tools"))
from listed_options import defaults_of


def listed_by(program):
    """The options and presets of a program, as `breadth options` lists them."""
    return json.loads(run([program, "options", "--json"]))


def all_presets(program):
    """The names of all presets."""
    return [preset["name"] for preset in listed_by(program)["presets"]]


def systems(arguments):
    """The options of each preset, by its name."""
    return {preset: ("--preset", preset, *arguments.options) for preset in arguments.presets}


def contenders(arguments, variants, scale, ranks):
    """Yields (name, measure) of every program. `variants` has options of breadth by name."""
    for name, words in variants.items():
        options = ("--validate", "first", *words)
        setup = (arguments.breadth, ("--scale", scale), ranks, 1, arguments.keys)
        yield name, partial(breadth, *setup, options=options, limit=arguments.limit)
    if arguments.ablation:
        return
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


def measure(arguments, patience, variants, scale, ranks):
    """The results of each program's rounds; empty if there was no time for the program."""
    rounds = {}
    for _ in range(arguments.rounds):
        for name, once in contenders(arguments, variants, scale, ranks):
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


def without_figures(scale, ranks, name, patience):
    """What a table has in place of the GTEPS of a program that has none."""
    return "failed" if patience.suffices(scale, ranks, name) else f"more than {patience.limit:g} s"


def print_table(scale, ranks, rounds, patience):
    """Prints a table, and returns the GTEPS of the programs that have any."""
    print(f"\nScale {scale}, {ranks} ranks:\n")
    print("| program | GTEPS | rounds | searches | bytes per traversed edge | kernel 1 s |\n|---|---|---|---|---|---|")
    gteps = {}
    for name, runs in rounds.items():
        if not runs:
            print(f"| {name} | {without_figures(scale, ranks, name, patience)} | | | | |")
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


def compare_presets(arguments, patience):
    """Measures the presets beside each other and beside other programs."""
    gteps = {}
    for scale in arguments.scales:
        for ranks in arguments.ranks:
            rounds = measure(arguments, patience, systems(arguments), scale, ranks)
            gteps[scale, ranks] = print_table(scale, ranks, rounds, patience)
    print_ratios(gteps)


@dataclass(frozen=True)
class SetBack:
    """A value of a preset that is set back to the default of breadth."""

    words: tuple[str, str]  # the option, and the default
    value: str  # the preset's

    def __str__(self):
        return " ".join(self.words)


def values_set_back(program):
    """The values of each preset, set back one at a time, by the preset's name."""
    listed = listed_by(program)
    default = defaults_of(listed, "graph500")
    return {
        preset["name"]: [SetBack((f"--{name}", default[name]), value) for name, value in preset["sets"].items()]
        for preset in listed["presets"]
    }


def refusal(arguments, ranks, options):
    """Why breadth does not run with these options, in its own words; empty if it does. Tries a tiny graph."""
    words = ["graph500", "--scale", "4", "--keys", "1", "--threads", "1", *options]
    try:
        run(on_this_machine(ranks, [arguments.breadth, *words]))
    except Failed as error:
        return error.reason.removeprefix("breadth: ")
    return ""


def print_ablation(preset, scale, ranks, rounds, values, patience):
    """Prints the table of a preset as it is and with single values set back. `values` has the preset's by row."""
    print(f"\n{preset}, scale {scale}, {ranks} ranks:\n")
    columns = ["set back", "from", "GTEPS", "of preset", "rounds", "messages", "bytes per traversed edge", "kernel 1 s"]
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    as_it_is = summary(rounds[preset])["GTEPS"] if rounds[preset] else None
    for name, runs in rounds.items():
        cells = [name.removeprefix(preset).strip() or "nothing", values.get(name, "")]
        if not runs:
            print("| " + " | ".join(cells) + f" | {without_figures(scale, ranks, name, patience)} | | | | | |")
            continue
        of_name = summary(runs)
        cells += [f"{of_name['GTEPS']:.3g}", f"{of_name['GTEPS'] / as_it_is:.2f}" if as_it_is else ""]
        cells += [f"{of_name['least']:.3g} to {of_name['greatest']:.3g}"]
        cells += [f"{statistics.mean(runs[0]['search messages']):.0f}", of_name["bytes"], of_name["kernel 1"]]
        print("| " + " | ".join(cells) + " |")


def measure_ablation(arguments, patience):
    """Measures each preset beside itself with single values set back."""
    set_back = values_set_back(arguments.breadth)
    for ranks in arguments.ranks:
        for preset, system in systems(arguments).items():
            if not set_back[preset]:
                continue
            refused = {one: refusal(arguments, ranks, (*system, *one.words)) for one in set_back[preset]}
            accepted = {f"{preset} {one}": one for one, reason in refused.items() if not reason}
            variants = {preset: system} | {name: (*system, *one.words) for name, one in accepted.items()}
            values = {name: one.value for name, one in accepted.items()}
            for scale in arguments.scales:
                rounds = measure(arguments, patience, variants, scale, ranks)
                print_ablation(preset, scale, ranks, rounds, values, patience)
            if len(accepted) < len(refused):
                print(f"\n{preset}, {ranks} ranks, not alone:\n")
            for one, reason in refused.items():
                if reason:
                    print(f"- `{one}` (from {one.value}): {reason}")
            sys.stdout.flush()


def main():
    parser = script_options(__doc__, scales="18,20,22", ranks="2,4,8", rounds=3, keys=16, options="")
    parser.add_argument("--presets", help="names of presets; by default all")
    parser.add_argument("--limit", type=float, default=60, help="the most seconds that a program may take")
    parser.add_argument("--ablation", action="store_true", help="set back each value of each preset, one at a time")
    add_program_options(parser)
    arguments = parser.parse_args()
    presets = all_presets(arguments.breadth)
    arguments.presets = names_among(parser, "--presets", arguments.presets, presets) if arguments.presets else presets
    arguments.options = arguments.options.split()
    arguments.scales = sorted(map(int, arguments.scales.split(",")))
    arguments.ranks = list(map(int, arguments.ranks.split(",")))
    print(f"{describe_machine()['processor']}; one thread per rank, {arguments.keys} searches", end="")
    print(f", median of {arguments.rounds} rounds")
    (measure_ablation if arguments.ablation else compare_presets)(arguments, Patience(arguments.limit))


if __name__ == "__main__":
    run_script(main)
