"""Several hosts on one machine: each is a network namespace with a link of limited speed to a switch, and with a name,
shared memory and temporary files of its own. Open MPI starts programs on them.

A script calls run_among_hosts() first. If hosts can be made, the script is started again among them, and everything
that it makes and starts is gone when it ends:

    hosts = run_among_hosts(names=["h1", "h2"], mpiexec="mpiexec")
"""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ENTER_HOST = str(pathlib.Path(__file__).resolve().parent / "enter_host")

# Everything that is made in these namespaces, including processes, is gone when the script ends.
NAMESPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
NAMESPACES += ["--propagation", "private"]
if os.geteuid() != 0:
    NAMESPACES.append("--map-root-user")

PARAMETERS = {
    "plm_rsh_agent": ENTER_HOST,
    "plm_rsh_no_tree_spawn": "1",
    "pml": "ob1",
    "btl": "self,vader,tcp",
    "btl_tcp_if_include": "eth0",
    "oob_tcp_if_include": "eth0",
    # After this many seconds without an answer mpiexec gives up a host.
    "oob_tcp_keepalive_time": "2",
    "oob_tcp_keepalive_intvl": "1",
    "oob_tcp_keepalive_probes": "2",
    # Open MPI takes the processors of each host for its own. Without this, waiting ranks would keep others from
    # running.
    "mpi_yield_when_idle": "1",
}


def run_command(*words):
    """Returns the standard output of a command that must succeed."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@dataclasses.dataclass(frozen=True)
class Hosts:
    """Hosts on one switch. All hosts see the files in `folder`."""

    names: list[str]
    folder: pathlib.Path
    mpiexec: str

    def make(self, rate):
        """Makes the switch, and a link from each host to it that carries `rate` bits a second each way ("200mbit")."""
        run_command("mount", "-t", "tmpfs", "tmpfs", "/run")
        run_command("ip", "link", "set", "lo", "up")
        run_command("ip", "link", "add", "switch", "type", "bridge")
        run_command("ip", "link", "set", "switch", "up")
        addresses = ["127.0.0.1 localhost"]
        for number, host in enumerate(self.names, 1):
            run_command("ip", "netns", "add", host)
            run_command("ip", "link", "add", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
            run_command("ip", "link", "set", f"to-{host}", "master", "switch", "up")
            run_command("ip", "-n", host, "link", "set", "lo", "up")
            run_command("ip", "-n", host, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
            run_command("ip", "-n", host, "link", "set", "eth0", "up")
            addresses.append(f"10.77.0.{number} {host}")
        (self.folder / "hosts").write_text("\n".join(addresses) + "\n")
        self.limit(rate)

    def limit(self, rate):
        """Limits the links to `rate` bits a second from now on."""
        for host in self.names:
            for where in (["-n", host, "qdisc", "replace", "dev", "eth0"], ["qdisc", "replace", "dev", f"to-{host}"]):
                run_command("tc", *where, "root", "tbf", "rate", rate, "burst", "64kb", "latency", "50ms")

    def bytes_sent(self):
        """Bytes that all hosts have sent so far, with headers."""
        links = json.loads(run_command("ip", "-json", "-stats", "link", "show"))
        return sum(link["stats64"]["rx"]["bytes"] for link in links if link["ifname"].startswith("to-"))

    def command(self, ranks_of_hosts, *words):
        """The command that starts a program with ranks_of_hosts[i] ranks on host i."""
        used = ((host, ranks) for host, ranks in zip(self.names, ranks_of_hosts, strict=True) if ranks)
        hosts = ",".join(f"{host}:{ranks}" for host, ranks in used)
        parameters = [word for name, value in PARAMETERS.items() for word in ("--mca", name, value)]
        mpiexec = [self.mpiexec, *parameters, "--bind-to", "none", "--host", hosts, "-n", str(sum(ranks_of_hosts))]
        return [ENTER_HOST, self.names[0], *mpiexec, *map(str, words)]


def why_not(mpiexec):
    """Why hosts cannot be made here; None if they can."""
    for tool in ("unshare", "nsenter", "ip", "tc"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    version = subprocess.run([mpiexec, "--version"], capture_output=True, text=True).stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return "mpiexec is not Open MPI's"
    probe = subprocess.run(
        [*NAMESPACES, "sh", "-ec", "mount -t tmpfs tmpfs /run; ip netns add probe; ip link add probe type bridge"],
        capture_output=True,
        text=True,
    )
    return f"namespaces are not permitted: {probe.stderr.strip()}" if probe.returncode != 0 else None


def run_among_hosts(names, mpiexec, rate, *, skipped):
    """Returns hosts of these names, made only for this script, which is started again in their namespaces. If the
    system does not permit hosts, the script says why and ends with the status `skipped`."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # where ip and tc are
    mpiexec = shutil.which(mpiexec) or mpiexec
    if "HOSTS_FOLDER" not in os.environ:
        reason = why_not(mpiexec)
        if reason:
            print(f"{pathlib.Path(sys.argv[0]).stem}: skipped: {reason}")
            sys.exit(skipped)
        with tempfile.TemporaryDirectory() as folder:
            variables = {name: value for name, value in os.environ.items() if not name.startswith("BREADTH_")}
            variables |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
            variables |= {"HOSTS_FOLDER": folder, "TMPDIR": folder}
            sys.exit(subprocess.run([*NAMESPACES, sys.executable, *sys.argv], env=variables).returncode)
    hosts = Hosts(names, pathlib.Path(os.environ["HOSTS_FOLDER"]), mpiexec)
    hosts.make(rate)
    return hosts
