#!/usr/bin/env python3
"""Runs the whole suite and prints the table of goals: which of them this machine reaches, beside other programs.

    benchmarks/bench.py [--scales 18,20,22,24] [--rounds 1] [--keys 64] [--largest 26] [--json FILE]
                        [--gap PATH/bfs] [--gap-by-degree PATH/bfs] [--riken PATH] [--reference PATH]
                        [--sssp-scales 18,20,22] [--gap-sssp PATH/sssp] [--reference-sssp PATH] [--riken-sssp PATH]

The table has a row for each figure. "must" is the least value that is good enough, "goal" the value that is aimed at,
and "reached" says which of the two this machine reaches, or no.

Goals that compare with another program (a peer) are not measured without it. From scale 23 on there are 16 searches
instead of 64, unless --keys is given, because each search is validated, which takes longer than everything else. The
largest graph is run only if --largest gives its scale: from an edge list in a file (12.9 GB at scale 26, in TMPDIR),
for a quarter of an hour or more. The last line says which scale fits into memory by `breadth plan`. The head of
compare.py explains the figures and ratios.
"""

import json
import sys
import tempfile
from pathlib import Path

import compare
import other_graphs
import shortest_paths
from compare import GAP, ONE_RANK, TWO_RANKS, Failed
from other_graphs import GRAPHS

MEMORY_GIB = 24  # the most that the largest graph may take


def keys_for(arguments, scale):
    large = 23
    few = 16
    return arguments.keys or (64 if scale < large else few)


def ratio_to(results, names):
    """breadth's rate over the best rate of the named programs; None if none of them was measured."""
    rates = [values["GTEPS"] for name, values in results.items() if name in names]
    return results[ONE_RANK]["GTEPS"] / max(rates) if rates else None


def run_largest(arguments):
    """Runs generation, kernel 1 and 64 validated searches at the scale of --largest, and returns this scale."""
    with tempfile.TemporaryDirectory() as folder:
        edges = Path(folder) / "edges.g500"
        words = ["generate", "kronecker", "--scale", str(arguments.largest), "--output", str(edges)]
        compare.run([arguments.breadth, *words])
        compare.breadth(arguments.breadth, ("--input", edges), 1, 2, 64)
    return arguments.largest


def planned_largest(program):
    """The largest scale that fits into memory by `breadth plan`, with its edge list in a file."""
    scale = 20
    while True:
        words = ["plan", "--scale", str(scale + 1), "--edge-list", "file", "--threads", "2", "--json"]
        if json.loads(compare.run([program, *words]))["peak_bytes"] > MEMORY_GIB * 2**30:
            return scale
        scale += 1


def rows_of_goals(results, graphs, weighted, largest):
    """The rows (what, value or None, must, goal, unit). In all rows more is better."""
    rows = []
    for scale, of_scale in results.items():
        peers = [name for name in of_scale if name not in (ONE_RANK, TWO_RANKS)]
        rows.append((f"scale {scale}: GTEPS", of_scale[ONE_RANK]["GTEPS"], None, None, ""))
        rows.append((f"scale {scale}: GTEPS over GAP's bfs", ratio_to(of_scale, [GAP]), 8, 14, " x"))
        rows.append((f"scale {scale}: GTEPS over the best peer's", ratio_to(of_scale, peers), 3, 5, " x"))
        if TWO_RANKS in of_scale:
            share = of_scale[TWO_RANKS]["GTEPS"] / of_scale[ONE_RANK]["GTEPS"]
            rows.append((f"scale {scale}: 2 ranks x 1 thread over 1 x 2", share, 0.7, 0.9, " x"))
        if scale == 22:  # these goals are only for this scale
            floor, seconds = of_scale[ONE_RANK]["floor %"], of_scale[ONE_RANK]["kernel 1 s"]
            rows.append(("scale 22: share of the memory floor", floor, 15, 40, " %"))
            rows.append(("scale 22: kernel 1, million edges per second", 16 * 2**scale / seconds / 1e6, 25, 60, ""))
    rows.append((f"largest Kronecker graph in {MEMORY_GIB} GiB, scale", largest, 26, 27, ""))
    for name, (ours, theirs) in graphs.items():
        rows.append((f"{name}: GAP's time over breadth's", theirs / ours if theirs else None, 1, 3, " x"))
    for name, (ours, theirs) in weighted.items():
        share = theirs / ours if theirs else None
        rows.append((f"shortest paths, {name}: GAP's time over breadth's", share, 1, None, " x"))
    return rows


