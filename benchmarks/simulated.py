#!/usr/bin/env python3
"""Counts messages and their hops on many simulated ranks, for every route.

    benchmarks/simulated.py [--ranks 512] [--topologies "fat tree,dragonfly,torus"] [--scale 15] [--edgefactor 1]
                            [--exchange bulk] [--routes "direct;local;..."] [--program PROGRAM]

The program is that of `cmake --preset simgrid`. Searches push. The figures are those of one validated search: messages,
messages between groups (long-distance), hops by Gan & Zhang 2021, equation (5), and simulated milliseconds, in which
only messages take time (tools/simulation.py). Ranks own labels in blocks of 64, so that some ranks own none if there
are fewer than 64 labels per rank. --routes takes names of the table, separated by semicolons; by default all routes are
run.
"""

import sys

from compare import ROOT, names_among, run_script, script_options

sys.path.insert(0, str(ROOT / "tools"))
from simulation import NETWORKS, PROGRAM, Failed, routes, simulate


def row(arguments, topology, ranks, route, options):
    network = NETWORKS[topology](ranks)
    words = ["graph500", "--scale", arguments.scale, "--edgefactor", arguments.edgefactor, "--keys", "1"]
    words += ["--direction", "push", "--exchange", arguments.exchange, "--group-size", str(network.group)]
    search = simulate(network, ranks, [*words, *options], program=arguments.program)["bfs"]
    distances = search["communication"]["distances"]
    inside, between = distances["inside_groups"]["messages"], distances["between_groups"]["messages"]
    milliseconds = 1e3 * search["runs"][0]["seconds"]
    return f"| {ranks} | {route} | {inside + between} | {between} | {distances['hops']['all']} | {milliseconds:.3g} |"


def main():
    parser = script_options(
        __doc__,
        ranks="512",
        topologies=",".join(NETWORKS),
        scale="15",
        edgefactor="1",
        routes="",
        program=PROGRAM,
    )
    parser.add_argument("--exchange", default="bulk", help="or asynchronous")
    arguments = parser.parse_args()
    topologies = names_among(parser, "--topologies", arguments.topologies, NETWORKS)
    options_of = routes(arguments.program)
    names = list(options_of)
    if arguments.routes:
        names = names_among(parser, "--routes", arguments.routes, options_of, separator=";")
    for topology in topologies:
        print(f"\n{topology}:\n\n| ranks | route | messages | long-distance | hops | simulated ms |\n|---{'|---' * 5}|")
        for ranks in map(int, arguments.ranks.split(",")):
            for route in names:
                print(row(arguments, topology, ranks, route, options_of[route]), flush=True)


if __name__ == "__main__":
    run_script(main, Failed)
