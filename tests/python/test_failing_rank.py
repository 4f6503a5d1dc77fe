"""One of the ranks of a distributed graph fails on its own."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import breadth
from mpi4py import MPI

g = breadth.DistributedGraph.kronecker(8)
g.bfs(3, replicate="shared")
if MPI.COMM_WORLD.rank == 1:
    raise ValueError("on one rank alone")
g.bfs(3, replicate="shared")
"""


def test_it_ends_the_others(tmp_path):
    launcher = os.environ.get("TEST_LAUNCHER")
    if not launcher:
        pytest.skip("TEST_LAUNCHER does not say how ranks are started")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    # The search uses shared memory, which ranks can free only together.
    command = [*launcher.split(), "2", sys.executable, "-m", "mpi4py", str(script)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode != 0
    assert "on one rank alone" in ended.stderr
