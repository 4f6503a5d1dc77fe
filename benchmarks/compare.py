#!/usr/bin/env python3
"""Measures BFS of breadth and of other programs in turn, and prints one table.

    benchmarks/compare.py --scales 18,20,22 [--gap PATH/bfs] [--gap-by-degree PATH/bfs] [--riken PATH/runnable]
                          [--reference PATH/graph500_reference_bfs] [--json FILE]

The environment can give the paths of the other programs (peers), too: GAP_BFS, GAP_BFS_BY_DEGREE, RIKEN_BFS and
GRAPH500_BFS. A peer that fails is left out of the table, with a message on standard error.

All programs run in turn, round after round, so that the machine is in the same state for all. The table has the median
of each program's rounds. The result of a round is the harmonic mean over its 64 searches, in GTEPS.

breadth and the reference count the edges that the specification counts, on the specification's graph. GAP (its `-g`
option) makes a Kronecker graph of the same size from its own random numbers and prints seconds; breadth's count of
edges is divided by them. GAP keeps 32-bit parents of its own numbering and, like breadth, clears nothing beforehand.
Its first search is left out. GAP's graph relabelled by degree is not strict, because its parents are the new labels.

The memory floor of a search is the least work of any strict search: it writes 4 bytes for every label, its parent, and
reads 4 bytes for every vertex reached, one neighbour, at the rates at which the machine writes and reads memory in
order, measured in the same round by build/release/benchmarks/stream, which `cmake --build --preset release --target
breadth_stream` builds.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BREADTH = str(ROOT / "build/release/bin/breadth")
LAUNCHER = "mpiexec --oversubscribe --bind-to none -n"
MPI_ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


class Failed(Exception):
    """A program did not succeed, or its output has no figures. `reason` is the program's own message, if it has one."""

    def __init__(self, message, reason=None):
        super().__init__(message)
        self.reason = reason or message


class TooSlow(Failed):
    """A program was ended because it took longer than its limit."""


TIMED_OUT = 124  # the status of `timeout` after it has ended its command


def last_line(errors):
    """The last line of a program's standard error, without the text that mpiexec adds below a line of dashes."""
    own = re.split(r"^[-=]{40,}$", errors, maxsplit=1, flags=re.MULTILINE)[0]
    return (own.strip() or errors.strip()).rpartition("\n")[2]


def run(command, environment=None, *, limit=None):
    """Returns a command's standard output. Raises Failed if it fails, TooSlow if it takes more than `limit` seconds."""
    if limit:
        command = ["timeout", str(limit), *command]
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=environment or MPI_ENVIRONMENT)
    except OSError as error:
        raise Failed(f"{command[0]}: {error}") from error
    if limit and result.returncode == TIMED_OUT:
        raise TooSlow(f"not finished within {limit:g} s")
    if result.returncode != 0:
        reason = last_line(result.stderr)
        raise Failed(f"{' '.join(map(str, command))} failed: {reason or result.returncode}", reason)
    return result.stdout


def if_it_succeeds(name, measure, *arguments):
    """Returns measure(*arguments), or None, with a message, if the program fails or prints no figures."""
    try:
        return measure(*arguments)
    except (Failed, AttributeError, KeyError, IndexError) as error:  # a pattern that matches nothing
        print(f"{name} is left out: {error}", file=sys.stderr, flush=True)
        return None


def pull_traffic(search):
    """The bytes that the pulls of a search sent inside nodes, and between nodes."""
    pulls = [level for level in search["levels"] if level["direction"] == "pull"] + [search["leaves"]]
    between = sum(level.get("bytes_between_nodes") or 0 for level in pulls)
    return sum(level["bytes"] for level in pulls) - between, between


def search_bytes(search):
    """The bytes that all ranks sent in a search: in its levels, for its leaves and to settle the remaining parents."""
    settled = [search[kind] for kind in ("settled_hubs", "settled_lights") if kind in search]
    return sum(part["bytes"] for part in [*search["levels"], search["leaves"], *settled])


