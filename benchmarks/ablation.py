#!/usr/bin/env python3
"""Measures what each technique is worth: switches off each one alone, then all of them, round after round.

    benchmarks/ablation.py [--scales 20] [--rounds 5] [--keys 64] [--ranks 1] [--threads 2] [--json FILE]
                           [--kernel bfs] [--only EXPRESSION] [--build NAME=PROGRAM] [--breadth PROGRAM]
                           [--graphs Kronecker,grid,uniform,tails]

Prints a table for each scale and graph, in Markdown. Graphs other than Kronecker's are those of other_graphs.py, with
whole weights from 1 to 255. Shortest paths settle them in buckets, so that their tables have other rows. Variants take
turns within a round, so that the machine is in the same state for all. GTEPS are the harmonic mean over the searches,
each with its median time over the rounds, so that a short disturbance affects only a few searches of one round. "of
default" is the ratio to the first row; "rounds" are the least and the greatest harmonic mean of a single round.
`--only` leaves out the variants whose names do not match. `--build` adds another build of the program as a variant, for
techniques that no option switches off (benchmarks/results/ablation.md explains how to build it).
"""

import contextlib
import functools
import json
import re
import statistics
import tempfile
from pathlib import Path

from compare import (
    BREADTH,
    breadth,
    describe_machine,
    names_among,
    names_matching,
    run,
    run_script,
    script_options,
)
from other_graphs import BFS, GRAPHS, SSSP, make_stored

KRONECKER = "Kronecker"
DEFAULT = "default"
PUSH_ONLY = "push only"
# Options that switch off each technique of BFS.
WITHOUT = {
    "vertices by label, not by degree": ("--order", "label"),
    "neighbours unsorted": ("--neighbours", "labels"),
    "no head": ("--columns", "0"),
    "leaves in levels": ("--leaves", "levels"),
    PUSH_ONLY: ("--direction", "push"),
    "pushes not in ranges": ("--push-ranges", "off"),
    "no mixed levels": ("--mixed-levels", "off"),
    "small levels not fused": ("--fuse-levels", "off"),
    "no adaptive levels": ("--adaptive-levels", "off"),
    "small levels by all threads": ("--small-level", "0"),
    "scalar": ("--simd", "scalar"),
    "small pages": ("--huge-pages", "off"),
}
# Options that switch off each technique of shortest paths. The first have no effect without sweeps.
PARTS_OF_SWEEPS = {
    "no ball, only the source": ("--ball", "0"),
    "all vertices in every sweep": ("--hubs-first", "off"),
}
WITHOUT_SSSP = {
    "vertices by label, and no sweeps": ("--order", "label"),
    "no sweeps, only buckets": ("--sweeps", "off"),
    **PARTS_OF_SWEEPS,
    "no columns of lightest edges": ("--weighted-columns", "0"),
    "scalar": ("--simd", "scalar"),
    "small pages": ("--huge-pages", "off"),
}
# Ways to validate. The other variants validate only the first search.
VALIDATED = {
    "validated in batches": ("--validate", "all"),
    "validated before the next search": ("--validate", "alternate"),
}
INSTEAD_SSSP = {
    **VALIDATED,
    "one column": ("--weighted-columns", "1"),
    "two columns": ("--weighted-columns", "2"),
    "three columns": ("--weighted-columns", "3"),
    "SSE4": ("--simd", "sse4"),
    "AVX2": ("--simd", "avx2"),
    **{f"ball of one in {count}": ("--ball", str(count)) for count in (64, 256, 4096, 16384)},
    **{f"buckets of {delta}": ("--delta", str(delta)) for delta in (0.01, 0.03, 0.1)},
}
# For shortest paths without sweeps. Other widths of buckets are added in techniques(), since they depend on the graph.
WITHOUT_BUCKETS = {
    "vertices by label, not by degree": ("--order", "label"),
    "no buckets, all in one": ("--delta", "1e30"),
    "small pages": ("--huge-pages", "off"),
}
INSTEAD_BUCKETS = {"buckets of one distance": ("--delta", "1")}
# The same, for the threads of one rank.
WITHOUT_BETWEEN_THREADS = {
    "a barrier after each bucket": ("--bucket-batch", "1"),
    "no bucket fusion": ("--fuse", "off"),
    "small batches by all threads": ("--small-batch", "0"),
}
INSTEAD_BETWEEN_THREADS = {f"batches of {count} buckets": ("--bucket-batch", str(count)) for count in (2, 4, 16, 64)}
# For several ranks only: shortest paths in buckets, and all shortest paths.
WITHOUT_BETWEEN_RANKS = {"other ranks' distances unknown": ("--known-distances", "off")}
BETWEEN_RANKS_SSSP = {
    "a copy of distances for each rank": ("--replicate", "allgather"),
    "hubs above 1000": ("--hubs", "1000"),
    "hubs by rule": ("--hubs", "auto"),
}
# Other values of options than the defaults, for BFS.
INSTEAD = {
    **VALIDATED,
    "one column": ("--columns", "1"),
    "three columns": ("--columns", "3"),
    "SSE4": ("--simd", "sse4"),
    "AVX2": ("--simd", "avx2"),
    "pull only": ("--direction", "pull"),
    **{f"summary of {bits}": ("--summary", str(bits)) for bits in (64, 128, 256, 512, 1024, 2048, 4096)},
    "alpha 5": ("--alpha", "5"),
    "alpha 80": ("--alpha", "80"),
    "beta 16": ("--beta", "16"),
    "beta 256": ("--beta", "256"),
    "compressed": ("--adjacency", "compressed"),
    "compressed, push only": ("--adjacency", "compressed", "--direction", "push"),
    "full scan": ("--adjacency", "full-scan"),
    "full scan, push only": ("--adjacency", "full-scan", "--direction", "push"),
    "skip list": ("--adjacency", "skip-list"),
    "skip list, push only": ("--adjacency", "skip-list", "--direction", "push"),
    "coarse index": ("--adjacency", "coarse-index"),
    "coarse index, push only": ("--adjacency", "coarse-index", "--direction", "push"),
}
ALL_BUT_DIRECTIONS_OFF = "all of these off, but both directions"
ALL_OFF = "all of these off"


