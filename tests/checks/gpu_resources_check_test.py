"""Whether tools/gpu_resources.py reports what ptxas says of kernels, and finds kernels that spill."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "gpu_resources.py"

LOG = """ptxas info    : Compiling entry function '_Z3onev' for 'sm_75'
ptxas info    : Function properties for _Z3onev
    {stack} bytes stack frame, {stores} bytes spill stores, {loads} bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z3twov' for 'sm_90'
ptxas info    : Function properties for _Z3twov
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 16 bytes smem
"""


class GpuResources(unittest.TestCase):
    def run_script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True)

    def report(self, folder, log, status=0, source="one.cu", ptx=""):
        """Returns the script's table for a compiler that prints this log and keeps this intermediate code."""
        keep = "open(sys.argv[sys.argv.index('--keep-dir') + 1] + '/one.ptx', 'w')"
        script = f"import sys; sys.stderr.write({log!r}); {keep}.write({ptx!r}); sys.exit({status})"
        compiler = [sys.executable, "-c", script, source]
        result = self.run_script(folder, *compiler)
        self.assertEqual(result.returncode, status)
        return pathlib.Path(folder) / f"{pathlib.Path(source).stem}.txt"

    def test_lists_registers_stack_and_spills(self):
        with tempfile.TemporaryDirectory() as folder:
            report = self.report(folder, LOG.format(stack=16, stores=12, loads=8))
            rows = [line.split() for line in report.read_text().splitlines()]
            self.assertEqual(rows[1], ["sm_75", "_Z3onev", "24", "16", "12", "8", "0"])
            self.assertEqual(rows[2], ["sm_90", "_Z3twov", "40", "0", "0", "0", "0"])
            check = self.run_script("--check", folder)
            self.assertEqual(check.returncode, 1)
            self.assertIn("_Z3onev", check.stderr)
            self.assertNotIn("_Z3twov", check.stderr)

    def test_is_content_where_nothing_spills(self):
        with tempfile.TemporaryDirectory() as folder:
            self.report(folder, LOG.format(stack=0, stores=0, loads=0))
            self.assertEqual(self.run_script("--check", folder).returncode, 0)

    def test_finds_kernels_that_trap(self):
        ptx = ".visible .entry _Z3onev(\n.param .u64 a)\n{\n  ret;\n}\n.visible .entry _Z3twov(\n)\n{\n  trap;\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            report = self.report(folder, LOG.format(stack=0, stores=0, loads=0), ptx=ptx)
            self.assertEqual([line.split()[-1] for line in report.read_text().splitlines()], ["traps", "0", "1"])
            check = self.run_script("--check", folder)
            self.assertEqual(check.returncode, 1)
            self.assertIn("_Z3twov: 1 traps", check.stderr)
            self.assertNotIn("_Z3onev", check.stderr)

    def test_every_source_has_a_table_and_all_are_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_script("--check", folder).returncode, 1)  # nothing was compiled
            self.report(folder, LOG.format(stack=0, stores=0, loads=0))
            self.report(folder, LOG.format(stack=8, stores=0, loads=0), source="somewhere/two.cu")
            self.assertEqual(self.run_script("--check", folder).returncode, 1)

    def test_kernels_of_cub_are_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            log = LOG.replace("_Z3onev", "_ZN3cub4sortEv").format(stack=8, stores=8, loads=8)
            self.assertNotIn("cub", self.report(folder, log).read_text())
            self.assertEqual(self.run_script("--check", folder).returncode, 0)

    def test_a_program_of_many_phases_may_spill_a_little(self):
        name = "_ZN7breadth3gpu6detail11run_programINS0_13SearchControlEEEvT_"
        for stored, status in ((88, 0), (800, 1)):
            with self.subTest(stored=stored), tempfile.TemporaryDirectory() as folder:
                log = LOG.replace("_Z3onev", name).format(stack=32, stores=stored, loads=8)
                report = self.report(folder, log)
                self.assertIn("program of SearchControl", report.read_text())
                self.assertEqual(self.run_script("--check", folder).returncode, status)

    def test_a_compiler_that_fails_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertFalse(self.report(folder, LOG, status=2).exists())


if __name__ == "__main__":
    unittest.main()