def on_this_machine(ranks, command):
    """The command that runs a command on `ranks` ranks of this machine."""
    return ["mpiexec", "--oversubscribe", "-n", str(ranks), *command] if ranks > 1 else command


def report_of(command, *, limit=None):
    """Runs a command that ends with the words of `breadth graph500`, and returns the report that it writes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        run([*command, "--json", str(report)], limit=limit)
        return json.loads(report.read_text())


def breadth(program, graph, ranks, threads, keys, *, options=(), kernel="bfs", launch=on_this_machine, limit=None):
    """Runs the benchmark once, on ("--scale", 20) or ("--input", file), and returns figures of its report by name."""
    command = [program, "graph500", *map(str, graph), "--keys", str(keys), "--threads", str(threads), *options]
    result = report_of(launch(ranks, command), limit=limit)
    searches = result[kernel]
    runs = searches["runs"]
    seconds = [one["seconds"] for one in runs]
    # Only right for BFS, which claims each vertex once.
    reached = [1 + one["leaves"]["claimed"] + sum(level["claimed"] for level in one["levels"]) for one in runs]
    return {
        "seconds": statistics.mean(seconds),
        "search seconds": seconds,
        "search edges": [one["nedge"] for one in runs],
        "reached": statistics.median(reached),
        "GTEPS": searches["harmonic_mean_TEPS"] / 1e9,
        "nedge": searches["median_nedge"],
        "kernel 1 s": result["construction"]["seconds"],
        "peak GiB": result["construction"]["peak_bytes"] / 2**30,
        "graph MiB": result["construction"]["graph_bytes"] / 2**20,
        "hubs": result["construction"].get("hubs"),
        "generation s": result.get("generation", {}).get("seconds"),
        "phases": searches.get("phases"),
        "device": searches.get("device"),
        "levels": [len(one["levels"]) for one in runs],
        "pull traffic": [pull_traffic(one) for one in runs],
        "search bytes": [search_bytes(one) for one in runs],
        "search messages": [sum(level["messages"] for level in one["levels"]) for one in runs],
        "search examined": [sum(level["edges_examined"] for level in one["levels"]) for one in runs],
        "settled lights": [one.get("settled_lights") for one in runs],
        "validation s": statistics.median(one["validate_seconds"] for one in runs),
    }


def gap(program, graph, threads, keys, *, huge_pages=False):
    """Mean seconds of GAP's searches without the first, and of its construction; on ("-g", scale) or ("-sf", file)."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    if huge_pages:
        environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    output = run([program, *map(str, graph), "-n", str(keys + 1)], environment)
    seconds = [float(value) for value in re.findall(r"Trial Time:\s+([\d.]+)", output)][1:]
    if not seconds:
        raise Failed(f"{program} prints no times of searches")
    build = re.search(r"Build Time:\s+([\d.]+)", output)
    return {"seconds": statistics.mean(seconds), "kernel 1 s": float(build.group(1)) if build else None}


def gap_kronecker(program, scale, keys, nedge, *, huge_pages=False):
    """Runs GAP's bfs on its own Kronecker graph of this scale, degree 16. GTEPS are from breadth's count of edges."""
    result = gap(program, ("-g", scale), 2, keys, huge_pages=huge_pages)
    return {**result, "GTEPS": nedge / result["seconds"] / 1e9}


def riken(program, scale, ranks, keys):
    """Runs RIKEN's Graph500-BFS on two cores, as its authors run it."""
    command = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), program, str(scale), "-A", "-C"]
    environment = {**MPI_ENVIRONMENT, "OMP_NUM_THREADS": str(2 // ranks)}
    output = run([*command, "-n", str(keys)], environment)
    values = dict(re.findall(r"(\w+):\s+([\d.e+-]+)\s*$", output, re.MULTILINE))
    return {"GTEPS": float(values["harmonic_mean_TEPS"]) / 1e9, "kernel 1 s": float(values["construction_time"])}


def reference(program, scale, ranks):
    """Runs the reference's bfs, which always searches from 64 keys."""
    command = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), program, str(scale)]
    output = run(command)

    def value(name):
        return float(re.search(name + r":\s+!?\s*([\d.e+-]+)", output).group(1))

    return {
        "GTEPS": value("bfs  harmonic_mean_TEPS") / 1e9,
        "kernel 1 s": value("construction_time"),
        "generation s": value("graph_generation"),
        "validation s": value("bfs  mean_validate"),
    }