@functools.cache
def listed(program):
    """The list of options that this build of the program prints."""
    return run([program, "options"])


def accepted(program, options):
    """Whether this build of the program accepts these options and values."""
    for name, value in zip(options[::2], options[1::2], strict=True):
        entry = listed(program).partition(f"\n{name} ")[2].partition("\n--")[0]
        if not entry or ("range: one of" in entry and value not in entry.partition("range: one of")[2]):
            return False
    return True


def techniques(arguments, graph, delta):
    """The options that switch off techniques, and those with other values, for a graph on which `delta` is chosen."""
    if arguments.kernel == "bfs":
        return WITHOUT, INSTEAD
    between_ranks = BETWEEN_RANKS_SSSP if arguments.ranks > 1 else {}
    if graph == KRONECKER:
        return WITHOUT_SSSP, INSTEAD_SSSP | between_ranks
    widths = {f"buckets {factor:g} times as wide": ("--delta", f"{factor * delta:g}") for factor in (0.25, 0.5, 2, 4)}
    if arguments.ranks == 1:
        return WITHOUT_BUCKETS | WITHOUT_BETWEEN_THREADS, INSTEAD_BUCKETS | widths | INSTEAD_BETWEEN_THREADS
    return WITHOUT_BUCKETS | WITHOUT_BETWEEN_RANKS, INSTEAD_BUCKETS | widths | between_ranks


def all_variants(arguments, graph, delta):
    """(program, options) of each variant except the default, by its name."""
    program = arguments.breadth
    all_without, all_instead = techniques(arguments, graph, delta)
    without = {name: options for name, options in all_without.items() if accepted(program, options)}
    none = [word for name, options in without.items() if name not in (PUSH_ONLY, *PARTS_OF_SWEEPS) for word in options]
    options_of = {**without}
    if PUSH_ONLY in without:
        options_of[ALL_BUT_DIRECTIONS_OFF] = none
    options_of[ALL_OFF] = [*none, *without.get(PUSH_ONLY, ())]
    options_of |= {name: options for name, options in all_instead.items() if accepted(program, options)}
    variants = {name: (program, options) for name, options in options_of.items()}
    for build in arguments.build:
        name, _, other = build.partition("=")
        variants[name] = (other, ())
    return variants


def chosen_variants(arguments, graph, delta):
    """The default, and the variants whose names match --only."""
    variants = all_variants(arguments, graph, delta).items()
    matching = {name: one for name, one in variants if re.search(arguments.only, name)}
    return {DEFAULT: (arguments.breadth, ())} | matching


