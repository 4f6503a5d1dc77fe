#!/usr/bin/env python3
"""Measures searches on the GPU of this machine against the goals, and writes a table and JSON.

    benchmarks/gpu.py [--scales 20,21,22,23,24,25,26,27,28] [--streamed 26,29] [--sssp-up-to 26] [--keys 64]
                      [--validate all|first] [--sweep-scales 20,23] [--ranks 2,4] [--rank-scales 20,23,26]
                      [--transports staged,direct] [--json gpu.json] [--control persistent|host] [--breadth PROGRAM]

Builds nothing. A scale that does not fit into the memory of the GPU or of the machine is left out, with the program's
message. At the scales of --streamed, the host keeps the edge list in its memory, and the GPU reads it in blocks. The
JSON is written again after each scale, so that an interrupted run leaves its figures. The road network is the grid of
`breadth generate`, 2^22 vertices with labels in order; the time of a level is the time of a search divided by its
levels. At the scales of --sweep-scales shortest paths are found with sweeps and without. Several ranks share the one
GPU, so that their figures show the cost of a distributed graph and its queries, not the gain of more GPUs. The host
leads these searches, whatever --control says, and processors build their graph, with --hubs auto.

Without a GPU the script says so and exits with 1. `--device simulated` tries the script without a GPU, at small scales.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from compare import BREADTH, Failed, breadth, describe_machine, run, script_options

# (what, unit, must, goal, whether more is better, (scale, figure) or None for the road network)
GOALS = (
    ("BFS, scale 26", "GTEPS", 300, 1000, True, (26, "GTEPS")),
    ("BFS, scale 28", "GTEPS", 300, 1200, True, (28, "GTEPS")),
    ("kernel 1, scale 26", "s", 1, 0.3, False, (26, "kernel 1 s")),
    ("validation of a search, scale 26", "s", 0.2, 0.04, False, (26, "validation s")),
    ("SSSP, scale 26", "GTEPS", 20, 100, True, (26, "SSSP GTEPS")),
    ("a level of a road network", "us", 10, 4, False, None),
)
ROAD_SCALE = 22


def last_line(error):
    """The last line of a failed program's message."""
    return str(error).strip().splitlines()[-1]


def options_of(arguments):
    return ["--device", arguments.device, "--device-control", arguments.control, "--validate", arguments.validate]


def gpu_name(arguments):
    """The name of the GPU. Raises Failed with the reason if there is none."""
    plan = json.loads(run([arguments.breadth, "plan", "--scale", "1", "--device", arguments.device, "--json"]))
    if arguments.device != "gpu":
        return plan["device"]
    if plan["device_name"] is None:
        raise Failed(plan["device_missing"])
    return plan["device_name"]


def measure_scale(arguments, scale):
    """The figures of a scale, or why it is left out. Shortest paths have a run of their own, with fewer keys."""
    try:
        setup = (("--scale", scale), 1, os.cpu_count())
        result = breadth(arguments.breadth, *setup, arguments.keys, options=options_of(arguments))
        if scale <= arguments.sssp_up_to:
            options = [*options_of(arguments), "--kernels", "sssp"]
            paths = breadth(arguments.breadth, *setup, min(arguments.keys, 8), options=options, kernel="sssp")
            result["SSSP GTEPS"] = paths["GTEPS"]
            result["SSSP validation s"] = paths["validation s"]
        return result
    except Failed as error:
        return {"left out": last_line(error)}


def measure_sweeps(arguments, scale, sweeps):
    """Shortest paths with sweeps "on" or "off". The figures include the edges examined for each edge of the graph."""
    options = [*options_of(arguments), "--kernels", "sssp", "--sweeps", sweeps]
    try:
        setup = (("--scale", scale), 1, os.cpu_count(), min(arguments.keys, 8))
        result = breadth(arguments.breadth, *setup, options=options, kernel="sssp")
    except Failed as error:
        return {"left out": last_line(error)}
    result["examined an edge"] = sum(result["search examined"]) / sum(result["search edges"])
    result["levels a search"] = sum(result["levels"]) / len(result["levels"])
    return result


