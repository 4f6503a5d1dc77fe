"""A rank that never comes to a barrier: the watchdog ends all ranks and prints once where each of them was.

Usage: watchdog_test.py PROGRAM RANKS [LAUNCHER WORD...]
"""

import os
import subprocess
import sys
import unittest

PROGRAM, RANKS, LAUNCHER = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
SECONDS_TO_HANG = 60


class Watchdog(unittest.TestCase):
    def run_stuck(self, *words):
        variables = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        result = subprocess.run(
            [*LAUNCHER, PROGRAM, *words], capture_output=True, text=True, timeout=SECONDS_TO_HANG, env=variables
        )
        self.assertNotEqual(result.returncode, 0, result.stderr)
        return result.stderr.splitlines()

    def check_report(self, lines, stuck):
        heads = [line for line in lines if line.startswith("breadth: ")]
        self.assertEqual(len(heads), 1, lines)
        self.assertIn("no progress for 0.5 s (--watchdog) on ", heads[0])
        first = lines.index(heads[0]) + 1
        for rank in range(RANKS):
            where = "a step without end" if rank == stuck else "barrier"
            self.assertRegex(
                lines[first + rank], rf"^  rank {rank} of {RANKS}: the test > {where}, for \d+\.\d s$", lines
            )

    def test_names_where_each_rank_is(self):
        for stuck in {0, RANKS - 1}:
            self.check_report(self.run_stuck(str(stuck), "0.5"), stuck)

    def test_notices_a_process_that_does_not_run_at_all(self):
        if RANKS == 1:
            self.skipTest("nobody else watches it")
        self.check_report(self.run_stuck("1", "0.5", "stop"), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
