#!/usr/bin/env python3
"""Measures how queries travel between ranks: every exchange with every kind of packets, and every route, in rounds.

    benchmarks/exchange.py [--scale 20] [--ranks 2,4] [--rounds 3] [--keys 8] [--preset auto] [--coalescing 256]
                           [--only EXPRESSION] [--group-size 2] [--options WORDS]
                           [--launcher "mpiexec --oversubscribe -n"] [--breadth PROGRAM]

Prints a table for each number of ranks, in Markdown. Variants take turns within a round, so that the machine is in the
same state for all. GTEPS are the harmonic mean over the searches, each with its median time over the rounds. Messages
and bytes are those of queries, of all ranks in an average search. "expected" are the messages, and with pairs the
bytes, that equations 1 and 2 of Fuentes et al. 2014 predict for a search that only pushes. "bytes per query" are the
bytes divided by the queries sent (Checconi & Petrini 2014, fig. 8): those of pushes and answers, which go forward.
"backward" are those of the questions of pulls, with `--options "--pull messages"`. "bytes per edge" are the bytes
divided by the edges that the specification counts as traversed. "tests" and "idle" are milliseconds per rank and search
in receive and send tests while there is work, and without work (Fuentes et al., fig. 3). Several values of
--coalescing, separated by commas, are a sweep (their fig. 5); the bulk exchange does not coalesce. --only leaves out
the variants whose names do not match. Routes have rows of their own if --group-size makes several groups of several
ranks: "between" are the megabytes between groups, "hops" the average hops of a message, "MB/s" what ranks sent per
second that they spent on sending (Gan & Zhang 2021, equations 5 and 6).
"""

import itertools
import json
import statistics
import sys

from ablation import harmonic_gteps
from compare import (
    BREADTH,
    LAUNCHER,
    ROOT,
    describe_machine,
    names_matching,
    report_of,
    run,
    run_script,
    script_options,
    several_ranks,
)

sys.path.insert(0, str(ROOT / "tools"))
from listed_options import route_options, words_of


def forwarding(listed):
    """The options of each route on which other ranks forward queries, by its name."""
    result = {}
    for route, chosen in route_options(listed).items():
        if route == "direct":
            continue
        result[route] = chosen
        if "--monitor" not in chosen:
            result[f"{route}, unique"] = (*chosen, "--unique", "on")
    return result


def variants(listed, coalescing, ranks, group_size):
    """The options of each variant, by its name."""
    words = words_of(listed, "graph500")
    groups = ("--group-size", str(group_size))
    result = {}
    for exchange, packets in itertools.product(words["exchange"], words["packets"]):
        base = ("--exchange", exchange, "--packets", packets, *groups)
        if exchange == "bulk":
            result[f"bulk, {packets}"] = base
            continue
        for queries in coalescing:
            name = f"asynchronous, {packets}" + (f", {queries} a message" if len(coalescing) > 1 else "")
            result[name] = (*base, "--coalescing", queries)
    if 1 < group_size < ranks:
        for (route, chosen), exchange in itertools.product(forwarding(listed).items(), words["exchange"]):
            result[f"{exchange}, runs, {route}"] = ("--exchange", exchange, "--packets", "runs", *groups, *chosen)
    return result


def one_run(arguments, ranks, options):
    """Runs the benchmark once and returns the "bfs" of its report."""
    command = [*arguments.launcher.split(), str(ranks), arguments.breadth, "graph500", "--threads", "1"]
    command += ["--scale", str(arguments.scale), "--keys", str(arguments.keys), "--validate", "first"]
    return report_of([*command, "--preset", arguments.preset, *options, *arguments.options.split()])["bfs"]