@contextlib.contextmanager
def graph_words(arguments, graph, scale):
    """The words that give breadth this graph, and the width of buckets that it chooses for the graph on one rank."""
    if graph == KRONECKER:
        yield ("--scale", scale), None
        return
    kernel = BFS if arguments.kernel == "bfs" else SSSP
    with tempfile.TemporaryDirectory() as folder:
        file, mean_degree = make_stored(arguments.breadth, graph, scale, kernel, Path(folder))
        yield ("--input", file), 2 * kernel.average_weight / mean_degree


def harmonic_gteps(seconds, edges):
    return len(seconds) / sum(time / count for time, count in zip(seconds, edges, strict=True)) / 1e9


def measure(arguments, graph, scale):
    """The figures of each variant, by its name."""
    with graph_words(arguments, graph, scale) as (words, delta):
        variants = chosen_variants(arguments, graph, delta)
        rounds = {name: [] for name in variants}
        for _ in range(arguments.rounds):
            for name, (program, options) in variants.items():
                setup = (words, arguments.ranks, arguments.threads, arguments.keys)
                validation = () if "--validate" in options else ("--validate", "first")
                all_options = ("--kernels", arguments.kernel, *validation, *options)
                rounds[name].append(breadth(program, *setup, options=all_options, kernel=arguments.kernel))
    return {name: summary(of_name) for name, of_name in rounds.items()}


def summary(rounds):
    edges = rounds[0]["search edges"]
    median_seconds = [
        statistics.median(times) for times in zip(*(one["search seconds"] for one in rounds), strict=True)
    ]
    return {
        "GTEPS": harmonic_gteps(median_seconds, edges),
        "least": min(one["GTEPS"] for one in rounds),
        "greatest": max(one["GTEPS"] for one in rounds),
        "kernel 1 s": statistics.median(one["kernel 1 s"] for one in rounds),
        "graph MiB": rounds[0]["graph MiB"],
    }


def print_table(graph, scale, results):
    print(f"{graph}, scale {scale}:\n")
    print("| variant | GTEPS | of default | rounds | kernel 1 s | graph MiB |\n|---|---|---|---|---|---|")
    for name, values in results.items():
        share = values["GTEPS"] / results[DEFAULT]["GTEPS"]
        cells = [f"{values['GTEPS']:.3g}", f"{share:.2f}", f"{values['least']:.3g} to {values['greatest']:.3g}"]
        cells += [f"{values['kernel 1 s']:.3g}", f"{values['graph MiB']:.0f}"]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(flush=True)


def main():
    parser = script_options(__doc__, scales="20", keys=64, rounds=5, ranks=1, threads=2, breadth=BREADTH)
    parser.add_argument("--kernel", choices=("bfs", "sssp"), default="bfs", help="the searches to measure")
    parser.add_argument("--only", default="", help="a regular expression that names of variants match")
    parser.add_argument("--build", action="append", default=[], metavar="NAME=PROGRAM", help="another build to measure")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--graphs", help="Kronecker and names of other_graphs.py, separated by commas")
    arguments = parser.parse_args()
    default_graphs = [KRONECKER] if arguments.kernel == "bfs" else [KRONECKER, "grid", "uniform", "tails"]
    known = (KRONECKER, *GRAPHS)
    graphs = names_among(parser, "--graphs", arguments.graphs, known) if arguments.graphs else default_graphs
    all_names = dict.fromkeys(name for graph in graphs for name in all_variants(arguments, graph, 1))
    names_matching(parser, "--only", arguments.only, [DEFAULT, *all_names])
    machine = describe_machine()
    print(f"{machine['processor']}; {arguments.ranks} x {arguments.threads}, {arguments.keys} searches", end="")
    print(f", median of {arguments.rounds} rounds\n")
    results = {}
    for scale in map(int, arguments.scales.split(",")):
        results[scale] = {}
        for graph in graphs:
            results[scale][graph] = measure(arguments, graph, scale)
            print_table(graph, scale, results[scale][graph])
    if arguments.json:
        setup = {"rounds": arguments.rounds, "keys": arguments.keys}
        setup |= {"kernel": arguments.kernel, "ranks": arguments.ranks, "threads": arguments.threads}
        arguments.json.write_text(json.dumps({"machine": machine, **setup, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
