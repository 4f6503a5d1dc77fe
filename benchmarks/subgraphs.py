#!/usr/bin/env python3
"""Counts the edges of degree-separated subgraphs, and their memory, beside predictions and the formula of a paper.

    benchmarks/subgraphs.py [--scales 16,18] [--ranks 2,4] [--hubs 16,64,256,1024] [--breadth PROGRAM]

Prints a table in Markdown with a row for each scale, number of ranks and degree above which a vertex is a hub. It has
the number of hubs, and the shares of all entries of rows that lead from light to light vertices, from light vertices to
hubs, from hubs to light vertices and from hubs to hubs (Pan et al. 2018, fig. 5), each counted (`breadth info`) and
expected (`breadth plan`). "max / mean" is the largest number of edges from hubs on a rank, over the mean. Then follow
MiB: by the formula of the paper's table I, from counted and from expected numbers, and of the graph in memory. The
figures are the same on every machine.
"""

import json
import tempfile
from pathlib import Path

from compare import BREADTH, on_this_machine, run, run_script, script_options, several_ranks

KINDS = ("light_to_light", "light_to_hub", "hub_to_light", "hub_to_hub")
COLUMNS = ("scale", "ranks", "`--hubs`", "hubs", "light to light %", "to hub %", "hub to light %", "hub to hub %")
SIZES = ("max / mean", "table I MiB", "expected", "here MiB", "here / table I")


def row(program, graph, scale, ranks, degree):
    """The cells of one row."""
    hubs = ["--hubs", degree, "--json"]
    counted = json.loads(run(on_this_machine(ranks, [program, "info", graph, "--threads", "1", *hubs])))
    expected = json.loads(run([program, "plan", "--scale", scale, "--ranks", str(ranks), *hubs]))["hubs"]
    here = counted["graph_bytes"]
    counted = counted["hubs"]
    pair = (counted, expected)
    cells = [scale, str(ranks), degree, " / ".join(str(one["count"]) for one in pair)]
    for kind in KINDS:
        shares = (100 * one[kind] / sum(one[other] for other in KINDS) for one in pair)
        cells.append(" / ".join(f"{share:.1f}" for share in shares))
    from_hubs = counted["hub_to_light"] + counted["hub_to_hub"]
    cells.append(f"{counted['most_from_hubs_of_a_rank'] * ranks / from_hubs:.3f}" if from_hubs else "")
    tabulated = counted["tabulated_bytes"]
    cells += [f"{size / 2**20:.2f}" for size in (tabulated, expected["tabulated_bytes"], here)]
    return [*cells, f"{here / tabulated:.2f}"]


def main():
    parser = script_options(__doc__, scales="16,18", ranks="2,4", breadth=BREADTH)
    parser.add_argument("--hubs", default="16,64,256,1024", help="degrees above which a vertex is a hub")
    arguments = parser.parse_args()
    counts = several_ranks(parser, arguments.ranks)
    columns = (*COLUMNS, *SIZES)
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    for scale in arguments.scales.split(","):
        with tempfile.TemporaryDirectory() as folder:
            graph = str(Path(folder) / "graph.g500")
            run([arguments.breadth, "generate", "kronecker", "--scale", scale, "--output", graph])
            for ranks in counts:
                for degree in arguments.hubs.split(","):
                    cells = row(arguments.breadth, graph, scale, ranks, degree)
                    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    run_script(main)
