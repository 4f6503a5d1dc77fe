#!/usr/bin/env python3
"""Measures shortest paths (kernel 3) of breadth and of other programs in turn, and prints one table.

    benchmarks/shortest_paths.py [--scales 18,20,22] [--rounds 3] [--keys 64] [--gap-sssp PATH/sssp]
                                 [--reference-sssp PATH/graph500_reference_bfs_sssp]
                                 [--riken-sssp PATH/sssp-parallel] [--json FILE]

As in compare.py for BFS, the figures are medians over rounds of harmonic means, in GTEPS; the first tree is validated.
GAP's sssp has a graph, weights and sources of its own (`-g`, integers from 1 to 255, delta 2) and finds distances, but
no parents; breadth's count of edges is divided by its seconds. The environment can give the paths of the other
programs, too: GAP_SSSP, GRAPH500_SSSP and RIKEN_SSSP. RIKEN's Graph500-SSSP searches from as many keys as it was built
for, with the better of two deltas, its own and that of its authors' runs; it gets no time to shrink the graph
beforehand. The reference always searches from 64 keys, here without validation, and is run at scales up to
--reference-scale. other_graphs.py --kernel sssp measures graphs other than Kronecker's.
"""

import os
import re
import sys
from pathlib import Path

import compare
from compare import ONE_RANK, TWO_RANKS, breadth, if_it_succeeds, medians, run

GAP = "GAP sssp, 2 threads"
REFERENCE = "Graph500 reference, 2 ranks"
RIKEN = "RIKEN Graph500-SSSP, 1 x 2"


def ours(program, scale, ranks, keys):
    options = ("--kernels", "sssp", "--validate", "first")
    return breadth(program, ("--scale", scale), ranks, 2 // ranks, keys, options=options, kernel="sssp")


def gap(program, scale, keys, nedge):
    result = compare.gap(program, ("-g", scale, "-d", 2), 2, keys)
    return {**result, "GTEPS": nedge / result["seconds"] / 1e9}


def reference(program, scale):
    only_searches = ["env", "SKIP_BFS=1", "SKIP_VALIDATION=1"]
    command = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", "2", *only_searches, program, str(scale)]
    found = re.search(r"sssp harmonic_mean_TEPS:\s+!?\s*([\d.e+-]+)", run(command))
    return {"GTEPS": float(found.group(1)) / 1e9}


def riken(program, scale):
    command = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", "1", program, str(scale)]
    rates = []
    for delta in ("0.02", "0.001"):
        environment = {**compare.MPI_ENVIRONMENT, "OMP_NUM_THREADS": "2", "PRESOL_SECONDS": "0", "DELTA_STEP": delta}
        found = re.search(r"harmonic_mean_TEPS:\s+!?\s*([\d.e+-]+)", run(command, environment))
        rates.append(float(found.group(1)) / 1e9)
    return {"GTEPS": max(rates)}


def contenders(arguments, scale, keys):
    """(name, measure) of every program. measure takes breadth's count of edges, or None if it is not known yet."""
    all_of_them = [
        (ONE_RANK, lambda _: ours(arguments.breadth, scale, 1, keys)),
        (TWO_RANKS, lambda _: ours(arguments.breadth, scale, 2, keys)),
    ]
    if arguments.gap_sssp:
        few = min(keys, 8)  # GAP's searches take long
        all_of_them.append((GAP, lambda nedge: gap(arguments.gap_sssp, scale, few, nedge)))
    if arguments.reference_sssp and scale <= arguments.reference_scale:
        all_of_them.append((REFERENCE, lambda _: reference(arguments.reference_sssp, scale)))
    if arguments.riken_sssp:
        all_of_them.append((RIKEN, lambda _: riken(arguments.riken_sssp, scale)))
    return all_of_them


def measure(arguments, scale, keys):
    """The medians of each program, by its name. Raises Failed if breadth itself fails."""
    rounds = {}
    nedge = None
    for _ in range(arguments.rounds):
        for name, once in contenders(arguments, scale, keys):
            of_breadth = name in (ONE_RANK, TWO_RANKS)
            result = once(nedge) if of_breadth else if_it_succeeds(f"scale {scale}: {name}", once, nedge)
            if result is None:
                continue
            print(f"shortest paths, scale {scale}: {name}: {result['GTEPS']:.3g} GTEPS", file=sys.stderr, flush=True)
            nedge = nedge or result.get("nedge")
            rounds.setdefault(name, []).append(result)
    return {name: medians(of_name) for name, of_name in rounds.items()}


def rows_of_goals(results):
    """The rows (what, value, must, goal, unit) that have a value, for bench.py."""
    rows = []
    for scale, of_scale in results.items():
        rates = {name: values["GTEPS"] for name, values in of_scale.items()}
        over_gap = rates[ONE_RANK] / rates[GAP] if GAP in rates else None
        over_riken = rates[ONE_RANK] / rates[RIKEN] if RIKEN in rates else None
        over_reference = rates[TWO_RANKS] / rates[REFERENCE] if REFERENCE in rates else None
        rows.append((f"shortest paths, scale {scale}: GTEPS", rates[ONE_RANK], None, None, ""))
        rows.append((f"shortest paths, scale {scale}: GTEPS, 2 ranks x 1 thread", rates[TWO_RANKS], None, None, ""))
        rows.append((f"shortest paths, scale {scale}: GTEPS over GAP's sssp", over_gap, 8, 20, " x"))
        rows.append((f"shortest paths, scale {scale}: GTEPS over RIKEN's", over_riken, 8, 20, " x"))
        rows.append((f"shortest paths, scale {scale}, 2 ranks: over the reference", over_reference, 40, None, " x"))
    return [row for row in rows if row[1] is not None]


def add_peer_options(parser):
    """Adds options for the paths of the peers that find shortest paths."""
    environment = os.environ
    parser.add_argument("--gap-sssp", default=environment.get("GAP_SSSP"), help="the sssp of the GAP benchmark suite")
    parser.add_argument(
        "--reference-sssp", default=environment.get("GRAPH500_SSSP"), help="graph500_reference_bfs_sssp"
    )
    parser.add_argument(
        "--riken-sssp", default=environment.get("RIKEN_SSSP"), help="sssp-parallel of RIKEN's Graph500-SSSP"
    )
    parser.add_argument("--reference-scale", type=int, default=18, help="the largest scale of the reference")


def main():
    parser = compare.script_options(__doc__, scales="18,20,22", keys=64, rounds=3, breadth=compare.BREADTH)
    add_peer_options(parser)
    parser.add_argument("--json", type=Path, help="write all medians to this file")
    compare.report(parser.parse_args(), measure, "shortest_paths.py")


if __name__ == "__main__":
    main()
