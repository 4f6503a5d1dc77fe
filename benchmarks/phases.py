#!/usr/bin/env python3
"""Shows how searches on several ranks spend their time.

    benchmarks/phases.py [--scale 18] [--ranks 4] [--threads 1] [--presets auto,cui2012,fuentes2014] [--keys 8]
                         [--rounds 3] [--breadth PROGRAM]

Prints three tables in Markdown. Every preset is run --rounds times, in turns, and all figures are medians over these
runs. The first table has the phases of rank 0, in milliseconds of an average search (Cui et al. 2012, fig. 11;
docs/replication.md explains the phases). The second table has figures per rank and search: the messages; the messages
that were sent before they were full, because a level ended; and the milliseconds in receive tests, in send tests, in
tests after the rank has examined all its edges, and in the all-reduces that end levels. Each is the mean over the
ranks, with the least and the most (Fuentes et al. 2014, figs 2 and 3). The third table has the levels of the first
search: the milliseconds of rank 0, and how long ranks waited at the end of a level (their fig. 4).
"""

import statistics

from compare import BREADTH, describe_machine, on_this_machine, report_of, run_script, script_options, several_ranks

PHASES = ("push_compute", "push_communicate", "pull_compute", "pull_communicate", "switch", "stall", "other")
TESTS = ("receive_tests", "send_tests", "finish_tests", "all_reduce")


def one_run(arguments, preset):
    """Runs the benchmark once and returns the "bfs" of its report."""
    command = [str(arguments.breadth), "graph500", "--scale", str(arguments.scale), "--keys", str(arguments.keys)]
    command += ["--threads", str(arguments.threads), "--validate", "first", "--preset", preset]
    return report_of(on_this_machine(arguments.ranks, command))["bfs"]


def milliseconds(values):
    """The median of seconds as milliseconds, for a table."""
    return f"{1e3 * statistics.median(values):.3g}"


def print_rows(title, columns, rows):
    print(f"\n{title}:\n\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def phase_row(preset, runs):
    times = [milliseconds(one["phases"][phase] for one in runs) for phase in PHASES]
    return [preset, *times, milliseconds(one["mean_time"] for one in runs)]


def test_row(preset, runs):
    """The messages and tests of ranks: each cell is the mean (least to most) over the ranks."""
    searches = len(runs[0]["runs"])
    cells = [preset]
    for name in ("messages", "partial_packets"):
        of_ranks = [rank[name] / searches for rank in runs[0]["communication"]["ranks"]]
        cells.append(f"{statistics.mean(of_ranks):.0f} ({min(of_ranks):.0f} to {max(of_ranks):.0f})")
    for name in TESTS:
        seconds = [[rank["seconds"][name] / searches for rank in one["communication"]["ranks"]] for one in runs]
        mean, least, most = (milliseconds(map(choose, seconds)) for choose in (statistics.mean, min, max))
        cells.append(f"{mean} ({least} to {most})")
    return cells


def level_rows(runs):
    """Yields the row of each level of the first search."""
    for number, level in enumerate(runs[0]["runs"][0]["levels"]):
        same = [one["runs"][0]["levels"][number] for one in runs]
        counts = [str(level[name]) for name in ("frontier", "messages")]
        times = [milliseconds(one["seconds"][name] for one in same) for name in ("compute", "communicate", "wait")]
        idle = [milliseconds(one["idle_seconds"][name] for one in same) for name in ("least", "mean", "most")]
        yield [str(number), level["direction"], *counts, *times, *idle]


def main():
    parser = script_options(
        __doc__, scale=18, ranks=4, threads=1, presets="auto,cui2012,fuentes2014", keys=8, rounds=3, breadth=BREADTH
    )
    arguments = parser.parse_args()
    several_ranks(parser, arguments.ranks)
    processor = describe_machine()["processor"]
    print(f"{processor}; scale {arguments.scale}, {arguments.ranks} ranks of {arguments.threads} threads")
    print(f"{arguments.keys} searches, median of {arguments.rounds} rounds")
    runs = {preset: [] for preset in arguments.presets.split(",")}
    for _ in range(arguments.rounds):
        for preset, of_preset in runs.items():
            of_preset.append(one_run(arguments, preset))
    columns = [name.replace("_", " ") for name in PHASES]
    print_rows("Phases, ms", ["preset", *columns, "search"], [phase_row(*item) for item in runs.items()])
    columns = [name.replace("_", " ") + " ms" for name in TESTS]
    print_rows("Ranks", ["preset", "messages", "partial", *columns], [test_row(*item) for item in runs.items()])
    columns = ["level", "direction", "frontier", "messages", "compute", "communicate", "wait"]
    for preset, of_preset in runs.items():
        title = f"Levels with {preset}, ms"
        print_rows(title, [*columns, "least waited", "mean", "most"], level_rows(of_preset))


if __name__ == "__main__":
    run_script(main)
