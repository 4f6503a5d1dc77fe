#!/usr/bin/env python3
"""Measures which vertices should be hubs: searches with hubs above several degrees, and what ranks send in them.

    benchmarks/hubs.py [--scales 18,20,22] [--ranks 2,4] [--hubs none,16,32,64,128,256,512,1024,pan,auto]
                       [--subgraphs together,apart] [--light-parents with] [--rounds 5] [--keys 16] [--threads 1]
                       [--kernel bfs|sssp] [--sweeps on|off] [--options WORDS] [--breadth PROGRAM]

Prints a table for each scale and number of ranks, in Markdown. Variants take turns within a round. GTEPS are the
harmonic mean over the searches, each with its median time over the rounds; "rounds" are the least and the greatest
harmonic mean of a single round. KiB are those of all ranks in an average search: in levels, for leaves, and to settle
the parents of hubs and, with --light-parents end, of light vertices. "light" has the number of light vertices whose
parents were settled, the questions about them and their KiB. Bytes are the same in every round, whatever else the
machine does. Only those of shortest paths vary a little, because ranks see what others have found so far. Shortest
paths have no subgraphs; their tables have messages and million edges examined of an average search beside the KiB.
"""

import statistics

from ablation import harmonic_gteps
from compare import BREADTH, breadth, describe_machine, names_among, run_script, script_options


def variants(arguments):
    """Yields (--hubs, further options for hubs) of each variant. Without hubs there is only one subgraph."""
    for hubs in arguments.hubs.split(","):
        if hubs == "none" or arguments.kernel == "sssp":
            yield hubs, ()
            continue
        for way in arguments.subgraphs.split(","):
            for when in arguments.light_parents.split(",") if way == "apart" else [None]:
                yield hubs, ("--subgraphs", way, *(("--light-parents", when) if when else ()))


def measure(arguments, scale, ranks):
    """The results of each variant's rounds."""
    rounds = {variant: [] for variant in variants(arguments)}
    for _ in range(arguments.rounds):
        for (hubs, of_hubs), of_variant in rounds.items():
            options = ["--kernels", arguments.kernel, "--validate", "first", "--hubs", hubs, *of_hubs]
            of_kernel = {"bfs": ["--preset", "auto", "--calibrate", "0"], "sssp": ["--sweeps", arguments.sweeps]}
            options += [*of_kernel[arguments.kernel], *arguments.options.split()]
            setup = (("--scale", scale), ranks, arguments.threads, arguments.keys)
            of_variant.append(breadth(arguments.breadth, *setup, options=options, kernel=arguments.kernel))
    return rounds


def settled_lights(searches):
    """The light vertices whose parents were settled at the end of an average search, their questions and their KiB."""
    if not searches[0]:
        return ""
    vertices, questions, size = (
        statistics.mean(one[kind] for one in searches) for kind in ("vertices", "questions", "bytes")
    )
    return f"{vertices:.0f}, {questions:.0f}, {size / 1024:.1f}"


def row(kernel, hubs, of_hubs, rounds):
    """The cells of a variant, by column."""
    seconds = [statistics.median(times) for times in zip(*(one["search seconds"] for one in rounds), strict=True)]
    least, greatest = (choose(one["GTEPS"] for one in rounds) for choose in (min, max))
    first = rounds[0]
    cells = {"`--hubs`": hubs}
    if kernel == "bfs":
        cells["subgraphs"] = ", ".join(of_hubs[1::2])
    cells["hubs"] = first["hubs"]
    cells["GTEPS"] = f"{harmonic_gteps(seconds, first['search edges']):.3g}"
    cells["rounds"] = f"{least:.3g} to {greatest:.3g}"
    cells["KiB per search"] = f"{statistics.mean(first['search bytes']) / 1024:.1f}"
    if kernel == "bfs":
        cells["light"] = settled_lights(first["settled lights"])
    else:
        cells["messages"] = f"{statistics.mean(first['search messages']):.4g}"
        cells["million edges"] = f"{statistics.mean(first['search examined']) / 1e6:.3g}"
    return cells | {"graph MiB": f"{first['graph MiB']:.0f}"}


def main():
    parser = script_options(
        __doc__,
        scales="18,20,22",
        ranks="2,4",
        hubs="none,16,32,64,128,256,512,1024,pan,auto",
        subgraphs="together,apart",
        rounds=5,
        keys=16,
        threads=1,
        breadth=BREADTH,
    )
    parser.add_argument("--kernel", choices=("bfs", "sssp"), default="bfs", help="the searches to measure")
    parser.add_argument("--sweeps", choices=("on", "off"), default="on", help="sweeps of shortest paths")
    parser.add_argument("--light-parents", default="with", help="for subgraphs apart: with, end")
    parser.add_argument("--options", default="", help="further options of each run, in one word")
    arguments = parser.parse_args()
    names_among(parser, "--subgraphs", arguments.subgraphs, ("together", "apart"))
    names_among(parser, "--light-parents", arguments.light_parents, ("with", "end"))
    print(f"{describe_machine()['processor']}; {arguments.threads} threads per rank, ", end="")
    print(", ".join(filter(None, [f"{arguments.keys} searches, {arguments.rounds} rounds", arguments.options])) + "\n")
    for scale in map(int, arguments.scales.split(",")):
        for ranks in map(int, arguments.ranks.split(",")):
            print(f"Scale {scale}, {ranks} ranks:\n")
            found = measure(arguments, scale, ranks)
            rows = [row(arguments.kernel, hubs, of_hubs, rounds) for (hubs, of_hubs), rounds in found.items()]
            print("| " + " | ".join(rows[0]) + " |\n" + "|---" * len(rows[0]) + "|")
            for cells in rows:
                print("| " + " | ".join(map(str, cells.values())) + " |")
            print(flush=True)


if __name__ == "__main__":
    run_script(main)
