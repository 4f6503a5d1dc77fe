"""Starts the program so that none of its processes outlives the soak, and tells crashes from ordinary ends."""

import contextlib
import dataclasses
import os
import pathlib
import re
import select
import signal
import subprocess
import time

CRASHES = re.compile(
    r"(AddressSanitizer|ThreadSanitizer|LeakSanitizer|MemorySanitizer|: runtime error: |terminate called|"
    r"Assertion .* failed|Signal code:|exited on signal|Segmentation fault|Bus error|__glibcxx_assert)"
)


@dataclasses.dataclass
class Run:
    """How a run of the program ended. A run without a status did not end and was killed."""

    status: int | None
    stdout: str
    stderr: str

    @property
    def crash(self):
        """The sign of a crash, or None if the run did not crash."""
        found = CRASHES.search(self.stderr)
        if found:
            return found[0]
        if self.status is None or 0 <= self.status < 128:
            return None
        number = -self.status if self.status < 0 else self.status - 128
        known = number in signal.valid_signals()
        return f"signal {signal.Signals(number).name}" if known else f"status {self.status}"

    @property
    def messages(self):
        return [line for line in self.stderr.splitlines() if line.startswith("breadth: ")]


def clean_environment(folder):
    """The environment of all runs: no options from outside, and temporary files of MPI libraries in `folder`."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("BREADTH_")}
    variables.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    variables.update({"TMPDIR": str(folder), "OMPI_MCA_orte_tmpdir_base": str(folder)})
    variables.setdefault("OMPI_MCA_pml", "ob1")  # Open MPI chooses it anyway, after 0.2 s with network drivers
    return variables


def run_program(words, folder, environment, seconds):
    """Runs a command in a folder, for the given seconds at most."""
    with open(folder / "stdout.txt", "wb") as stdout, open(folder / "stderr.txt", "wb") as stderr:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            status = process.returncode if ends_within(process, seconds) else None
        finally:
            if process.poll() is None:
                kill_session(process)
    return Run(status, read_text(folder / "stdout.txt"), read_text(folder / "stderr.txt"))


def ends_within(process, seconds):
    """Whether a process ends within so many seconds, times the load per core if that is more than one."""
    waiting = select.poll()
    descriptor = os.pidfd_open(process.pid)
    try:
        waiting.register(descriptor, select.POLLIN)
        ended = waiting.poll(1000 * seconds)
        wanting = os.getloadavg()[0] / len(os.sched_getaffinity(0))
        if not ended and not (wanting > 1 and waiting.poll(1000 * seconds * (wanting - 1))):
            return False
    finally:
        os.close(descriptor)
    process.wait()
    return True


def kill_session(process):
    """Kills the process and all processes that it started. A launcher gives each rank a process group of its own, but
    all ranks stay in the session."""
    for _ in range(50):
        left = [pid for pid in session_members(process.pid) if pid != process.pid]
        for pid in [*left, process.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            break
        time.sleep(0.02)
    process.wait()


def session_members(session):
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            yield int(entry.name)


def read_text(path):
    return path.read_bytes().decode("utf-8", "surrogateescape")
