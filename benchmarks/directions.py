#!/usr/bin/env python3
"""Measures what the best choice of directions could gain: level by level, searches that only push beside those
that only pull and those that choose.

    benchmarks/directions.py [--scales 18,20,22] [--keys 16] [--rounds 3] [--threads 2] [--breadth PROGRAM]

Level by level and key by key, the fastest of the rounds counts. "best" is the lesser of both directions in each level,
plus what a search takes besides its levels: no rule that chooses between these two can do better. It takes for granted
that a level costs the same whatever way the one before it went, though a push after a pull has to list the frontier
first. A level that pulls and pushes (--mixed-levels) can be faster than either, so that the choice may be ahead of it.
Prints milliseconds of a search, means over the keys, in Markdown, and how many levels went the slower way, by more than
a tenth.
"""

import statistics

from compare import BREADTH, report_of, run_script, script_options

POLICIES = ("push", "pull", "auto")


def searches(arguments, scale, policy):
    """What the report says of each search."""
    words = ["graph500", "--scale", scale, "--keys", arguments.keys, "--threads", arguments.threads]
    words += ["--validate", "none", "--direction", policy]
    return report_of([arguments.breadth, *map(str, words)])["bfs"]["runs"]


def seconds_of_levels(search):
    return [sum(level["seconds"].values()) for level in search["levels"]]


def fastest(rounds):
    """Of each key the seconds of its levels and of the whole search, each the least of the rounds."""
    by_key = zip(*rounds, strict=True)
    return [
        (
            [min(level) for level in zip(*map(seconds_of_levels, same), strict=True)],
            min(one["seconds"] for one in same),
        )
        for same in by_key
    ]


def best_choice(pushed, pulled, chosen):
    """Seconds of a search if each level went the faster way."""
    levels, whole = chosen
    return whole - sum(levels) + sum(map(min, pushed[0], pulled[0]))


def slower_levels(pushed, pulled, directions):
    """How many levels went the other way than the one that is faster by more than a tenth."""
    clearly = 1.1
    times = zip(pushed[0], pulled[0], directions, strict=True)
    return sum((push if way == "push" else pull) > clearly * min(push, pull) for push, pull, way in times)


def measure(arguments, scale):
    """Mean seconds by name, and levels that went the slower way of how many."""
    rounds = {policy: [] for policy in POLICIES}
    for _ in range(arguments.rounds):
        for policy in POLICIES:
            rounds[policy].append(searches(arguments, scale, policy))
    ways = [[level["direction"] for level in search["levels"]] for search in rounds["auto"][0]]
    pushed, pulled, chosen = (fastest(rounds[policy]) for policy in POLICIES)
    together = list(zip(pushed, pulled, chosen, strict=True))
    return {
        "push": statistics.mean(one[1] for one in pushed),
        "pull": statistics.mean(one[1] for one in pulled),
        "auto": statistics.mean(one[1] for one in chosen),
        "best": statistics.mean(best_choice(*one) for one in together),
        "slower": sum(map(slower_levels, pushed, pulled, ways)),
        "levels": sum(map(len, ways)),
    }


def main():
    parser = script_options(__doc__, scales="18,20,22", keys=16, rounds=3, threads=2, breadth=BREADTH)
    arguments = parser.parse_args()
    print("| scale | push only | pull only | auto | best | auto / best | levels that went the slower way |")
    print("|---|---|---|---|---|---|---|")
    for scale in map(int, arguments.scales.split(",")):
        result = measure(arguments, scale)
        cells = [f"{1e3 * result[name]:.3g}" for name in ("push", "pull", "auto", "best")]
        cells += [f"{result['auto'] / result['best']:.3f}", f"{result['slower']} of {result['levels']}"]
        print(f"| {scale} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    run_script(main)
