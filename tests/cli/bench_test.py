"""Whether benchmarks/bench.py computes its table of goals from the programs' reports, and goes on without programs that
fail; and whether scripts beside it say what they need.

Usage: bench_test.py PROGRAM
"""

import json
import subprocess
import sys

from program_case import BENCHMARKS, PROGRAM, ProgramTest, main

SHELL = "#!/bin/sh\n"
# For "scale 22", where some goals are set, it searches a small graph instead.
BREADTH = f"""#!{sys.executable}
import os, sys
words = ["8" if word == "22" else word for word in sys.argv[1:]] if sys.argv[1] == "graph500" else sys.argv[1:]
os.execv({PROGRAM!r}, [{PROGRAM!r}, *words])
"""
READING, WRITING = 2e10, 1e10  # bytes a second
STREAM = f"echo {READING:g} {WRITING:g}\n"

# Scripts that stand in for peers. GAP's first search is slow and must not count.
GAP = """
echo 'Build Time:          0.50000'
for time in 9.0 0.125 0.375; do echo "Trial Time:          $time"; done
"""
GAP_BY_DEGREE = GAP.replace("0.125 0.375", "0.0625 0.0625")
GAP_SSSP = """
case "$*" in
  *'-d 16 '*) seconds=0.002;;
  *) seconds=0.5;;
esac
echo "Trial Time: 9.0"
echo "Trial Time: $seconds"
"""
RIKEN = """
[ $OMP_NUM_THREADS = 2 ] || { echo no room for two ranks >&2; exit 3; }
echo 'construction_time:              1.25'
echo 'harmonic_mean_TEPS:             3e+06'
"""
REFERENCE = "echo nothing that anybody knows\n"
REFERENCE_SSSP = "echo 'sssp harmonic_mean_TEPS:     !  2e+04'\n"
RIKEN_SSSP = """
[ $DELTA_STEP = 0.02 ] && echo 'harmonic_mean_TEPS: 4e+04' || echo 'harmonic_mean_TEPS: 3e+04'
"""
PEERS = {
    "gap": GAP,
    "gap-by-degree": GAP_BY_DEGREE,
    "riken": RIKEN,
    "reference": REFERENCE,
    "gap-sssp": GAP_SSSP,
    "reference-sssp": REFERENCE_SSSP,
    "riken-sssp": RIKEN_SSSP,
}
VARIABLES = ("GAP_BFS", "GAP_BFS_BY_DEGREE", "RIKEN_BFS", "GRAPH500_BFS", "GAP_SSSP", "GRAPH500_SSSP", "RIKEN_SSSP")
ONE_RANK, TWO_RANKS = "breadth, 1 rank x 2 threads", "breadth, 2 ranks x 1 thread"


