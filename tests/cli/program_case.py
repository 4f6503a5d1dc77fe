"""What the tests of the program share: starting it as a user does, and looking at what it did."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
LAUNCHER = sys.argv[2:]  # words before the program: mpiexec -n 3
SECONDS_TO_HANG = 120
LAUNCHER_GAVE_UP = 255
ALL_SKIPPED = 77  # how a script exits that ctest is to count as skipped
TEMPORARY = tempfile.TemporaryDirectory()
BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"


def environment(extra=None):
    """The variables of one start of the program. Each start has a folder of its own for temporary files:
    cases run at the same time, and Open MPI's jobs get in each other's way in one folder."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("BREADTH_")}
    variables.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    variables.setdefault("OMPI_MCA_pml", "ob1")  # where it ends up anyway, after 0.2 s with drivers of networks
    variables["TMPDIR"] = tempfile.mkdtemp(dir=TEMPORARY.name)
    variables.update(extra or {})
    return variables


def unless_given_up(start):
    """The result of start(), or of starting again once where the launcher gave up. Of Open MPI 4.1's starts, four at a
    time, one in 500 or so ends with 255 and not a word, whatever is started. The program never ends like that: it says
    what is wrong."""
    result = start()
    silent = result.returncode == LAUNCHER_GAVE_UP and not result.stdout and not result.stderr
    return start() if LAUNCHER and silent else result


def leaves_communicators():
    """For a run that is to fail: an error on its way through several ranks leaves communicators to MPI, because freeing
    them takes all ranks, and the sanitizer would call those leaks."""
    return {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"} if LAUNCHER else {}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder_owner = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder_owner.cleanup)
        self.folder = pathlib.Path(self.folder_owner.name)

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def write_program(self, name, text):
        """The path of a script that stands for another program."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run_benchmark(self, script, *words, program=PROGRAM, variables=None):
        """What a script of benchmarks/ does, measuring `program`."""
        command = [sys.executable, BENCHMARKS / script, "--breadth", program, *words]
        return subprocess.run(
            list(map(str, command)), capture_output=True, text=True, cwd=self.folder, env=environment(variables)
        )

    def run_program(self, *words, variables=None):
        def start():
            return subprocess.run(
                [*LAUNCHER, PROGRAM, *words],
                capture_output=True,
                text=True,
                errors="replace",  # names of vertices may be any bytes
                timeout=SECONDS_TO_HANG,
                cwd=self.folder,
                env=environment(variables),
            )

        return unless_given_up(start)

    def succeed(self, *words, variables=None):
        result = self.run_program(*words, variables=variables)
        self.assertEqual(result.returncode, 0, f"{words}: {result.stderr}")
        return result

    def fail_with(self, words, *parts, status=1, variables=None):
        """One message that has all the parts, nothing on standard output, nothing new in the folder."""
        before = sorted(self.folder.iterdir())
        result = self.run_program(*words, variables={**leaves_communicators(), **(variables or {})})
        messages = [line for line in result.stderr.splitlines() if line.startswith("breadth: ")]
        self.assertEqual(len(messages), 1, f"{words}: {result.stderr}")
        for part in parts:
            self.assertIn(part, messages[0], words)
        self.assertEqual(result.returncode, status, f"{words}: {messages[0]}")
        self.assertEqual(result.stdout, "", words)
        self.assertEqual(sorted(self.folder.iterdir()), before, words)


def values_of(text):
    """The values of `key: value` lines."""
    return dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith("#"))


def main():
    """Runs the cases of the script that calls it: SCRIPT PROGRAM [LAUNCHER WORD...]. Several at a time: each has a
    folder of its own, and starting ranks is mostly waiting."""
    cases = []
    for group in unittest.defaultTestLoader.loadTestsFromName("__main__"):
        cases.extend(group)
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        results = list(pool.map(lambda case: case.run(), cases))
    for result in results:
        for case, trace in result.failures + result.errors:
            print(f"FAIL: {case}\n{trace}", file=sys.stderr)
    skipped = {case.id(): reason for result in results for case, reason in result.skipped}
    if "TEST_CASES" in os.environ:  # summed up by tools/test
        script = pathlib.Path(sys.argv[0]).stem
        with open(os.environ["TEST_CASES"], "a") as file:
            for case in cases:
                file.write(f"{script}.{case.id().removeprefix('__main__.')}\t{skipped.get(case.id(), '')}\n")
    failed = sum(not result.wasSuccessful() for result in results)
    print(f"{len(cases)} cases, {len(skipped)} skipped, {failed} failed", file=sys.stderr)
    if failed or not cases:
        sys.exit(1)
    sys.exit(ALL_SKIPPED if len(skipped) == len(cases) else 0)
