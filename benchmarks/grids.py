#!/usr/bin/env python3
"""Compares 2D partitions of the edges with the partition by vertices: what searches send, and their speed.

    benchmarks/grids.py [--scale 16] [--ranks 4,8,16] [--keys 8] [--rounds 1] [--breadth PROGRAM]

Prints a table in Markdown with a row for each number of ranks and partition: all grids of this many ranks, and the
partition by vertices (1d), in which a vertex has its edges on one rank; there searches push along every edge, as on a
grid, or choose directions (Checconi & Petrini 2014, fig. 12; Pan et al. 2018, section II-B). "partners" are the ranks
to which a rank may send. MB and messages are those of all ranks in an average search. "planned MB" is what `breadth
plan` expects for ranks on one node, as they are here; on grids and for pushes it is the most that can be sent, on grids
in as many levels as the searches had. GTEPS are the harmonic mean over the searches, each with its median time over the
rounds. Only GTEPS depend on the machine.
"""

import json
import statistics

from ablation import harmonic_gteps
from compare import BREADTH, describe_machine, on_this_machine, report_of, run, run_script, script_options, search_bytes

ONE_DIMENSION = {"1d, push": ("--direction", "push", "--leaves", "levels"), "1d": ()}
COLUMNS = ("ranks", "partition", "partners", "messages", "MB", "planned MB", "bytes per traversed edge", "GTEPS")


def partitions(ranks):
    """Yields (name, partners of a rank, options of a search) of each partition."""
    for name, options in ONE_DIMENSION.items():
        yield name, ranks - 1, options
    for rows in range(1, ranks + 1):
        if ranks % rows == 0:
            shape = f"{rows}x{ranks // rows}"
            yield shape, rows + ranks // rows - 2, ("--partition", shape)


def planned_bytes(arguments, ranks, options, levels):
    """The bytes that `breadth plan` expects of a search with this many levels."""
    words = [option for option in options if option not in ("--leaves", "levels")]
    command = [arguments.breadth, "plan", "--scale", str(arguments.scale), "--ranks", str(ranks)]
    plan = json.loads(run([*command, "--ranks-per-node", str(ranks), *words, "--json"]))
    if "fold_bytes" in plan:
        return plan["fold_bytes"] + levels * plan["expand_bytes_per_level"]
    return plan.get("direction_optimising_bytes", plan["distinct_push_bytes"])


def row(arguments, ranks, name, partners, options):
    """The cells of one row."""
    command = [arguments.breadth, "graph500", "--scale", str(arguments.scale), "--keys", str(arguments.keys)]
    command += ["--threads", "1", "--calibrate", "0", "--validate", "none", *options]
    rounds = [report_of(on_this_machine(ranks, command))["bfs"]["runs"] for _ in range(arguments.rounds)]
    searches = rounds[0]
    seconds = [statistics.median(one[i]["seconds"] for one in rounds) for i in range(len(searches))]
    gteps = harmonic_gteps(seconds, [search["nedge"] for search in searches])
    sent = statistics.mean(search_bytes(search) for search in searches)
    edges = statistics.mean(search["nedge"] for search in searches)
    messages = statistics.mean(sum(level["messages"] for level in search["levels"]) for search in searches)
    levels = statistics.mean(len(search["levels"]) for search in searches)
    planned = planned_bytes(arguments, ranks, options, levels)
    cells = [str(ranks), name, str(partners), f"{messages:.0f}", f"{sent / 1e6:.3g}", f"{planned / 1e6:.3g}"]
    return [*cells, f"{sent / edges:.3g}", f"{gteps:.3g}"]


def main():
    arguments = script_options(__doc__, scale=16, ranks="4,8,16", keys=8, rounds=1, breadth=BREADTH).parse_args()
    print(f"{describe_machine()['processor']}; scale {arguments.scale}, {arguments.keys} searches, 1 thread per rank\n")
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for ranks in map(int, arguments.ranks.split(",")):
        for name, partners, options in partitions(ranks):
            print("| " + " | ".join(row(arguments, ranks, name, partners, options)) + " |", flush=True)


if __name__ == "__main__":
    run_script(main)
