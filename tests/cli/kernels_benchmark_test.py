"""Whether benchmarks/kernels.cpp times every kernel in every instruction set that the program can use here.

Usage: kernels_benchmark_test.py PROGRAM, with KERNELS_BENCHMARK in the environment
"""

import os
import subprocess

from program_case import ProgramTest, main

BENCHMARK = os.environ["KERNELS_BENCHMARK"]
KERNELS = {
    "test_column": [f"{bits} of 64 wanted" for bits in (4, 6, 8, 16, 32, 64)],
    "gather_where_set": ["in streams", "in streams, past the caches", "at random, past the caches"],
    "pull_from_columns": ["two columns"],
}
OF_ROWS = (
    "RowSearch",
    "CompressedRowSearch",
    "decompress_piece",
    "claim_unvisited",
    "copy_unvisited",
    "split_row",
)


class KernelsBenchmark(ProgramTest):
    def benchmark(self, *words):
        return subprocess.run([BENCHMARK, *words], capture_output=True, text=True, check=False)

    def usable(self):
        """Returns the instruction sets that --simd accepts on this machine."""

        def works(name):
            words = ["graph500", "--scale", "4", "--keys", "1", "--threads", "1", "--simd", name]
            return self.run_program(*words).returncode == 0

        return {name for name in ("avx512", "avx2", "sse4", "sve2", "sve", "neon", "scalar") if works(name)}

    def test_has_a_row_of_every_kernel_and_a_column_of_every_instruction_set(self):
        result = self.benchmark("2", "8", "9")
        self.assertEqual(result.returncode, 0, result.stderr)
        head, rule, *rows = [line.strip("| ").split(" | ") for line in result.stdout.splitlines()]
        self.assertEqual(head[:3] + head[-1:], ["kernel", "data", "scale", "scalar / best"])
        sets = head[3:-1]
        self.assertEqual(set(sets), self.usable())
        self.assertEqual(sets[-1], "scalar")
        self.assertEqual(rule, ["|".join(["---"] * len(head))])
        kinds = {**KERNELS, **{kernel: [f"rows of {length}" for length in (4, 8, 16, 32, 64)] for kernel in OF_ROWS}}
        expected = {(kernel, data, scale) for kernel in kinds for data in kinds[kernel] for scale in ("8", "9")}
        self.assertEqual({tuple(row[:3]) for row in rows}, expected)
        self.assertEqual(len(rows), len(expected))
        for row in rows:
            times = [float(cell) for cell in row[3:-1]]
            self.assertEqual(len(times), len(sets), row)
            self.assertGreater(min(times), 0, row)
            self.assertAlmostEqual(float(row[-1]), times[-1] / min(times), delta=0.02 * float(row[-1]) + 0.01)

    def test_says_what_its_arguments_are(self):
        for words in (["0"], ["1", "7"], ["1", "20", "27"], ["x"]):
            result = self.benchmark(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertEqual(result.stdout, "")
            self.assertIn("scales from 8 to 26", result.stderr)


if __name__ == "__main__":
    main()