def verdict(value, must, goal):
    if value is None or must is None:
        return "" if must is None else "not measured"
    if goal is not None and value >= goal:
        return "goal"
    return "must" if value >= must else "no"


def print_goals(rows):
    print("\n| figure | here | must | goal | reached |\n|---|---|---|---|---|")
    for what, value, must, goal, unit in rows:
        cells = [f"{number:.3g}{unit}" if number is not None else "" for number in (value, must, goal)]
        print(f"| {what} | " + " | ".join(cells) + f" | {verdict(value, must, goal)} |")


def measure_all(arguments):
    """Results of BFS and of shortest paths by scale, (our, their) milliseconds of BFS and of shortest paths by other
    graph, and the largest scale."""
    scales = [int(scale) for scale in arguments.scales.split(",")]
    results = {scale: compare.measure(arguments, scale, keys_for(arguments, scale)) for scale in scales}
    paths = {
        int(scale): shortest_paths.measure(arguments, int(scale), keys_for(arguments, int(scale)))
        for scale in filter(None, arguments.sssp_scales.split(","))
    }
    searches = 16
    graphs, weighted = (
        {name: other_graphs.measure(arguments, name, arguments.other_scale, searches, kernel) for name in GRAPHS}
        for kernel in (other_graphs.BFS, other_graphs.SSSP)
    )
    return results, paths, graphs, weighted, run_largest(arguments) if arguments.largest else None


def main():
    parser = compare.script_options(__doc__, scales="18,20,22,24", rounds=1)
    parser.add_argument("--keys", type=int, help="searches at every scale")
    parser.add_argument("--other-scale", type=int, default=20, help="scale of graphs other than Kronecker's")
    parser.add_argument("--sssp-scales", default="18,20,22", help="scales of shortest paths")
    parser.add_argument("--largest", type=int, help="run this scale as the largest graph")
    parser.add_argument("--json", type=Path, default=compare.ROOT / "build/bench.json", help="write all figures there")
    compare.add_program_options(parser)
    shortest_paths.add_peer_options(parser)
    arguments = parser.parse_args()
    try:
        plan = planned_largest(arguments.breadth)
        if arguments.largest and arguments.largest > plan:
            parser.error(f"--largest {arguments.largest}: by `breadth plan` it takes more than {MEMORY_GIB} GiB")
        results, paths, graphs, weighted, largest = measure_all(arguments)
    except Failed as error:
        sys.exit(f"bench.py: {error}")
    machine = {**compare.describe_machine(), "rounds": arguments.rounds}
    print(f"{machine['processor']}, {machine['cores']} cores; median of {arguments.rounds} rounds\n")
    compare.print_table(results)
    print("\nShortest paths:\n")
    compare.print_table(paths)
    print()
    other_graphs.print_table(graphs)
    print()
    other_graphs.print_table(weighted, other_graphs.SSSP)
    rows = [*rows_of_goals(results, graphs, weighted, largest), *shortest_paths.rows_of_goals(paths)]
    print_goals(rows)
    print(f"\nBy `breadth plan` a graph of scale {plan} fits {MEMORY_GIB} GiB, its edge list in a file.")
    goals = [
        {"what": what, "value": value, "must": must, "goal": goal, "reached": verdict(value, must, goal)}
        for what, value, must, goal, _ in rows
    ]
    milliseconds, sssp_milliseconds = (
        {name: {"breadth": ours, "gap": theirs} for name, (ours, theirs) in of_kernel.items()}
        for of_kernel in (graphs, weighted)
    )
    keys = {scale: keys_for(arguments, scale) for scale in results}
    report = {"machine": machine, "keys": keys, "results": results, "sssp": paths}
    report |= {"milliseconds": milliseconds, "sssp_milliseconds": sssp_milliseconds}
    report |= {"goals": goals, "planned_largest_scale": plan}
    arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"All figures are in {arguments.json}.")


if __name__ == "__main__":
    main()
