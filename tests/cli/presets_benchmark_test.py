"""Whether benchmarks/presets.py reads the reports of other programs, ends programs that take too long, and sets back
each value of a preset.

Usage: presets_benchmark_test.py PROGRAM
"""

import json

from program_case import ProgramTest, main

# Scripts that stand in for peers: rank 0 reports searches on standard error. Each adds a line to a file when it starts.
BEGIN = """#!/usr/bin/env python3
import os, sys, time
if os.environ.get("OMPI_COMM_WORLD_RANK") != "0":
    time.sleep(1000)
with open("starts", "a") as starts:
    starts.write(sys.argv[1] + "\\n")
def log(*words):
    print(*words, file=sys.stderr, flush=True)
"""
SEARCHES = """
for key in range(64):
    log("[r:0] ========== Running BFS", key, "==========")
    log("Time for BFS", key, "is 0.001000")
    log("Validate time for BFS", key, "is 5")
    log("TEPS for BFS", key, "is", 2e6 if key % 2 else 6e6)
"""
STUCK = "\ntime.sleep(1000)\n"
INVALID = """
log("Running BFS 0")
log("Validation error: a tree without a root")
"""


class PresetsBenchmark(ProgramTest):
    def measure(self, peer, *words):
        """Returns the lines of the table, with `peer` in place of the reference."""
        peer = self.write_program("peer", BEGIN + peer)
        words = ["--reference", peer, "--presets", "auto", "--keys", "4", *words]
        result = self.run_benchmark("presets.py", *words, variables={"RIKEN_BFS": ""})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.errors = result.stderr
        return result.stdout.splitlines()

    def starts(self):
        return (self.folder / "starts").read_text().split()

    def test_takes_the_first_searches_of_a_program_that_goes_on(self):
        lines = self.measure(SEARCHES + STUCK, "--scales", "8,10", "--ranks", "2", "--rounds", "2")
        self.assertEqual(lines.count("| Graph500 reference | 0.003 | 0.003 to 0.003 | 4 |  |  |"), 2)
        self.assertEqual(self.starts(), ["8", "8", "10", "10"])
        for scale in (8, 10):
            self.assertEqual(sum(line.startswith(f"| {scale} | 2 | ") for line in lines), 1)

    def test_tries_no_more_what_took_too_long(self):
        words = ["--scales", "8,10", "--ranks", "1,2", "--rounds", "2", "--limit", "5"]
        lines = self.measure(STUCK, *words)
        self.assertEqual(lines.count("| Graph500 reference | more than 5 s | | | | |"), 4)
        self.assertEqual(self.starts(), ["8", "8"])  # once on each number of ranks

    def test_leaves_out_what_finds_no_valid_tree(self):
        lines = self.measure(INVALID + STUCK, "--scales", "8", "--ranks", "2", "--rounds", "1")
        self.assertIn("| Graph500 reference | failed | | | | |", lines)
        self.assertIn("Graph500 reference is left out: Validation error: a tree without a root", self.errors)

    def test_sets_back_each_value_of_a_preset_or_says_why_not(self):
        words = ["--ablation", "--presets", "checconi2014", "--scales", "8", "--ranks", "2", "--rounds", "1"]
        result = self.run_benchmark("presets.py", *words, "--keys", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        refused = "--columns 2 and --adjacency coarse-index of --preset checconi2014 exclude each other"
        self.assertTrue(any(line.startswith(f"- `--columns 2` (from 0): {refused}") for line in lines), result.stdout)
        self.assertTrue(any(line.startswith("| --packets runs | compressed | ") for line in lines), result.stdout)
        listed = json.loads(self.run_program("options", "--json").stdout)
        sets = next(one["sets"] for one in listed["presets"] if one["name"] == "checconi2014")
        for name in sets:
            with self.subTest(name):
                self.assertEqual(sum(line.startswith((f"| --{name} ", f"- `--{name} ")) for line in lines), 1)

    def test_refuses_a_preset_that_there_is_not(self):
        result = self.run_benchmark("presets.py", "--presets", "auto,cui2013", "--scales", "8")
        self.assertEqual(result.returncode, 2)
        self.assertIn("nothing is called 'cui2013'; there are auto, ", result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    main()
