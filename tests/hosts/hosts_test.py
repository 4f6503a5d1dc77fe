"""The benchmark on several machines, as one machine can be them: each host is a network namespace with a link of
limited speed to a switch, a name, shared memory and temporary files of its own.

Usage: hosts_test.py PROGRAM MPIEXEC
Exits with 77 and says why where this system permits no namespaces, or mpiexec is not Open MPI's.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HOSTS = ["h1", "h2", "h3", "h4"]
RATE = "200mbit"
SKIPPED = 77
SECONDS_TO_HANG = 100
HERE = pathlib.Path(__file__).parent

# Everything that is made in these namespaces, processes too, is gone when the script ends.
NAMESPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
NAMESPACES += ["--propagation", "private"]
if os.geteuid() != 0:
    NAMESPACES.append("--map-root-user")

PARAMETERS = {
    "plm_rsh_agent": str(HERE / "enter_host"),
    "plm_rsh_no_tree_spawn": "1",
    "pml": "ob1",
    "btl": "self,vader,tcp",
    "btl_tcp_if_include": "eth0",
    "oob_tcp_if_include": "eth0",
    # So many seconds without an answer, and mpiexec gives a host up.
    "oob_tcp_keepalive_time": "2",
    "oob_tcp_keepalive_intvl": "1",
    "oob_tcp_keepalive_probes": "2",
    # Open MPI takes each host's processors for its own; without this, ranks that wait would keep the others from them.
    "mpi_yield_when_idle": "1",
}

LONG_RUN = ["graph500", "--scale", "12", "--keys", "4096", "--threads", "1"]


def tell(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def make_hosts(folder):
    """One switch, a link of each host to it."""
    tell("mount", "-t", "tmpfs", "tmpfs", "/run")
    tell("ip", "link", "set", "lo", "up")
    tell("ip", "link", "add", "switch", "type", "bridge")
    tell("ip", "link", "set", "switch", "up")
    addresses = ["127.0.0.1 localhost"]
    for number, host in enumerate(HOSTS, 1):
        tell("ip", "netns", "add", host)
        tell("ip", "link", "add", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
        tell("ip", "link", "set", f"to-{host}", "master", "switch", "up")
        tell("ip", "-n", host, "link", "set", "lo", "up")
        tell("ip", "-n", host, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
        tell("ip", "-n", host, "link", "set", "eth0", "up")
        for where in (["-n", host, "qdisc", "add", "dev", "eth0"], ["qdisc", "add", "dev", f"to-{host}"]):
            tell("tc", *where, "root", "tbf", "rate", RATE, "burst", "64kb", "latency", "50ms")
        addresses.append(f"10.77.0.{number} {host}")
    (folder / "hosts").write_text("\n".join(addresses) + "\n")


def bytes_on_links():
    """What all hosts have sent so far, headers and all."""
    links = json.loads(tell("ip", "-json", "-stats", "link", "show"))
    return sum(link["stats64"]["rx"]["bytes"] for link in links if link["ifname"].startswith("to-"))


def processes_on(host, name=None):
    """The processes in the network of a host, or those of one name."""
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
    """All at once: no process of the host tells of another's end."""
    doomed = processes_on(host)
    for how in (signal.SIGSTOP, signal.SIGKILL):
        for one in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, how)