class Bench(ProgramTest):
    def bench(self, *words, breadth=BREADTH, variables=None):
        """Runs the suite on small graphs."""
        self.write_program("benchmarks/stream", SHELL + STREAM)
        program = self.write_program("bin/breadth", breadth)
        words = ["--json", "all.json", "--other-scale", "8", "--keys", "2", *words]
        variables = {**dict.fromkeys(VARIABLES, ""), **(variables or {})}
        return self.run_benchmark("bench.py", *words, program=program, variables=variables)

    def succeed_with(self, *words, variables=None):
        """Runs the suite successfully. Returns the JSON, its goals by name, and the printed lines."""
        result = self.bench(*words, variables=variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.errors = result.stderr
        report = json.loads((self.folder / "all.json").read_text())
        return report, {goal["what"]: goal for goal in report["goals"]}, result.stdout.splitlines()

    def expect_printed(self, lines, goal, unit):
        numbers = [goal["value"], goal["must"], goal["goal"]]
        cells = [f"{number:.3g}{unit}" if number is not None else "" for number in numbers]
        self.assertIn(f"| {goal['what']} | {' | '.join(cells)} | {goal['reached']} |", lines)

    def expect_goal(self, goal, value, must, best):
        self.assertAlmostEqual(goal["value"] / value, 1, places=6, msg=goal["what"])
        self.assertEqual((goal["must"], goal["goal"]), (must, best), goal["what"])
        reached = "goal" if best is not None and value >= best else "must" if value >= must else "no"
        self.assertEqual(goal["reached"], reached, goal["what"])

    def test_divides_by_what_peers_report(self):
        peers = []
        for name, text in PEERS.items():
            peers += [f"--{name}", self.write_program(name, SHELL + text)]
        report, goals, lines = self.succeed_with("--scales", "8,22", "--sssp-scales", "8", *peers)

        for scale in ("8", "22"):
            programs = report["results"][scale]
            ours = programs[ONE_RANK]
            gap, by_degree = ours["nedge"] / 0.25 / 1e9, ours["nedge"] / 0.0625 / 1e9
            self.assertEqual(programs["RIKEN Graph500-BFS, 1 x 2"], {"GTEPS": 0.003, "kernel 1 s": 1.25})
            self.assertAlmostEqual(programs["GAP bfs, 2 threads"]["GTEPS"], gap)
            self.assertEqual(goals[f"scale {scale}: GTEPS"]["value"], ours["GTEPS"])
            self.expect_goal(goals[f"scale {scale}: GTEPS over GAP's bfs"], ours["GTEPS"] / gap, 8, 14)
            best = max(by_degree, 0.003)
            self.expect_goal(goals[f"scale {scale}: GTEPS over the best peer's"], ours["GTEPS"] / best, 3, 5)
            share = programs[TWO_RANKS]["GTEPS"] / ours["GTEPS"]
            self.expect_goal(goals[f"scale {scale}: 2 ranks x 1 thread over 1 x 2"], share, 0.7, 0.9)
            for name in ("RIKEN Graph500-BFS, 2 x 1", "Graph500 reference, 1 rank", "Graph500 reference, 2 ranks"):
                self.assertNotIn(name, programs)
                self.assertIn(f"scale {scale}: {name} is left out", self.errors)
        self.assertIn("no room for two ranks", self.errors)

        ours = report["results"]["22"][ONE_RANK]
        floor_seconds = 4 * 2**22 / WRITING + 4 * ours["reached"] / READING
        self.expect_goal(goals["scale 22: share of the memory floor"], 100 * floor_seconds / ours["seconds"], 15, 40)
        edges = 16 * 2**22 / 1e6 / ours["kernel 1 s"]
        self.expect_goal(goals["scale 22: kernel 1, million edges per second"], edges, 25, 60)
        self.assertNotIn("scale 8: share of the memory floor", goals)

        paths = report["sssp"]["8"]
        rates = [paths[name]["GTEPS"] for name in (ONE_RANK, TWO_RANKS)]
        gap = paths[ONE_RANK]["nedge"] / 0.5 / 1e9
        self.expect_goal(goals["shortest paths, scale 8: GTEPS over GAP's sssp"], rates[0] / gap, 8, 20)
        self.expect_goal(goals["shortest paths, scale 8: GTEPS over RIKEN's"], rates[0] / 4e-5, 8, 20)
        reference = goals["shortest paths, scale 8, 2 ranks: over the reference"]
        self.expect_goal(reference, rates[1] / 2e-5, 40, None)

        for name, of_graph in report["milliseconds"].items():
            self.assertEqual(of_graph["gap"], 250)
            self.expect_goal(goals[f"{name}: GAP's time over breadth's"], 250 / of_graph["breadth"], 1, 3)
        for name, of_graph in report["sssp_milliseconds"].items():
            self.assertEqual(of_graph["gap"], 2)  # at the best delta
            what = f"shortest paths, {name}: GAP's time over breadth's"
            self.expect_goal(goals[what], 2 / of_graph["breadth"], 1, None)
        self.assertEqual(len(report["milliseconds"]), 7)
        self.assertEqual(set(report["milliseconds"]), set(report["sssp_milliseconds"]))

        self.assertEqual(report["keys"], {"8": 2, "22": 2})
        self.assertEqual(goals["largest Kronecker graph in 24 GiB, scale"]["reached"], "not measured")
        for what, unit in (
            ("scale 22: GTEPS", ""),
            ("scale 22: GTEPS over GAP's bfs", " x"),
            ("scale 22: share of the memory floor", " %"),
            ("scale 22: kernel 1, million edges per second", ""),
            ("largest Kronecker graph in 24 GiB, scale", ""),
            ("tails: GAP's time over breadth's", " x"),
            ("shortest paths, scale 8, 2 ranks: over the reference", " x"),
        ):
            self.expect_printed(lines, goals[what], unit)

    def test_leaves_goals_open_whose_peers_fail(self):
        broken = self.write_program("broken", SHELL + "echo out of order >&2; exit 1\n")
        words = ["--gap", broken, "--gap-sssp", self.path("nowhere")]
        variables = {"RIKEN_BFS": str(broken)}
        report, goals, lines = self.succeed_with("--scales", "8", "--sssp-scales", "8", *words, variables=variables)
        self.assertEqual(list(report["results"]["8"]), [ONE_RANK, TWO_RANKS])
        self.assertEqual(list(report["sssp"]["8"]), [ONE_RANK, TWO_RANKS])
        for what in (
            "scale 8: GTEPS over GAP's bfs",
            "scale 8: GTEPS over the best peer's",
            "grid: GAP's time over breadth's",
            "shortest paths, tails: GAP's time over breadth's",
        ):
            self.assertIsNone(goals[what]["value"])
            self.assertEqual(goals[what]["reached"], "not measured")
        self.assertIn("| grid: GAP's time over breadth's |  | 1 x | 3 x | not measured |", lines)
        self.assertGreater(goals["scale 8: GTEPS"]["value"], 0)
        for name in ("GAP bfs, 2 threads", "RIKEN Graph500-BFS, 1 x 2", "RIKEN Graph500-BFS, 2 x 1"):
            self.assertIn(f"scale 8: {name} is left out", self.errors)
        self.assertIn("out of order", self.errors)
        self.assertIn("nowhere", self.errors)

    def test_says_how_to_build_the_program_that_measures_memory(self):
        program = self.write_program("bin/breadth", BREADTH)
        result = self.run_benchmark("compare.py", "--scales", "8", program=program)
        self.assertEqual(result.returncode, 1)
        self.assertIn("--target breadth_stream", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_says_how_to_build_the_program_of_simulations(self):
        words = [sys.executable, BENCHMARKS / "simulated.py", "--program", self.path("nowhere")]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cmake --build --preset simgrid", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_refuses_one_rank_where_several_are_measured(self):
        for script in ("communication.py", "exchange.py", "phases.py", "subgraphs.py"):
            result = self.run_benchmark(script, "--ranks", "1")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("--ranks: one rank communicates with none", result.stderr)

    def test_fails_where_breadth_does(self):
        result = self.bench("--scales", "8", breadth=SHELL + "echo out of order >&2; exit 1\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("bench.py: ", result.stderr)
        self.assertIn("out of order", result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.folder / "all.json").exists())

    def test_refuses_what_does_not_fit(self):
        result = self.bench("--scales", "8", "--largest", "40")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--largest 40: by `breadth plan` it takes more than 24 GiB", result.stderr)


if __name__ == "__main__":
    main()
