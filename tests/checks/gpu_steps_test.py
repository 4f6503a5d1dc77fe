"""Whether tools/gpu_steps goes on after a step that fails or hangs, and reports the result of each step.

Scripts stand in for the programs of a machine with a GPU, and for `timeout`, which here ends hanging steps at once.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

STEPS = pathlib.Path(__file__).resolve().parents[2] / "tools/gpu_steps"
PROGRAMS = {
    "bin/breadth": """
case "$1 $*" in
  plan*--json*) echo ' "device_name": "a GPU",' ;;
  plan*) echo 'device_name: a GPU' ;;
  graph500*'--scale 23'*) echo 'breadth: it fails' >&2; exit 1 ;;
  graph500*'--scale 28'*regenerate*) echo '64 searches, all valid' >&2 ;;
  graph500*'--scale 28'*) echo 'breadth: the edge list does not fit into the memory of a GPU' >&2; exit 1 ;;
  graph500*) echo 'bfs_mean_time: 2.50000000000000000e-03'; echo '2 searches, all valid' >&2 ;;
esac
""",
    "tests/gpu/gpu_test": """
case "$*" in
  *--gtest_list_tests*)
    printf 'On/Searches.\\n  Good/gpu  # why\\n  Good/gpu_led_by_host\\n  Good/simulated\\n'
    printf '  Hang/gpu\\n  Hang/gpu_led_by_host\\n'
    printf 'On/Phases.\\n  Bad/gpu\\n  Skip/gpu\\nOther.\\n  Case\\n' ;;
  *Bad*) exit 1 ;;
  *Skip*) exit 77 ;;
esac
""",
    "path/timeout": """
case "$*" in
  *'--scale 26'* | *'Hang/gpu '*) exit 124 ;;
esac
while [[ $1 == --* || $1 =~ ^[0-9]+$ ]]; do shift; done
exec "$@"
""",
}


class GpuSteps(unittest.TestCase):
    def setUp(self):
        owner = tempfile.TemporaryDirectory()
        self.addCleanup(owner.cleanup)
        self.folder = pathlib.Path(owner.name)
        for name, text in PROGRAMS.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#!/usr/bin/env bash" + text)
            path.chmod(0o755)

    def run_steps(self, *words):
        variables = {**os.environ, "PATH": f"{self.folder / 'path'}:{os.environ['PATH']}"}
        command = [STEPS, "--build", self.folder, "--folder", self.folder / "results", *words]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=variables)

    def states(self):
        return {
            each["step"]: each["state"]
            for each in json.loads((self.folder / "results/steps.json").read_text())["steps"]
        }

    def test_goes_on_after_steps_that_fail_or_hang(self):
        result = self.run_steps("bfs_20", "bfs_23", "bfs_26", "bfs_28_all", "limits")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(
            self.states(),
            {
                "limits": "left-out",
                "bfs_20": "passed",
                "bfs_23": "failed",
                "bfs_26": "out-of-time",
                "bfs_28_all": "passed",
            },
        )
        self.assertIn("2500 us a search", result.stdout)
        self.assertIn("breadth: it fails", result.stdout)
        summary = result.stdout.splitlines()[-1]
        self.assertEqual(summary, "== 2 passed, 2 failed (bfs_23 bfs_26), 1 left out (limits), 0 for another run")

    def test_repeats_only_what_has_not_passed(self):
        self.run_steps("bfs_20", "bfs_23")
        result = self.run_steps("bfs_20", "bfs_23")
        self.assertIn("== bfs_20: has passed before", result.stdout)
        self.assertIn("== bfs_23: failed", result.stdout)
        self.assertIn("== bfs_20: passed", self.run_steps("--again", "bfs_20").stdout)

    def test_runs_each_case_alone_those_led_by_the_host_first(self):
        host = self.run_steps("tests_host")
        self.assertIn("   fails (1): On/Phases.Bad/gpu\n", host.stdout)
        self.assertIn("   2 of 4 cases passed, 1 failed, 1 were skipped\n", host.stdout)
        persistent = self.run_steps("tests_persistent")
        self.assertIn("   hangs: On/Searches.Hang/gpu\n", persistent.stdout)
        self.assertIn("   1 of 2 cases passed, 1 failed, 0 were skipped\n", persistent.stdout)

    def test_shows_a_sanitizer_one_case_of_each_suite(self):
        sanitizer = self.folder / "path/compute-sanitizer"
        sanitizer.write_text('#!/usr/bin/env bash\necho "$@"\n')
        sanitizer.chmod(0o755)
        cases = "On/Searches.Good/gpu_led_by_host:On/Phases.Bad/gpu:On/Searches.Good/gpu"
        self.assertIn(f"--gtest_filter={cases}\n", self.run_steps("memcheck").stdout)

    def test_refuses_what_it_does_not_know(self):
        for words in (["nothing"], ["--minutes", "none"], ["--device", "cpu"], ["--folder"], ["--no"]):
            result = self.run_steps(*words)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), words)

    def test_says_that_there_is_no_gpu(self):
        (self.folder / "bin/breadth").write_text("#!/usr/bin/env bash\necho 'device_missing: none here'\n")
        result = self.run_steps()
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "run: there is no GPU to run on: none here\n")


if __name__ == "__main__":
    unittest.main()
