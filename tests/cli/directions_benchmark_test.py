"""Whether benchmarks/directions.py prints what it measures.

Usage: directions_benchmark_test.py PROGRAM
"""

import re

from program_case import ProgramTest, main


class DirectionsBenchmark(ProgramTest):
    def test_tells_what_the_best_directions_would_take(self):
        result = self.run_benchmark("directions.py", "--scales", "8,10", "--keys", 4, "--rounds", 2)
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

    def test_says_what_went_wrong(self):
        result = self.run_benchmark("directions.py", "--scales", 8, "--threads", 0)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("directions.py: ", result.stderr)
        self.assertIn("threads", result.stderr)
        self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    main()
