"""Whether the scripts for a machine with a GPU work, and report if there is none.

Usage: gpu_benchmark_test.py PROGRAM
"""

import json
import os
import pathlib
import subprocess

from program_case import PROGRAM, ProgramTest, main

RANKS = os.environ.get("TEST_RANKS", "")  # several ranks if the program has MPI
ROOT = pathlib.Path(__file__).resolve().parents[2]


class GpuBenchmark(ProgramTest):
    def measure(self, *words):
        return self.run_benchmark("gpu.py", "--json", "gpu.json", *words)

    def has_gpu(self):
        plan = json.loads(self.succeed("plan", "--scale", "1", "--device", "gpu", "--json").stdout)
        return plan["device_name"] is not None

    def test_measures_the_simulated_gpu(self):
        words = ["--device", "simulated", "--scales", "8,9,40", "--road-scale", "6", "--keys", "2"]
        words += ["--ranks", RANKS, "--rank-scales", "9", "--streamed", "8", "--sweep-scales", "12"]
        result = self.measure(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in (
            "| 8 |",
            "| 8 streamed |",
            "| 40 | left out: ",
            "| BFS, scale 26 | 300 GTEPS | 1000 GTEPS |  | not measured |",
        ):
            self.assertIn(line, result.stdout)
        figures = json.loads((self.folder / "gpu.json").read_text())
        self.assertGreater(figures["scales"]["9"]["GTEPS"], 0)
        self.assertGreater(figures["scales"]["8 streamed"]["GTEPS"], 0)
        self.assertGreater(figures["scales"]["9"]["SSSP validation s"], 0)
        self.assertGreater(figures["road"]["us"], 0)
        looked_at = {name: each["examined an edge"] for name, each in figures["sweeps"].items()}
        self.assertLess(looked_at["12 on"], looked_at["12 off"])
        for ranks in RANKS.split(",") if RANKS else []:
            for transport in ("staged", "direct"):
                for kernel in ("bfs", "sssp"):
                    self.assertIn(f"| {ranks} | 9 | {kernel} | {transport} | ", result.stdout)
                    self.assertGreater(figures["ranks"][f"{ranks} at 9 {transport} {kernel}"]["MB a search"], 0)

    def test_says_that_there_is_no_gpu(self):
        if self.has_gpu():
            self.skipTest("there is a GPU")
        steps = [ROOT / "tools" / "gpu_steps", "--build", pathlib.Path(PROGRAM).resolve().parents[1]]
        for result in (self.measure(), subprocess.run(list(map(str, steps)), capture_output=True, text=True)):
            self.assertEqual(result.returncode, 1)
            self.assertIn("no GPU", result.stderr)
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)


if __name__ == "__main__":
    main()
