"""Does benchmarks/bench.py compare with other programs as it says, and does directions.py tell what it measures?

Usage: benchmark_suite_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys

from program_case import PROGRAM, ProgramTest, environment, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
ONE_RANK = "breadth, 1 rank x 2 threads"
TWO_RANKS = "breadth, 2 ranks x 1 thread"
GAP = "GAP bfs, 2 threads"

# Programs in the place of peers. GAP's first search, which is to be left out, is a slow one.
GAP_BFS = """#!/usr/bin/env python3
import sys
print("Build Time:          0.50000")
for trial in range(int(sys.argv[sys.argv.index("-n") + 1])):
    print("Trial Time:         ", 9.0 if trial == 0 else 0.004)
"""
# The larger delta, the faster.
GAP_SSSP = """#!/usr/bin/env python3
import sys
delta = int(sys.argv[sys.argv.index("-d") + 1]) if "-d" in sys.argv else 1
for trial in range(int(sys.argv[sys.argv.index("-n") + 1])):
    print(f"Trial Time:          {8.192 / delta:.5f}")
"""
# Both of its ranks print.
RIKEN = """#!/usr/bin/env python3
print("construction_time:               3.5")
print("harmonic_mean_TEPS:              2.5e8")
"""
WITHOUT_TIMES = "#!/usr/bin/env python3\nprint('no searches')\n"


class BenchmarkSuite(ProgramTest):
    def run_script(self, name, *words):
        script = [sys.executable, ROOT / "benchmarks" / name, "--breadth", PROGRAM, *words]
        variables = environment({"GRAPH500_BFS": "", "RIKEN_SSSP": "", "GRAPH500_SSSP": ""})
        command = list(map(str, script))
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=variables)

    def program(self, name, text):
        self.write(name, text)
        (self.folder / name).chmod(0o755)
        return self.folder / name

    def test_sets_breadth_beside_its_peers(self):
        peers = ["--gap", self.program("gap", GAP_BFS), "--gap-sssp", self.program("sssp", GAP_SSSP)]
        peers += ["--gap-by-degree", self.program("by_degree", WITHOUT_TIMES), "--riken", self.program("riken", RIKEN)]
        sizes = ["--scales", 8, "--sssp-scales", 8, "--other-scale", 10, "--rounds", 2, "--keys", 4]
        result = self.run_script("bench.py", *peers, *sizes, "--json", "bench.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads((self.folder / "bench.json").read_text())
        goals = {goal["what"]: goal for goal in report["goals"]}
        self.expect_kronecker(report["results"]["8"], goals)
        self.expect_other_graphs(report, goals)
        self.expect_table(result.stdout, goals)
        self.assertIn("relabelled by degree, huge pages is left out: ", result.stderr)
        self.assertIn("by_degree prints no times of searches", result.stderr)
        self.assertGreaterEqual(report["planned_largest_scale"], 26)

    def expect_kronecker(self, results, goals):
        ours, gap, riken = results[ONE_RANK], results[GAP], results["RIKEN Graph500-BFS, 2 x 1"]
        self.assertNotIn("GAP bfs, relabelled by degree, huge pages", results)
        self.assertAlmostEqual(gap["seconds"], 0.004)
        self.assertAlmostEqual(gap["GTEPS"], ours["nedge"] / 0.004 / 1e9)
        self.assertEqual(gap["kernel 1 s"], 0.5)
        self.assertEqual((riken["GTEPS"], riken["kernel 1 s"]), (0.25, 3.5))
        expected = {
            "GTEPS": ours["GTEPS"],
            "GTEPS over GAP's bfs": ours["GTEPS"] / gap["GTEPS"],
            "GTEPS over the best peer's": ours["GTEPS"] / max(0.25, gap["GTEPS"]),
            "2 ranks x 1 thread over 1 x 2": results[TWO_RANKS]["GTEPS"] / ours["GTEPS"],
        }
        for what, value in expected.items():
            self.assertAlmostEqual(goals[f"scale 8: {what}"]["value"], value)

    def expect_other_graphs(self, report, goals):
        for prefix, milliseconds, theirs in (
            ("", report["milliseconds"], 4),
            ("shortest paths, ", report["sssp_milliseconds"], 8),  # at the best delta
        ):
            self.assertEqual(len(milliseconds), 7)
            for name, both in milliseconds.items():
                self.assertAlmostEqual(both["gap"], theirs)
                goal = goals[f"{prefix}{name}: GAP's time over breadth's"]
                self.assertAlmostEqual(goal["value"], theirs / both["breadth"])

    def expect_table(self, output, goals):
        """Each goal has its row, which says what was reached."""
        table = output[output.index("| goal | here |") :]
        for what, goal in goals.items():
            row = re.search(rf"^\| {re.escape(what)} \|.*\| (\w*[\w ]*) \|$", table, re.MULTILINE)
            self.assertIsNotNone(row, what)
            value, must, reach = goal["value"], goal["must"], goal["goal"]
            if must is None:
                expected = ""
            elif value is None:
                expected = "not measured"
            else:
                expected = "goal" if reach is not None and value >= reach else "must" if value >= must else "no"
            self.assertEqual(row.group(1).strip(), expected, what)
        self.assertEqual(goals["largest Kronecker graph in 24 GiB, scale"]["reached"], "not measured")

    def test_runs_no_largest_graph_for_which_there_is_no_memory(self):
        result = self.run_script("bench.py", "--scales", 8, "--largest", 40)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--largest 40: by `breadth plan` it takes more than 24 GiB", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_tells_what_the_best_directions_would_take(self):
        result = self.run_script("directions.py", "--scales", "8,10", "--keys", 4, "--rounds", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = result.stdout.splitlines()[2:]
        self.assertEqual([row.split(" | ")[0] for row in rows], ["| 8", "| 10"])
        for row in rows:
            push, pull, auto, best, ratio = map(float, row.split(" | ")[1:6])
            self.assertGreater(min(push, pull, best), 0)
            self.assertAlmostEqual(auto / best, ratio, delta=0.02)
            slower, levels = map(int, re.fullmatch(r"(\d+) of (\d+) \|", row.split(" | ")[6]).groups())
            self.assertLessEqual(slower, levels)
            self.assertGreaterEqual(levels, 4 * 2)


if __name__ == "__main__":
    main()