def summary(rounds):
    """The cells of a variant. Counts are those of the first round; only messages of other threads vary in number."""
    searches = rounds[0]["runs"]
    times = [statistics.median(one["runs"][i]["seconds"] for one in rounds) for i in range(len(searches))]
    communication = rounds[0]["communication"]["ranks"]
    distances = rounds[0]["communication"]["distances"]
    count = len(searches)
    edges = [search["nedge"] for search in searches]
    total = {name: sum(rank[name] for rank in communication) for name in ("messages", "bytes", "queries")}
    pulls = [part for one in searches for part in [*one["levels"], one["leaves"]] if part["question_bytes"]]
    asked = {name: sum(pull[name] for pull in pulls) for name in ("queries", "question_bytes")}
    expected = rounds[0]["communication"]
    efficiencies = [one["communication"]["distances"]["efficiency_bytes_per_second"] for one in rounds]

    def milliseconds(*names):
        per_round = (
            sum(rank["seconds"][name] for name in names for rank in one["communication"]["ranks"]) for one in rounds
        )
        return statistics.median(per_round) / len(communication) / count * 1e3

    return {
        "GTEPS": harmonic_gteps(times, edges),
        "messages": total["messages"] / count,
        "expected": expected.get("predicted_messages_per_rank_and_search", 0) * len(communication) or None,
        "MB": total["bytes"] / count / 1e6,
        "expected MB": expected.get("predicted_bytes_per_search", 0) / 1e6 or None,
        "between MB": distances["between_groups"]["bytes"] / count / 1e6,
        "hops": distances["hops"]["all"] / max(1, total["messages"]),
        "MB/s": statistics.median(efficiencies) / 1e6,
        "bytes per query": (total["bytes"] - asked["question_bytes"]) / max(1, total["queries"] - asked["queries"]),
        "backward": asked["question_bytes"] / asked["queries"] if pulls else None,
        "bytes per edge": total["bytes"] / sum(edges),
        "tests ms": milliseconds("receive_tests", "send_tests"),
        "idle ms": milliseconds("finish_tests", "all_reduce"),
    }


def cell(column, value):
    if value is None:
        return ""
    return f"{value:.0f}" if column in ("messages", "expected") else f"{value:.3g}"


def print_table(ranks, results):
    """Prints a table without the columns that are empty for all variants."""
    columns = [name for name in next(iter(results.values())) if any(row[name] is not None for row in results.values())]
    print(f"\n{ranks} ranks:\n\n| variant | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name, values in results.items():
        cells = [cell(column, values[column]) for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = script_options(
        __doc__,
        scale=20,
        ranks="2,4",
        rounds=3,
        keys=8,
        preset="auto",
        coalescing="256",
        launcher=LAUNCHER,
        breadth=BREADTH,
    )
    parser.add_argument("--only", default="", help="a regular expression that names of variants match")
    parser.add_argument("--group-size", type=int, default=2, help="ranks per group")
    parser.add_argument("--options", default="", help="further options of each run, in one word")
    arguments = parser.parse_args()
    listed = json.loads(run([arguments.breadth, "options", "--json"]))
    variants_of = {
        ranks: variants(listed, arguments.coalescing.split(","), ranks, arguments.group_size)
        for ranks in several_ranks(parser, arguments.ranks)
    }
    all_names = list(dict.fromkeys(name for options_of in variants_of.values() for name in options_of))
    chosen = names_matching(parser, "--only", arguments.only, all_names)
    machine = describe_machine()
    setup = f"scale {arguments.scale}, preset {arguments.preset} {arguments.options}".strip()
    print(f"{machine['processor']}; {setup}, 1 thread per rank")
    print(f"{arguments.keys} searches, median of {arguments.rounds} rounds")
    for ranks, options_of in variants_of.items():
        rounds = {name: [] for name in chosen if name in options_of}
        if not rounds:
            continue
        for _ in range(arguments.rounds):
            for name, of_name in rounds.items():
                of_name.append(one_run(arguments, ranks, options_of[name]))
        print_table(ranks, {name: summary(of_name) for name, of_name in rounds.items()})


if __name__ == "__main__":
    run_script(main)
