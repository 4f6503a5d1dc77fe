"""The benchmark on several hosts, which one machine simulates: each host is a network namespace with a link of limited
speed to a switch, and with a name, shared memory and temporary files of its own.

Usage: hosts_test.py PROGRAM MPIEXEC
Exits with 77 and says why where this system permits no namespaces, or mpiexec is not Open MPI's.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from hosts import run_among_hosts, run_command

NAMES = ["h1", "h2", "h3", "h4"]
SKIPPED = 77
SECONDS_TO_HANG = 100

LONG_RUN = ["graph500", "--scale", "12", "--keys", "4096", "--threads", "1"]


def processes_on(host, name=None):
    """Returns the processes in the network namespace of a host, or only those with this name."""
    network = os.stat(f"/run/netns/{host}")
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            own = os.stat(entry / "ns/net")
            if (own.st_dev, own.st_ino) != (network.st_dev, network.st_ino):
                continue
            if name is None or (entry / "comm").read_text().strip() == name:
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def kill_all(host):
    """Kills all processes of a host at once, so that no process can report the end of another."""
    doomed = processes_on(host)
    for how in (signal.SIGSTOP, signal.SIGKILL):
        for one in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, how)


class SeveralHosts(unittest.TestCase):
    def command(self, ranks_of_hosts, *words):
        """Returns the command that starts the program with these numbers of ranks on the hosts."""
        return HOSTS.command(ranks_of_hosts, PROGRAM, *words)

    def report_of(self, command):
        """Runs a command that must succeed. Returns its report, and the bytes that crossed links meanwhile."""
        file = HOSTS.folder / "report.json"
        before = HOSTS.bytes_sent()
        result = subprocess.run(
            [*command, "--json", str(file)], capture_output=True, text=True, cwd=HOSTS.folder, timeout=SECONDS_TO_HANG
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(file.read_text()), HOSTS.bytes_sent() - before

    def start(self, *words, ranks_of_hosts=(1, 1, 1, 1)):
        """Starts a run. Returns once it searches."""
        process = subprocess.Popen(
            self.command(ranks_of_hosts, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=HOSTS.folder,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        seen = ""
        for line in process.stderr:
            seen += line
            if "kernel 2" in line:
                return process
        self.fail(seen)

    def end_of(self, process, hosts=NAMES):
        """Waits for a run that must fail. Returns its standard error once it has ended on these hosts."""
        stdout, stderr = process.communicate(timeout=SECONDS_TO_HANG)
        self.assertNotEqual(process.returncode, 0, stderr)
        self.assertNotIn("harmonic_mean_TEPS", stdout)
        patience = time.monotonic() + SECONDS_TO_HANG
        while any(processes_on(host, "breadth") for host in hosts):
            self.assertLess(time.monotonic(), patience, "ranks are left over")
            time.sleep(0.1)
        return stderr

    def test_every_preset_is_valid_on_uneven_hosts(self):
        help_text = run_command(PROGRAM, "--help").split("\nPresets:\n")[1]
        presets = re.findall(r"^  ([a-z]+[0-9]*) {2,}", help_text, re.MULTILINE)
        self.assertIn("auto", presets)
        for preset in presets:
            words = ["graph500", "--scale", "9", "--keys", "4", "--threads", "1", "--preset", preset]
            report, _ = self.report_of(self.command([3, 1, 2, 1], *words))
            self.assertTrue(report["complete"] and report["valid"], preset)
            self.assertEqual(report["ranks"], 7)

    def traffic_of(self, ranks_of_hosts, *words):
        """Returns the bytes that searches count between nodes, and the bytes that crossed links in the whole run."""
        words = ["graph500", "--scale", "13", "--keys", "16", "--threads", "1", "--validate", "none", *words]
        report, crossed = self.report_of(self.command(ranks_of_hosts, *words))
        search = report["bfs"]
        levels = [level for run in search["runs"] for level in [*run["levels"], run["leaves"]]]
        between_nodes = [level["bytes_between_nodes"] for level in levels]
        if None not in between_nodes:
            return sum(between_nodes), crossed
        host_of = [host for host, ranks in enumerate(ranks_of_hosts) for _ in range(ranks)]
        matrix = search["communication"]["bytes"]
        return sum(
            bytes_sent
            for sender, row in enumerate(matrix)
            for receiver, bytes_sent in enumerate(row)
            if host_of[sender] != host_of[receiver]
        ), crossed

    def test_bytes_between_nodes_are_what_crosses_links(self):
        """A push sends more bytes than a pull, and the difference crosses links, apart from headers: everything else in
        the two runs is equal."""
        for ranks_of_hosts in ([1, 1, 1, 1], [2, 1, 3, 1]):
            push = self.traffic_of(ranks_of_hosts, "--direction", "push", "--packets", "pairs")
            pull = self.traffic_of(ranks_of_hosts, "--direction", "pull", "--leaves", "levels", "--replicate", "leader")
            counted, crossed = (more - less for more, less in zip(push, pull, strict=True))
            self.assertGreater(crossed, counted)
            self.assertLess(crossed, 1.1 * counted)

    def test_a_host_is_a_node(self):
        """Hosts count as nodes, as when --ranks-per-node divides one machine into nodes."""
        words = ["graph500", "--scale", "10", "--keys", "8", "--threads", "1"]
        words += ["--direction", "pull", "--replicate", "leader"]
        hosts, _ = self.report_of(self.command([2, 2, 2, 1], *words))
        one = [
            HOSTS.mpiexec,
            "--oversubscribe",
            "--bind-to",
            "none",
            "-n",
            "7",
            PROGRAM,
            *words,
            "--ranks-per-node",
            "2",
        ]
        simulated, _ = self.report_of(one)
        for here, there in zip(hosts["bfs"]["runs"], simulated["bfs"]["runs"], strict=True):
            bytes_here = [level["bytes_between_nodes"] for level in here["levels"]]
            self.assertEqual(bytes_here, [level["bytes_between_nodes"] for level in there["levels"]])
            self.assertGreater(sum(bytes_here), 0)
            self.assertLess(sum(bytes_here), sum(level["bytes"] for level in here["levels"]))

    def test_links_say_whether_hubs_pay(self):
        words = ["graph500", "--scale", "13", "--keys", "4", "--threads", "1"]
        report, _ = self.report_of(self.command([2, 1, 1, 1], *words))
        why = report["link_hubs"]
        self.assertTrue(report["valid"])
        self.assertEqual(why["chosen"], why["saved_seconds"] > why["round_seconds"])
        self.assertEqual(report["options"]["hubs"], "auto" if why["chosen"] else "none")
        self.assertEqual(report["construction"]["hubs"] > 0, why["chosen"])
        self.assertIn("calibration", report)
        for given in (["--hubs", "none"], ["--preset", "cui2012"], ["--calibrate", "0"]):
            report, _ = self.report_of(self.command([1, 1, 0, 0], *words, *given))
            self.assertNotIn("link_hubs", report)

    def test_ends_when_a_rank_is_killed(self):
        process = self.start(*LONG_RUN)
        (rank,) = processes_on(NAMES[2], "breadth")
        os.kill(rank, signal.SIGKILL)
        self.assertRegex(self.end_of(process), "(?i)rank 2.*h3.*signal 9")

    def test_ends_when_a_host_is_gone(self):
        process = self.start(*LONG_RUN)
        kill_all(NAMES[3])
        self.assertRegex(self.end_of(process), "(?s)lost communication.*on node h4")

    def test_ends_when_a_link_is_cut(self):
        process = self.start(*LONG_RUN)
        run_command("ip", "link", "set", "to-h4", "nomaster")
        self.addCleanup(run_command, "ip", "link", "set", "to-h4", "master", "switch")
        self.addCleanup(kill_all, NAMES[3])  # processes left on this host must not disturb the next run
        self.assertRegex(self.end_of(process, NAMES[:3]), "(?s)lost communication.*on node h4")

    def test_says_where_ranks_are_when_one_on_another_host_is_stopped(self):
        process = self.start(*LONG_RUN, "--watchdog", "1", ranks_of_hosts=[1, 2, 1, 1])
        rank = max(processes_on(NAMES[1], "breadth"))
        os.kill(rank, signal.SIGSTOP)
        stderr = self.end_of(process)
        report = r"breadth: no progress for 1 s \(--watchdog\) on h2; the ranks there are in\n"
        self.assertRegex(stderr, report + r"  rank 1 of 5: .+, for .* s\n  rank 2 of 5: .+, for .* s\n")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    HOSTS = run_among_hosts(NAMES, sys.argv[2], "200mbit", skipped=SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