def measure_streamed(arguments, scale):
    """The figures of breadth-first searches of a graph whose edge list the host keeps, or why they are left out."""
    options = [*options_of(arguments), "--device-edges", "streamed"]
    try:
        return breadth(
            arguments.breadth, ("--scale", scale), 1, os.cpu_count(), min(arguments.keys, 16), options=options
        )
    except Failed as error:
        return {"left out": last_line(error)}


def measure_ranks(arguments, ranks, scale, transport, kernel):
    """The figures of several ranks that share the GPU, with the bytes that a search sends, or why they are left out."""
    options = ["--device", arguments.device, "--hubs", "auto", "--validate", "first", "--device-transport", transport]
    try:
        threads = max(1, os.cpu_count() // ranks)
        setup = (("--scale", scale), ranks, threads, min(arguments.keys, 16 if kernel == "bfs" else 8))
        result = breadth(arguments.breadth, *setup, options=[*options, "--kernels", kernel], kernel=kernel)
    except Failed as error:
        return {"left out": last_line(error)}
    result["MB a search"] = sum(result["search bytes"]) / len(result["search bytes"]) / 1e6
    return result


def measure_road(arguments, scale):
    """The microseconds of a level in a grid of 2^scale vertices, as the mean over all searches."""
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "grid.txt"
        try:
            run([arguments.breadth, "generate", "grid", "--scale", str(scale), "--output", graph])
            setup = (("--input", graph), 1, os.cpu_count(), min(arguments.keys, 16))
            result = breadth(arguments.breadth, *setup, options=options_of(arguments))
        except Failed as error:
            return {"left out": last_line(error)}
    return {"us": 1e6 * sum(result["search seconds"]) / sum(result["levels"]), "levels": result["levels"]}


def show(name, result):
    """Prints one line on standard error as soon as a result is measured. The tables are printed at the end."""
    figures = {key: result[key] for key in ("GTEPS", "seconds", "us", "left out") if key in result}
    print(f"{name}: {figures}", file=sys.stderr, flush=True)


def print_scales(scales):
    columns = ("GTEPS", "seconds", "kernel 1 s", "validation s", "SSSP GTEPS", "SSSP validation s")
    headings = ("scale", "GTEPS", "s per search", *columns[2:], "GiB of the GPU")
    print("| " + " | ".join(headings) + " |\n" + "|---" * len(headings) + "|")
    for scale, result in scales.items():
        if "left out" in result:
            print(f"| {scale} | left out: {result['left out']} | | | | | | |")
            continue
        cells = [f"{result[column]:.3g}" if column in result else "" for column in columns] + [
            f"{result['device']['bytes'] / 2**30:.3g}"
        ]
        print(f"| {scale} | " + " | ".join(cells) + " |")


def print_sweeps(measured):
    print("\n| scale | sweeps | GTEPS | edges examined / edges | levels and sweeps per search |\n|---|---|---|---|---|")
    for name, result in measured.items():
        scale, sweeps = name.split()
        if "left out" in result:
            print(f"| {scale} | {sweeps} | left out: {result['left out']} | | |")
            continue
        cells = [f"{result[column]:.3g}" for column in ("GTEPS", "examined an edge", "levels a search")]
        print(f"| {scale} | {sweeps} | " + " | ".join(cells) + " |")


def print_ranks(measured):
    print(
        "\n| ranks on the GPU | scale | kernel | transport | GTEPS | s per search | MB between ranks | GiB of the GPU |"
    )
    print("|---" * 8 + "|")
    for name, result in measured.items():
        ranks, _, scale, transport, kernel = name.split()
        if "left out" in result:
            print(f"| {ranks} | {scale} | {kernel} | {transport} | left out: {result['left out']} | | | |")
            continue
        cells = [f"{result[column]:.3g}" for column in ("GTEPS", "seconds", "MB a search")]
        print(
            f"| {ranks} | {scale} | {kernel} | {transport} | "
            + " | ".join(cells)
            + f" | {result['device']['bytes'] / 2**30:.3g} |"
        )


def numbers(text):
    """The numbers of a list with commas, which may be empty."""
    return [int(word) for word in text.split(",") if word]


def verdict(value, must, goal, more):
    if value is None:
        return "not measured"
    reaches = (lambda bound: value >= bound) if more else (lambda bound: value <= bound)
    return "goal reached" if reaches(goal) else "must reached" if reaches(must) else "missed"


def print_goals(scales, road):
    print("\n| | must | goal | measured | |\n|---|---|---|---|---|")
    for what, unit, must, goal, more, place in GOALS:
        value = scales.get(place[0], {}).get(place[1]) if place else road.get("us")
        measured = "" if value is None else f"{value:.3g} {unit}"
        print(f"| {what} | {must} {unit} | {goal} {unit} | {measured} | {verdict(value, must, goal, more)} |")


def main():
    parser = script_options(
        __doc__, scales=",".join(map(str, range(20, 29))), road_scale=ROAD_SCALE, keys=64, breadth=BREADTH
    )
    parser.add_argument("--sssp-up-to", type=int, default=26, help="the largest scale with shortest paths")
    parser.add_argument("--streamed", default="26,29", help="scales whose edge list the host keeps")
    parser.add_argument("--sweep-scales", default="20,23", help="scales with paths by sweeps and without sweeps")
    parser.add_argument("--ranks", default="2,4", help="numbers of ranks that share the GPU")
    parser.add_argument("--rank-scales", default="20,23,26", help="scales at which --ranks are measured")
    parser.add_argument("--transports", default="staged,direct", help="how devices send each other vertices")
    parser.add_argument("--validate", choices=("all", "first", "none"), default="all")
    parser.add_argument("--device", choices=("gpu", "simulated"), default="gpu")
    parser.add_argument("--control", choices=("persistent", "host"), default="persistent")
    parser.add_argument("--json", type=Path, default=Path("gpu.json"))
    arguments = parser.parse_args()
    try:
        machine = {**describe_machine(), "gpu": gpu_name(arguments), "keys": arguments.keys}
    except Failed as error:
        sys.exit(f"gpu.py: there is no GPU to measure: {last_line(error)}")
    print(f"{machine['gpu']}; {machine['processor']}, {machine['cores']} cores; {arguments.keys} keys\n", flush=True)
    result = {"machine": machine, "road": measure_road(arguments, arguments.road_scale), "scales": {}, "sweeps": {}}
    result["ranks"] = {}
    for scale in numbers(arguments.scales):
        result["scales"][scale] = measure_scale(arguments, scale)
        show(f"scale {scale}", result["scales"][scale])
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    for scale in numbers(arguments.streamed):
        result["scales"][f"{scale} streamed"] = measure_streamed(arguments, scale)
        show(f"scale {scale} streamed", result["scales"][f"{scale} streamed"])
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    for scale in numbers(arguments.sweep_scales):
        for sweeps in ("on", "off"):
            result["sweeps"][f"{scale} {sweeps}"] = measure_sweeps(arguments, scale, sweeps)
            show(f"scale {scale}, sweeps {sweeps}", result["sweeps"][f"{scale} {sweeps}"])
            arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    for ranks in numbers(arguments.ranks):
        for scale in numbers(arguments.rank_scales):
            for transport in arguments.transports.split(","):
                for kernel in ("bfs", "sssp") if scale <= arguments.sssp_up_to else ("bfs",):
                    name = f"{ranks} at {scale} {transport} {kernel}"
                    result["ranks"][name] = measure_ranks(arguments, ranks, scale, transport, kernel)
                    show(f"ranks {name}", result["ranks"][name])
                    arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    print_scales(result["scales"])
    print_sweeps(result["sweeps"])
    print_ranks(result["ranks"])
    print_goals(result["scales"], result["road"])


if __name__ == "__main__":
    main()
