"""Runs the program on simulated machines: networks that SimGrid describes, with a host for each rank.

The program is that of `cmake --preset simgrid`: one process and one thread hold all ranks. Only messages take time, by
the network's bandwidths and latencies. Computation takes none.
"""

import dataclasses
import json
import pathlib
import shutil
import subprocess
import tempfile

from listed_options import route_options

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/simgrid/bin/breadth"

SETTINGS = {
    "smpi/simulate-computation": "no",
    # Ranks share global variables, none of which change.
    "smpi/privatization": "no",
    "contexts/stack-size": "512",  # KiB a rank
    # Large messages share links. A small message takes the latency of its route.
    "network/model": "CM02",
    "network/crosstraffic": "0",
    "network/TCP-gamma": "0",
    # Collectives use MPICH's algorithms: most send log2(ranks) messages per rank.
    "smpi/coll-selector": "mpich",
    # Otherwise senders keep every small message until they end.
    "smpi/send-is-detached-thresh": "0",
    # Seconds that a probe for messages takes.
    "smpi/iprobe": "1e-6",
    "smpi/test": "1e-6",
}


class Failed(Exception):
    """A simulated run that did not succeed."""


@dataclasses.dataclass(frozen=True)
class Network:
    """A network with a rank on each host. Consecutive hosts are near each other."""

    topology: str  # SimGrid's name
    parameters: str  # SimGrid's topo_parameters
    parts: tuple[int, ...]  # hosts in a routing chip, switchboard, bunch and cabinet (docs/routes.md)
    group: int  # hosts in a group: messages between groups are long-distance

    def description(self, ranks):
        """The description that SimGrid reads. Links have 10 GB/s and a latency of a microsecond."""
        return (
            '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
            '<platform version="4.1">\n'
            f'  <cluster id="machine" prefix="host-" suffix="" radical="0-{ranks - 1}" speed="1Gf" '
            f'bw="10GBps" lat="1us" topology="{self.topology}" topo_parameters="{self.parameters}" '
            'loopback_bw="10GBps" loopback_lat="100ns"/>\n'
            "</platform>\n"
        )

    def places(self, ranks):
        """The file that --topology reads: a line for each rank."""
        return "".join(" ".join(str(rank // part) for part in self.parts) + "\n" for rank in range(ranks))


# Leaf switches of 16 hosts, four leaves to a pod, and half as many links up as down.
def fat_tree(ranks):
    return Network("FAT_TREE", f"3;16,4,{ranks // 64};1,8,4;1,1,1", (16, 64, ranks, ranks), 16)


# Groups of chassis of routers. For every two groups, a router of one is linked to a router of the other. SimGrid needs
# at least as many routers in a chassis as there are groups.
def dragonfly(ranks):
    shapes = {
        64: (4, 2, 4, 2),
        256: (8, 2, 8, 2),
        512: (8, 2, 8, 4),
        1024: (16, 1, 16, 4),
        2048: (16, 2, 16, 4),
        4096: (32, 1, 32, 4),
    }
    groups, chassis, routers, hosts = shapes[ranks]
    parts = (hosts, hosts * routers, hosts * routers * chassis, ranks)
    return Network("DRAGONFLY", f"{groups},2;{chassis},2;{routers},2;{hosts}", parts, parts[2])


# Three dimensions; a group is a plane.
def torus(ranks):
    x, y, z = {64: (4, 4, 4), 256: (4, 8, 8), 512: (8, 8, 8), 1024: (8, 8, 16), 2048: (8, 16, 16), 4096: (16, 16, 16)}[
        ranks
    ]
    return Network("TORUS", f"{x},{y},{z}", (x, x * y, ranks, ranks), x * y)


NETWORKS = {"fat tree": fat_tree, "dragonfly": dragonfly, "torus": torus}
RANKS = (64, 256, 512, 1024, 2048, 4096)


def output_of(command, network, ranks, folder, timeout=None):
    """Runs a command on `ranks` ranks, with files in `folder`, and returns what rank 0 prints. Raises Failed."""
    if not pathlib.Path(command[0]).exists():
        build = "cmake --preset simgrid && cmake --build --preset simgrid"
        raise Failed(f"{command[0]} does not exist; this builds it, with libsimgrid-dev: {build}")
    (folder / "network.xml").write_text(network.description(ranks))
    (folder / "hosts").write_text("".join(f"host-{rank}\n" for rank in range(ranks)))
    words = [shutil.which("smpirun") or "smpirun", "-np", str(ranks)]
    words += ["-platform", str(folder / "network.xml"), "-hostfile", str(folder / "hosts")]
    words += [f"--cfg={setting}:{value}" for setting, value in SETTINGS.items()]
    words += ["--log=root.thresh:error", *command]
    result = subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=timeout)
    if result.returncode != 0:
        raise Failed(f"{' '.join(words)} failed:\n{result.stderr[-4000:]}")
    return result.stdout


def simulate(network, ranks, words, *, program=PROGRAM, timeout=None):
    """Runs `program words --json ...` on `ranks` ranks and returns the report that it writes. Raises Failed."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        report = folder / "report.json"
        command = [str(program), *words, "--threads", "1", "--json", str(report)]
        if words[0] == "graph500":
            (folder / "places").write_text(network.places(ranks))
            command += ["--topology", str(folder / "places")]
        output_of(command, network, ranks, folder, timeout)
        return json.loads(report.read_text())


def routes(program=PROGRAM):
    """The options of each route that the program has, by the route's name."""
    with tempfile.TemporaryDirectory() as name:
        command = [str(program), "options", "--json"]
        return route_options(json.loads(output_of(command, torus(RANKS[0]), RANKS[0], pathlib.Path(name))))
