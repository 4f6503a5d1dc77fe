"""The common part of the program's tests: starting it as a user does, and checking its results."""

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
ALL_SKIPPED = 77  # the exit status that ctest counts as skipped
TEMPORARY = tempfile.TemporaryDirectory()
BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"


def environment(extra=None):
    """Returns the environment for one start of the program. Each start has a temporary folder of its own, because cases
    run at the same time, and Open MPI's jobs disturb each other in a common folder."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("BREADTH_")}
    variables.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    variables.setdefault("OMPI_MCA_pml", "ob1")  # Open MPI chooses it anyway, after 0.2 s of trying network drivers
    variables["TMPDIR"] = tempfile.mkdtemp(dir=TEMPORARY.name)
    variables.update(extra or {})
    return variables


def unless_given_up(start):
    """Returns the result of start(), or of a second start() if the launcher gave up. With Open MPI 4.1 and four starts
    at a time, about one start in 500 ends with 255 and no message, whatever is started. The program never ends like
    that, because it prints its errors."""
    result = start()
    silent = result.returncode == LAUNCHER_GAVE_UP and not result.stdout and not result.stderr
    return start() if LAUNCHER and silent else result


def leaves_communicators():
    """Returns variables for a run that must fail. An error on several ranks leaves communicators unfreed, because
    freeing them takes all ranks, and the sanitizer would report them as leaks."""
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
        """Writes a script that stands in for another program. Returns its path."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run_benchmark(self, script, *words, program=PROGRAM, variables=None):
        """Runs a script of benchmarks/, which measures `program`."""
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
        """Checks that the program fails with one message that contains all parts, prints nothing on standard output,
        and leaves nothing new in the folder."""
        before = sorted(self.folder.iterdir())
        result = self.run_program(*words, variables={**leaves_communicators(), **(variables or {})})
        lines = result.stderr.replace("\0", "").splitlines()  # Open MPI 5 ends its own messages with NUL
        messages = [line for line in lines if line.startswith("breadth: ")]
        self.assertEqual(len(messages), 1, f"{words}: {result.stderr}")
        for part in parts:
            self.assertIn(part, messages[0], words)
        self.assertEqual(result.returncode, status, f"{words}: {messages[0]}")
        self.assertEqual(result.stdout, "", words)
        self.assertEqual(sorted(self.folder.iterdir()), before, words)


def values_of(text):
    """Returns the values of `key: value` lines."""
    return dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith("#"))


def main():
    """Runs the cases of the script that calls it: SCRIPT PROGRAM [LAUNCHER WORD...]. Several cases run at a time,
    because each has a folder of its own and starting ranks is mostly waiting."""
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