def medians(rounds):
    """The median of each number over the rounds that have it. Lists, phases and devices are left out."""
    numbers = [{name: value for name, value in one.items() if isinstance(value, int | float)} for one in rounds]
    names = dict.fromkeys(name for one in numbers for name in one)
    return {name: statistics.median(one[name] for one in numbers if name in one) for name in names}


def processor():
    """The name of the processor."""
    match = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    return match.group(1) if match else platform.processor()


def describe_machine():
    return {"processor": processor(), "cores": os.cpu_count()}


ONE_RANK = "breadth, 1 rank x 2 threads"
TWO_RANKS = "breadth, 2 ranks x 1 thread"
GAP = "GAP bfs, 2 threads"


def contenders(arguments, scale, keys):
    """(name, measure) of every program. measure takes breadth's count of edges, or None if it is not known yet."""
    program = arguments.breadth
    all_of_them = [
        (ONE_RANK, lambda _: breadth(program, ("--scale", scale), 1, 2, keys)),
        (TWO_RANKS, lambda _: breadth(program, ("--scale", scale), 2, 1, keys)),
    ]
    if arguments.gap:
        all_of_them.append((GAP, lambda nedge: gap_kronecker(arguments.gap, scale, keys, nedge)))
    if arguments.gap_by_degree:
        once = partial(gap_kronecker, arguments.gap_by_degree, scale, keys, huge_pages=True)
        all_of_them.append(("GAP bfs, relabelled by degree, huge pages", once))
    if arguments.riken:
        for ranks in (1, 2):
            name = f"RIKEN Graph500-BFS, {ranks} x {2 // ranks}"
            all_of_them.append((name, lambda _, ranks=ranks: riken(arguments.riken, scale, ranks, keys)))
    if arguments.reference:
        for ranks in (1, 2):
            name = f"Graph500 reference, {ranks} rank{'s' if ranks > 1 else ''}"
            all_of_them.append((name, lambda _, ranks=ranks: reference(arguments.reference, scale, ranks)))
    return all_of_them


def floor_seconds(scale, reached, rates):
    """The seconds of the memory floor, which every strict search takes at least."""
    reading, writing = rates
    return 4 * 2**scale / writing + 4 * reached / reading


def memory_rates(breadth):
    """The bytes per second at which memory is read and written in order, by the program beside that of breadth."""
    stream = Path(breadth).parents[1] / "benchmarks/stream"
    if not stream.exists():
        build = "cmake --build --preset release --target breadth_stream"
        raise Failed(f"{stream}, which measures memory, does not exist; this builds it: {build}")
    return [float(rate) for rate in run([stream, "2"]).split()]


def measure(arguments, scale, keys):
    """The medians of each program, by its name. Raises Failed if breadth itself fails."""
    rounds = {}
    nedge = None
    for _ in range(arguments.rounds):
        rates = memory_rates(arguments.breadth)
        for name, once in contenders(arguments, scale, keys):
            result = once(nedge) if name == ONE_RANK else if_it_succeeds(f"scale {scale}: {name}", once, nedge)
            if result is None:
                continue
            if "reached" in result:
                result["floor %"] = 100 * floor_seconds(scale, result["reached"], rates) / result["seconds"]
            print(f"scale {scale}: {name}: {result['GTEPS']:.3g} GTEPS", file=sys.stderr, flush=True)
            nedge = nedge or result.get("nedge")
            rounds.setdefault(name, []).append(result)
    return {name: medians(of_name) for name, of_name in rounds.items()}


