"""Failures while the program runs: a rank that is killed, stopped or out of memory, a file that changes or gets too
large, a disk or shared memory that is full, an MPI library without threads. The job must end with one message that says
what failed and where.

Usage: failure_test.py PROGRAM THREAD_SINGLE [LAUNCHER WORD...]
THREAD_SINGLE is a library to preload that makes MPI support no threads; empty without MPI.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

THREAD_SINGLE = sys.argv.pop(2) if len(sys.argv) > 2 else ""

from program_case import (  # noqa: E402
    LAUNCHER,
    PROGRAM,
    SECONDS_TO_HANG,
    ProgramTest,
    environment,
    main,
    unless_given_up,
)

RANKS = int(LAUNCHER[-1]) if LAUNCHER else 1
LAST = RANKS - 1
EARLIER = "what an earlier run left"
LONG_RUN = ["graph500", "--scale", "14", "--keys", "4096", "--threads", "1"]


def runs(identifier):
    try:
        with open(f"/proc/{identifier}/stat") as status:
            name, state = re.search(r"\((.*)\) (.)", status.read()).groups()
            return name == "breadth" and state != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Failure(ProgramTest):
    def start(self, *words, until):
        """Starts the program on all ranks. Once it has printed `until`, returns the process and the process ids of its
        ranks."""
        script = 'echo $$ >"rank.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}"; exec "$@"'
        process = subprocess.Popen(
            [*LAUNCHER, "sh", "-c", script, "sh", PROGRAM, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=environment(),
        )
        self.addCleanup(process.kill)
        seen = ""
        for line in process.stderr:
            seen += line
            if until in line:
                return process, [int((self.folder / f"rank.{rank}").read_text()) for rank in range(RANKS)]
        self.fail(f"{words}: never printed {until}: {seen}")

    def end_of(self, process):
        """Waits for a job that must fail without a result. Returns its standard output and standard error."""
        stdout, stderr = process.communicate(timeout=SECONDS_TO_HANG)
        self.assertNotEqual(process.returncode, 0, stderr)
        self.assertNotIn("harmonic_mean_TEPS", stdout)
        return stdout, stderr

    def messages_of(self, process):
        _, stderr = self.end_of(process)
        messages = [line for line in re.split(r"[\r\n]+", stderr) if "breadth: " in line]
        self.assertEqual(len(messages), 1, stderr)
        return messages[0], stderr

    def assert_gone(self, identifiers):
        """Checks that none of these processes still runs. The launcher may end shortly before them."""
        patience = time.monotonic() + SECONDS_TO_HANG
        for identifier in identifiers:
            while runs(identifier):
                self.assertLess(time.monotonic(), patience, "a rank still runs")
                time.sleep(0.05)

    def test_ends_when_a_rank_is_killed(self):
        if not LAUNCHER:
            self.skipTest("one rank")
        process, identifiers = self.start(*LONG_RUN, "--json", "r.json", until="bfs [")
        os.kill(identifiers[1], signal.SIGKILL)
        stdout, stderr = self.end_of(process)
        self.assertRegex(stderr + stdout, "(?i)rank 1.*signal 9|killed")  # MPICH's launcher uses standard output
        self.assertNotIn("breadth: ", stderr)  # the launcher has reported the failure
        self.assert_gone(identifiers)
        self.assertFalse((self.folder / "r.json").exists())

    def test_ends_when_a_rank_is_out_of_memory(self):
        process, identifiers = self.start(*LONG_RUN, "--json", "r.json", until="kernel 1")
        with open(f"/proc/{identifiers[LAST]}/statm") as sizes:
            now = int(sizes.read().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.prlimit(identifiers[LAST], resource.RLIMIT_AS, (now, now))
        message, _ = self.messages_of(process)
        self.assertRegex(message, "memory|cannot allocate")
        if LAUNCHER:
            self.assertIn(f"(on rank {LAST} of {RANKS})", message)
        self.assert_gone(identifiers)
        self.assertFalse((self.folder / "r.json").exists())

    def test_names_a_file_that_changes(self):
        self.succeed("generate", "kronecker", "--scale", "14", "--output", "whole.g500")
        size = os.path.getsize(self.path("whole.g500"))

        def overwrite(path):
            with open(path, "r+b") as file:
                file.write(bytes(120))

        changes = [
            (lambda path: os.truncate(path, 12), "became shorter"),
            (lambda path: os.truncate(path, size - 2040), "became shorter"),  # inside the last page
            (overwrite, "others wrote to it"),
        ]
        for change, how in changes:
            with self.subTest(how):
                shutil.copy(self.path("whole.g500"), self.path("graph.g500"))
                words = ["graph500", "--input", "graph.g500", "--keys", "4096", "--threads", "1"]
                process, _ = self.start(*words, until="bfs [")
                change(self.path("graph.g500"))
                message, stderr = self.messages_of(process)
                self.assertIn("'graph.g500' changed while it was read", message)
                self.assertIn(how, message)
                self.assertNotIn("validation", stderr.split("breadth: ")[-1])

    def test_says_where_ranks_are_when_one_is_stopped(self):
        if not LAUNCHER:
            self.skipTest("nobody else watches")
        process, identifiers = self.start(*LONG_RUN, "--watchdog", "1", "--json", "r.json", until="bfs [")
        os.kill(identifiers[1], signal.SIGSTOP)
        message, stderr = self.messages_of(process)
        self.assertIn("no progress for 1 s (--watchdog) on ", message)
        for rank in range(RANKS):
            self.assertRegex(stderr, rf"\n  rank {rank} of {RANKS}: kernel 2.*, for \d+\.\d s")
        self.assert_gone(identifiers)
        self.assertEqual([name for name in os.listdir(self.folder) if "r.json" in name], [])

    def test_runs_as_ever_while_it_is_watched(self):
        for words in [["graph500", "--scale", "10"], ["graph500", "--scale", "8", "--kernels", "sssp"]]:
            result = self.succeed(*words, "--watchdog", "100")
            self.assertNotIn("progress", result.stderr.split("harmonic")[-1])

    def test_refuses_to_be_several_runs_of_one_rank(self):
        if LAUNCHER:
            self.skipTest("its ranks are together")
        words = ["graph500", "--scale", "8", "--json", "run.json"]
        self.fail_with(words, "4 processes were started", "not connected", status=2, variables={"PMI_SIZE": "4"})
        self.succeed("graph500", "--scale", "8", "--keys", "2", variables={"PMI_SIZE": "1"})
        # srun sets this. Open MPI ends if srun offers no way to other ranks, even if there are none.
        self.fail_with(words, status=2, variables={"SLURM_STEP_NUM_TASKS": "4"})

    def test_starts_no_daemon_where_nobody_launched_it(self):
        if LAUNCHER:
            self.skipTest("a launcher has daemons of its own")
        process, (identifier,) = self.start(*LONG_RUN, until="bfs [")
        children = [task.read_text() for task in pathlib.Path(f"/proc/{identifier}/task").glob("*/children")]
        process.terminate()
        process.communicate(timeout=SECONDS_TO_HANG)
        self.assertEqual(set(children), {""})

    def run_words(self, *words, variables=None):
        options = {"capture_output": True, "text": True, "timeout": SECONDS_TO_HANG, "cwd": self.folder}
        return unless_given_up(lambda: subprocess.run(words, **options, env=environment(variables)))

    def run_mounted(self, size, folder, *words, variables=None):
        """Runs the words on all ranks with a tmpfs of that size mounted at `folder`."""
        script = 'folder="$1"; shift; mount -t tmpfs -o size="$0" none "$folder" || exit 99; '
        script += 'echo "$EARLIER" >"$folder/old.txt"; "$@"; status=$?; '
        script += 'ls -A "$folder" >left.txt; cat "$folder/old.txt" >>left.txt; exit $status'
        mounted = ["unshare", "--mount", "sh", "-c", script, size, folder, *LAUNCHER, PROGRAM, *words]
        try:
            result = self.run_words(*mounted, variables={"EARLIER": EARLIER, **(variables or {})})
        except FileNotFoundError:
            self.skipTest("no unshare")
        if result.returncode == 99 or "unshare" in result.stderr:
            self.skipTest(f"cannot mount: {result.stderr}")
        return result

    def assert_one_message(self, result, *parts):
        self.assertNotEqual(result.returncode, 0, result.stderr)
        messages = [line for line in result.stderr.splitlines() if line.startswith("breadth: ")]
        self.assertEqual(len(messages), 1, result.stderr)
        for part in parts:
            self.assertIn(part, messages[0])

    def test_names_a_file_that_may_not_be_as_large(self):
        if LAUNCHER:
            self.skipTest("MPI libraries have large files themselves")
        self.succeed("generate", "kronecker", "--scale", "10", "--weights", "--output", "graph.breadth")
        limited = "import os, resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        limited += "signal.signal(signal.SIGXFSZ, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
        bfs = ["bfs", "graph.breadth", "--source", "1"]
        for name, words in {
            "new.g500": ["convert", "graph.breadth", "new.g500"],
            "new.breadth": ["convert", "graph.breadth", "new.breadth"],
            "new.txt": ["convert", "graph.breadth", "new.txt"],
            "new.mtx": ["generate", "kronecker", "--scale", "10", "--output", "new.mtx"],
            "tree.npy": [*bfs, "--output", "tree.npy"],
            "tree.txt": [*bfs, "--output", "tree.txt"],
            "run.json": ["graph500", "--scale", "6", "--json", "run.json"],
        }.items():
            with self.subTest(name):
                self.write(name, EARLIER)
                before = sorted(self.folder.iterdir())
                result = self.run_words(sys.executable, "-c", limited, PROGRAM, *words)
                self.assert_one_message(result, f"cannot write '{name}", "File too large", "ulimit -f")
                self.assertEqual(result.returncode, 1)
                self.assertEqual((self.folder / name).read_text(), EARLIER)
                self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_goes_on_where_nobody_can_be_told(self):
        if LAUNCHER:
            self.skipTest("launchers read what ranks say")
        for redirection in ("2>/dev/full", "2>&-"):
            with self.subTest(redirection):
                words = [PROGRAM, "graph500", "--scale", "6", "--json", "run.json"]
                result = self.run_words("sh", "-c", f'exec "$@" {redirection}', "sh", *words)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn("harmonic_mean_TEPS", result.stdout)
                self.assertTrue(json.loads((self.folder / "run.json").read_text())["valid"])
                (self.folder / "run.json").unlink()

    def test_leaves_nothing_when_a_signal_ends_it(self):
        if LAUNCHER:
            self.skipTest("launchers have their own ideas about signals")
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR2):
            with self.subTest(number.name):
                self.write("graph.breadth", EARLIER)
                words = ["generate", "kronecker", "--scale", "24", "--output", "graph.breadth"]
                process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, env=environment())
                written = len(EARLIER)
                while process.poll() is None and written == len(EARLIER):
                    time.sleep(0.001)
                    written = sum(path.stat().st_size for path in self.folder.iterdir())
                process.send_signal(number)
                self.assertEqual(process.wait(SECONDS_TO_HANG), -number)
                self.assertEqual([path.name for path in self.folder.iterdir()], ["graph.breadth"])
                self.assertEqual((self.folder / "graph.breadth").read_text(), EARLIER)

    def test_leaves_nothing_on_a_disk_that_is_full(self):
        self.succeed("generate", "kronecker", "--scale", "10", "--output", "graph.breadth")
        (self.folder / "small").mkdir()
        for words in [
            ["convert", "graph.breadth", "small/old.txt"],
            ["convert", "graph.breadth", "small/new.breadth"],
            ["bfs", "graph.breadth", "--source", "1", "--output", "small/tree.npy"],
        ]:
            with self.subTest(words):
                result = self.run_mounted("8k", "small", *words)
                self.assert_one_message(result, "cannot write 'small/", "No space left on device; free some space")
                self.assertEqual((self.folder / "left.txt").read_text(), f"old.txt\n{EARLIER}\n")

    def test_says_that_ranks_have_folders_of_their_own(self):
        if not LAUNCHER:
            self.skipTest("one rank has one folder")
        script = 'mkdir "$1"; cd "$1"; shift; exec "$@"'
        script = f'set -- "rank${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" "$@"; {script}'
        generate = ["generate", "uniform", "--scale", "3", "--output", "graph.breadth"]
        result = self.run_words(*LAUNCHER, "sh", "-c", script, "sh", PROGRAM, *generate)
        self.assertEqual(result.returncode, 1)
        self.assert_one_message(result, "cannot write 'graph.breadth'", "not that of rank 0", f"(on rank 1 of {RANKS})")
        self.assertEqual([path for path in self.folder.rglob("*") if path.is_file()], [])

    def test_says_when_shared_memory_is_full(self):
        if not LAUNCHER or "Open MPI" not in self.run_words(*LAUNCHER[:1], "--version").stdout.replace(
            "OpenRTE", "Open MPI"
        ):
            self.skipTest("where shared memory is, is known of Open MPI alone")
        variables = {"OMPI_MCA_btl_vader_backing_directory": str(self.folder)}
        run = [
            "graph500",
            "--scale",
            "18",
            "--edgefactor",
            "1",
            "--keys",
            "1",
            "--threads",
            "1",
            "--replicate",
            "shared",
        ]
        result = self.run_mounted("16k", "/dev/shm", *run, variables=variables)
        self.assert_one_message(result, "/dev/shm", "are free", "--replicate allgather")
        result = self.run_mounted("16k", "/dev/shm", *LONG_RUN, "--watchdog", "9", variables=variables)
        self.assert_one_message(result, "/dev/shm", "are free")

    def test_has_one_thread_where_mpi_supports_no_more(self):
        if not THREAD_SINGLE or not LAUNCHER:
            self.skipTest("without MPI")
        variables = {"LD_PRELOAD": THREAD_SINGLE}
        self.write("edges.txt", "1 2\n2 3\n")
        self.succeed("graph500", "--scale", "8", "--json", "r.json", variables=variables)
        self.assertIn('"threads": 1', (self.folder / "r.json").read_text())
        self.succeed("bfs", "edges.txt", "--source", "1", "--threads", "1", variables=variables)
        for words in [["--threads", "2"], ["--watchdog", "9"]]:
            self.fail_with(["graph500", "--scale", "8", *words], words[0], "MPI_THREAD_SINGLE", variables=variables)


if __name__ == "__main__":
    main()
