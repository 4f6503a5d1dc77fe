#!/usr/bin/env python3
"""Measures what the best choice of directions could gain: compares, level by level, searches that only push, searches
that only pull, and searches that choose.

    benchmarks/directions.py [--scales 18,20,22] [--keys 16] [--rounds 3] [--threads 2] [--breadth PROGRAM]

For each level of each key the fastest round counts. "best" takes the faster direction in each level, plus the time that
a search takes besides its levels: no rule that chooses between push and pull can do better. This assumes that the cost
of a level does not depend on the direction of the level before, although a push after a pull has to list the frontier
first. A level that pulls and pushes (--mixed-levels) can be faster than either, so that "auto" may be faster than
"best". Prints milliseconds of a search, as means over the keys, in Markdown, and how many levels went in a direction
that is slower by more than a tenth.
"""

import statistics

from compare import BREADTH, report_of, run_script, script_options

POLICIES = ("push", "pull", "auto")


def searches(arguments, scale, policy):
    """Runs the benchmark with a direction and returns the searches of its report."""
    words = ["graph500", "--scale", scale, "--keys", arguments.keys, "--threads", arguments.threads]
    words += ["--validate", "none", "--direction", policy]
    return report_of([arguments.breadth, *map(str, words)])["bfs"]["runs"]


def seconds_of_levels(search):
    return [sum(level["seconds"].values()) for level in search["levels"]]


def fastest(rounds):
    """For each key, the least seconds over the rounds of each level and of the whole search."""
    by_key = zip(*rounds, strict=True)
    return [
        (
            [min(level) for level in zip(*map(seconds_of_levels, same), strict=True)],
            min(one["seconds"] for one in same),
        )
        for same in by_key
    ]


def best_choice(pushed, pulled, chosen):
    """The seconds of a search if each level took the faster direction."""
    levels, whole = chosen
    return whole - sum(levels) + sum(map(min, pushed[0], pulled[0]))


def slower_levels(pushed, pulled, directions):
    """How many levels went in a direction that is slower than the other by more than a tenth."""
    clearly = 1.1
    times = zip(pushed[0], pulled[0], directions, strict=True)
    return sum((push if way == "push" else pull) > clearly * min(push, pull) for push, pull, way in times)


def measure(arguments, scale):
    """Mean seconds by policy, the number of levels in the slower direction, and the number of all levels."""
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
    print("| scale | push only | pull only | auto | best | auto / best | levels in the slower direction |")
    print("|---|---|---|---|---|---|---|")
    for scale in map(int, arguments.scales.split(",")):
        result = measure(arguments, scale)
        cells = [f"{1e3 * result[name]:.3g}" for name in ("push", "pull", "auto", "best")]
        cells += [f"{result['auto'] / result['best']:.3f}", f"{result['slower']} of {result['levels']}"]
        print(f"| {scale} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    run_script(main)
