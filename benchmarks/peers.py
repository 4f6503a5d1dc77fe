"""Runs other Graph500 programs on several ranks of one thread, and reads each search that they report.

RIKEN's Graph500-BFS and the Graph500 reference both write "Running BFS 3", "Time for BFS 3 is 0.1" and "TEPS for BFS 3
is 1e8" on standard error. Therefore a program that always searches from 64 keys can be ended after a few, a slow
program still has results, and the bytes of searches are counted apart from kernel 1, tuning and validation. Here
RIKEN's program validates only its first search, and the reference none.
"""

import re
import subprocess
from collections import deque
from dataclasses import dataclass

from ablation import harmonic_gteps
from compare import MPI_ENVIRONMENT, TIMED_OUT, Failed, TooSlow, last_line

RIKEN = "RIKEN Graph500-BFS"
REFERENCE = "Graph500 reference"
NAMES = (RIKEN, REFERENCE)


@dataclass(frozen=True)
class Peer:
    """A program, with the words that start it on a rank."""

    name: str
    words: list[str]


def chosen_peers(arguments, scale, keys):
    """Yields the peers whose programs are given, for a graph of this scale. RIKEN's runs as its authors run it."""
    if arguments.riken:
        options = ["-A", "-C", "-n", str(keys), "-v", "1"]
        yield Peer(RIKEN, ["env", "OMP_NUM_THREADS=1", str(arguments.riken), str(scale), *options])
    if arguments.reference:
        yield Peer(REFERENCE, ["env", "SKIP_VALIDATION=1", str(arguments.reference), str(scale)])


def on_this_machine(peer, ranks):
    """The command that runs a peer on `ranks` ranks of this machine."""
    return ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *peer.words]


def searches(lines, keys, sent):
    """Yields (seconds, edges, bytes) of each search that the lines report, at most `keys` searches."""
    begin = 0
    for line in lines:
        if "Validation error" in line or "Validation failed" in line:
            raise Failed(line.strip())
        if re.search(r"Running BFS \d+", line):
            begin = sent()
        elif match := re.search(r"Time for BFS \d+ is ([\d.e+-]+)", line):
            seconds, crossed = float(match.group(1)), sent() - begin
        elif match := re.search(r"TEPS for BFS \d+ is ([\d.e+-]+)", line):
            yield seconds, float(match.group(1)) * seconds, crossed
            keys -= 1
            if keys == 0:
                return


def measure(command, keys, limit, sent=lambda: 0):
    """The figures of a program's first searches, by the names of breadth's figures (compare.py). "search bytes" are
    differences of what `sent` returns. Raises TooSlow if no search has ended after `limit` seconds."""
    last_lines = deque(maxlen=20)

    def lines_of(program):
        for line in program.stderr:
            last_lines.append(line)
            yield line

    within_limit = ["timeout", str(limit), *command]
    with subprocess.Popen(
        within_limit, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=MPI_ENVIRONMENT
    ) as program:
        try:
            found = list(searches(lines_of(program), keys, sent))
        finally:
            program.terminate()
    if not found and program.returncode == TIMED_OUT:
        raise TooSlow(f"no search within {limit:g} s")
    if not found:
        raise Failed(last_line("".join(last_lines)))
    seconds, edges, crossed = (list(values) for values in zip(*found, strict=True))
    gteps = harmonic_gteps(seconds, edges)
    return {"GTEPS": gteps, "search seconds": seconds, "search edges": edges, "search bytes": crossed}
