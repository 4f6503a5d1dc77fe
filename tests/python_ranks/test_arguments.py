"""Wrong arguments of a DistributedGraph, and arguments that differ between ranks."""

import re

import breadth
import numpy as np
import pytest
from mpi4py import MPI

WORLD = MPI.COMM_WORLD


def test_arguments_that_are_of_the_wrong_kind():
    for wrong, error in ((-1, ValueError), (1.5, TypeError), ("3", TypeError), (range(3), TypeError)):
        with pytest.raises(error, match=rf"^vertices is {re.escape(repr(wrong))}; it must be "):
            breadth.DistributedGraph.from_edges([0], [1], vertices=wrong)
    with pytest.raises(TypeError, match=r"^comm is 5; it must be a communicator of mpi4py"):
        breadth.DistributedGraph.from_edges([0], [1], comm=5)
    with pytest.raises(ValueError, match=r"exchange=bulk and direction=pull exclude each other.* pull=messages"):
        breadth.DistributedGraph.from_edges([0], [1]).bfs(0, exchange="bulk", direction="pull")


@pytest.mark.skipif(WORLD.size == 1, reason="one rank gives the same as itself")
def test_arguments_that_differ_are_errors_on_every_rank():
    last = WORLD.rank == WORLD.size - 1
    g = breadth.DistributedGraph.from_edges([0, 1], [1, 2], [1, 2])
    calls = {
        "directed is False": lambda: breadth.DistributedGraph.from_edges([0], [1], directed=last),
        "vertices is 5": lambda: breadth.DistributedGraph.from_edges([0], [1], vertices=None if last else 5),
        "order is 'label'": lambda: breadth.DistributedGraph.from_edges(
            [0], [1], **({} if last else {"order": "label"})
        ),
        "path is 'a.txt'": lambda: breadth.DistributedGraph.read("b.txt" if last else "a.txt"),
        "scale is 3": lambda: breadth.DistributedGraph.kronecker(4 if last else 3),
        "source is 0": lambda: g.bfs(int(last)),
        "max_depth is None": lambda: g.bfs(0, max_depth="no number" if last else None),
        "targets is [1]": lambda: g.bfs(0, targets=[2] if last else [1]),
        "direction is not given": lambda: g.bfs(0, **({"direction": "push"} if last else {})),
        "cutoff is 1.5": lambda: g.sssp(0, cutoff=2.5 if last else 1.5),
        "sources is [0, 1]": lambda: g.multi_source_bfs([0] if last else [0, 1]),
        "target is 1": lambda: g.bfs(0).path_to(1 + last),
        "root is 0": lambda: g.bfs(0).gather(int(last)),
        "k is 1": lambda: g.k_hop([0], 1 + last),
    }
    for first, call in calls.items():
        with pytest.raises(
            ValueError, match=rf"^{re.escape(first)} on rank 0 and .*; every rank must give the same value$"
        ):
            call()
    everything = WORLD.bcast(g.bfs(np.int64(0) if last else 0, targets=iter([2])).gather())
    assert everything["levels"].tolist() == [0, 1, 2]