def print_table(results):
    """Prints the results in Markdown, with the ratio of the first program to each."""
    columns = ["GTEPS", "floor %", "kernel 1 s", "generation s", "validation s", "peak GiB"]
    print("| scale | program | " + " | ".join(columns) + " | first / this |")
    print("|---|---" + "|---" * len(columns) + "|---|")
    for scale, contender_results in results.items():
        first = next(iter(contender_results.values()))["GTEPS"]
        for name, values in contender_results.items():
            cells = [f"{values[column]:.3g}" if column in values else "" for column in columns]
            print(f"| {scale} | {name} | " + " | ".join(cells) + f" | {first / values['GTEPS']:.2f} |")


def script_options(text, **defaults):
    """A parser for the options of a script that `text` describes. Each default gives an option its name and type."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    return parser


def listing(names):
    """The names in one line, with semicolons if names contain commas."""
    return ("; " if any("," in name for name in names) else ", ").join(names)


def several_ranks(parser, given):
    """The numbers of ranks in `given`, which commas divide. Ends the script if one of them is less than 2."""
    counts = [int(ranks) for ranks in str(given).split(",")]
    if min(counts) < 2:
        parser.error("--ranks: one rank communicates with none; give 2 or more")
    return counts


def names_among(parser, option, given, known, separator=","):
    """The names in `given`, which separators divide. Ends the script if a name is not among the known ones."""
    names = given.split(separator)
    for name in names:
        if name not in known:
            parser.error(f"{option}: nothing is called '{name}'; there are {listing(known)}")
    return names


def names_matching(parser, option, expression, known):
    """The known names that a regular expression matches. Ends the script if there are none."""
    try:
        names = [name for name in known if re.search(expression, name)]
    except re.error as error:
        parser.error(f"{option}: '{expression}' is no regular expression: {error}")
    if not names:
        parser.error(f"{option}: no name matches '{expression}'; there are {listing(known)}")
    return names


def run_script(main, *failures):
    """Calls the main function of a script. If a program fails, or an error of the types `failures` is raised, ends the
    script with one message."""
    try:
        main()
    except (Failed, *failures) as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


def add_program_options(parser):
    """Adds options for the paths of breadth and its peers."""
    parser.add_argument("--breadth", default=BREADTH)
    environment = os.environ
    parser.add_argument(
        "--gap", default=environment.get("GAP_BFS"), help="the bfs of the GAP benchmark suite, as you have built it"
    )
    parser.add_argument(
        "--gap-by-degree",
        default=environment.get("GAP_BFS_BY_DEGREE"),
        help="GAP's bfs, changed to relabel its graph with Builder::RelabelByDegree",
    )
    parser.add_argument(
        "--riken",
        default=environment.get("RIKEN_BFS"),
        help="runnable of RIKEN's Graph500-BFS, as you have built it",
    )
    parser.add_argument(
        "--reference",
        default=environment.get("GRAPH500_BFS"),
        help="graph500_reference_bfs, as you have built it",
    )


def report(arguments, measure, program):
    """Prints the table of measure(arguments, scale, keys) for every scale, and writes it as JSON if asked to."""
    try:
        results = {int(scale): measure(arguments, int(scale), arguments.keys) for scale in arguments.scales.split(",")}
    except Failed as error:
        sys.exit(f"{program}: {error}")
    machine = {**describe_machine(), "rounds": arguments.rounds, "keys": arguments.keys}
    print(f"{machine['processor']}, {machine['cores']} cores; median of {arguments.rounds} rounds\n")
    print_table(results)
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine, "results": results}, indent=1) + "\n")


def main():
    parser = script_options(__doc__, scales="18,20,22", keys=64, rounds=3)
    add_program_options(parser)
    parser.add_argument("--json", type=Path, help="write all medians to this file")
    report(parser.parse_args(), measure, "compare.py")


if __name__ == "__main__":
    main()