class SeveralHosts(unittest.TestCase):
    def command(self, ranks_of_hosts, *words):
        """The program on hosts with so many ranks each."""
        hosts = ",".join(f"{host}:{ranks}" for host, ranks in zip(HOSTS, ranks_of_hosts, strict=True))
        parameters = [word for name, value in PARAMETERS.items() for word in ("--mca", name, value)]
        mpiexec = [MPIEXEC, *parameters, "--bind-to", "none", "--host", hosts, "-n", str(sum(ranks_of_hosts))]
        return [str(HERE / "enter_host"), HOSTS[0], *mpiexec, PROGRAM, *words]

    def report_of(self, command):
        """What a run that ends well writes, and the bytes that crossed links meanwhile."""
        file = FOLDER / "report.json"
        before = bytes_on_links()
        result = subprocess.run(
            [*command, "--json", str(file)], capture_output=True, text=True, cwd=FOLDER, timeout=SECONDS_TO_HANG
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(file.read_text()), bytes_on_links() - before

    def start(self, *words, ranks_of_hosts=(1, 1, 1, 1)):
        """Starts a run; returns once it searches."""
        process = subprocess.Popen(
            self.command(ranks_of_hosts, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=FOLDER,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        seen = ""
        for line in process.stderr:
            seen += line
            if "kernel 2" in line:
                return process
        self.fail(seen)

    def end_of(self, process, hosts=HOSTS):
        """Standard error of a run that ends with an error, on these hosts."""
        stdout, stderr = process.communicate(timeout=SECONDS_TO_HANG)
        self.assertNotEqual(process.returncode, 0, stderr)
        self.assertNotIn("harmonic_mean_TEPS", stdout)
        patience = time.monotonic() + SECONDS_TO_HANG
        while any(processes_on(host, "breadth") for host in hosts):
            self.assertLess(time.monotonic(), patience, "ranks are left over")
            time.sleep(0.1)
        return stderr

    def test_every_preset_is_valid_on_uneven_hosts(self):
        presets = re.findall(r"^  ([a-z]+[0-9]*) {2,}", tell(PROGRAM, "--help").split("\nPresets:\n")[1], re.MULTILINE)
        self.assertIn("auto", presets)
        for preset in presets:
            words = ["graph500", "--scale", "9", "--keys", "4", "--threads", "1", "--preset", preset]
            report, _ = self.report_of(self.command([3, 1, 2, 1], *words))
            self.assertTrue(report["complete"] and report["valid"], preset)
            self.assertEqual(report["ranks"], 7)

    def traffic_of(self, ranks_of_hosts, *words):
        """Bytes that searches count between nodes, and those that crossed links in the whole run."""
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
        """What a push sends more than a pull crosses links more, headers aside: all else of the two is the same."""
        for ranks_of_hosts in ([1, 1, 1, 1], [2, 1, 3, 1]):
            push = self.traffic_of(ranks_of_hosts, "--direction", "push", "--packets", "pairs")
            pull = self.traffic_of(ranks_of_hosts, "--direction", "pull", "--leaves", "levels", "--replicate", "leader")
            counted, crossed = (more - less for more, less in zip(push, pull, strict=True))
            self.assertGreater(crossed, counted)
            self.assertLess(crossed, 1.1 * counted)

    def test_a_host_is_a_node(self):
        """Hosts count as do nodes of so many ranks that one machine is taken for."""
        words = ["graph500", "--scale", "10", "--keys", "8", "--threads", "1"]
        words += ["--direction", "pull", "--replicate", "leader"]
        hosts, _ = self.report_of(self.command([2, 2, 2, 1], *words))
        one = [MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", "7", PROGRAM, *words, "--ranks-per-node", "2"]
        simulated, _ = self.report_of(one)
        for here, there in zip(hosts["bfs"]["runs"], simulated["bfs"]["runs"], strict=True):
            bytes_here = [level["bytes_between_nodes"] for level in here["levels"]]
            self.assertEqual(bytes_here, [level["bytes_between_nodes"] for level in there["levels"]])
            self.assertGreater(sum(bytes_here), 0)
            self.assertLess(sum(bytes_here), sum(level["bytes"] for level in here["levels"]))

    def test_ends_when_a_rank_is_killed(self):
        process = self.start(*LONG_RUN)
        (rank,) = processes_on(HOSTS[2], "breadth")
        os.kill(rank, signal.SIGKILL)
        self.assertRegex(self.end_of(process), "(?i)rank 2.*h3.*signal 9")

    def test_ends_when_a_host_is_gone(self):
        process = self.start(*LONG_RUN)
        kill_all(HOSTS[3])
        self.assertRegex(self.end_of(process), "(?s)lost communication.*on node h4")

    def test_ends_when_a_link_is_cut(self):
        process = self.start(*LONG_RUN)
        tell("ip", "link", "set", "to-h4", "nomaster")
        self.addCleanup(tell, "ip", "link", "set", "to-h4", "master", "switch")
        self.addCleanup(kill_all, HOSTS[3])  # what runs on there must not meet the next run
        self.assertRegex(self.end_of(process, HOSTS[:3]), "(?s)lost communication.*on node h4")

    def test_says_where_ranks_are_when_one_on_another_host_is_stopped(self):
        process = self.start(*LONG_RUN, "--watchdog", "1", ranks_of_hosts=[1, 2, 1, 1])
        rank = max(processes_on(HOSTS[1], "breadth"))
        os.kill(rank, signal.SIGSTOP)
        stderr = self.end_of(process)
        report = r"breadth: no progress for 1 s \(--watchdog\) on h2; the ranks there are in\n"
        self.assertRegex(stderr, report + r"  rank 1 of 5: .+, for .* s\n  rank 2 of 5: .+, for .* s\n")


def why_not():
    """Why hosts cannot be made here; nothing where they can."""
    for tool in ("unshare", "nsenter", "ip", "tc"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    version = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True).stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return "mpiexec is not Open MPI's"
    probe = subprocess.run(
        [*NAMESPACES, "sh", "-ec", "mount -t tmpfs tmpfs /run; ip netns add probe; ip link add probe type bridge"],
        capture_output=True,
        text=True,
    )
    return f"namespaces are not permitted: {probe.stderr.strip()}" if probe.returncode != 0 else None


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # where ip and tc are
    PROGRAM, MPIEXEC = os.path.abspath(sys.argv[1]), shutil.which(sys.argv[2])
    if "HOSTS_FOLDER" not in os.environ:
        reason = why_not()
        if reason:
            print(f"hosts_test: skipped: {reason}")
            sys.exit(SKIPPED)
        with tempfile.TemporaryDirectory() as folder:
            variables = {name: value for name, value in os.environ.items() if not name.startswith("BREADTH_")}
            variables |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
            variables |= {"HOSTS_FOLDER": folder, "TMPDIR": folder}
            sys.exit(subprocess.run([*NAMESPACES, sys.executable, *sys.argv], env=variables).returncode)
    FOLDER = pathlib.Path(os.environ["HOSTS_FOLDER"])
    make_hosts(FOLDER)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
