"""Wrong arguments of a DistributedGraph, and arguments that differ between ranks."""

import itertools
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


def test_arguments_that_are_wrong_on_one_rank_are_errors_on_every_rank():
    last = WORLD.rank == WORLD.size - 1
    graph_of = breadth.DistributedGraph.from_edges
    for wrong, kind in ((0, ValueError), ("2", TypeError)):  # only the number of threads may differ between ranks
        for make in (
            lambda n: graph_of([0], [1], threads=n),
            lambda n: breadth.DistributedGraph.kronecker(3, threads=n),
        ):
            with pytest.raises(kind, match=rf"^threads is {wrong!r}; it must be "):
                make(wrong if last else 1)
    with pytest.raises(ValueError, match=r"^the label '\\ud800' is not text"):
        graph_of(["\ud800" if last else "a"], ["b"])
    with pytest.raises(OSError, match="a disk of one rank"):
        graph_of(FailsAlone() if last else [0], [1])


class FailsAlone:
    def __iter__(self):
        raise OSError("a disk of one rank")


def test_numbers_and_roots():
    g = breadth.DistributedGraph.kronecker(np.int32(4), np.int64(3), weighted=np.True_)
    assert (len(g), g.weighted) == (16, True)
    for arguments, error, words in (
        (("4",), TypeError, "scale is '4'; it must be a whole number"),
        ((43,), ValueError, "scale is 43; it must be at most 42"),
        ((4, -3), ValueError, "edgefactor is -3; it must be at least 1"),
    ):
        with pytest.raises(error, match=f"^{words}$"):
            breadth.DistributedGraph.kronecker(*arguments)
    with pytest.raises(TypeError, match=r"^weighted is 'no'; it must be True or False$"):
        breadth.DistributedGraph.kronecker(4, weighted="no")
    with pytest.raises(TypeError, match=r"^exact is 'no'; it must be True or False$"):
        breadth.DistributedGraph.from_edges([0], [1], [1], exact="no")
    result = g.bfs(1.0)  # as in one process, the label 1
    assert WORLD.bcast(result.reached) == g.bfs(1).reached
    for root, error in ((WORLD.size, ValueError), (-1, ValueError), ("0", TypeError), (None, TypeError)):
        with pytest.raises(error, match=rf"^root is {root!r}; it must be "):
            result.gather(root)
    with pytest.raises(ValueError, match="there is no option comm: bfs takes max_depth"):
        g.bfs(1, comm=WORLD)


def test_communicators_that_no_graph_can_have():
    copy = WORLD.Dup()
    g = breadth.DistributedGraph.from_edges([0], [1], comm=copy)
    copy.Free()
    with pytest.raises(ValueError, match="the communicator of the graph was freed"):
        g.bfs(0)
    with pytest.raises(ValueError, match="comm is a null communicator"):
        breadth.DistributedGraph.from_edges([0], [1], comm=copy)
    if WORLD.size > 1:
        half = WORLD.Split(WORLD.rank % 2)
        between = half.Create_intercomm(0, WORLD, 1 - WORLD.rank % 2)
        with pytest.raises(TypeError, match="comm is an intercommunicator"):
            breadth.DistributedGraph.kronecker(3, comm=between)
        between.Free()
        half.Free()


class OrderOfRank(set):
    """A set whose order differs between ranks, as that of any set of strings does."""

    def __iter__(self):
        return iter(sorted(super().__iter__(), reverse=WORLD.rank % 2 == 1))


def test_sets_of_labels_have_one_order_on_all_ranks():
    path = [f"v{i}" for i in range(10, 30)]
    g = breadth.DistributedGraph.from_edges(path[:-1], path[1:])
    near = OrderOfRank(path[:6])
    found = WORLD.bcast(g.bfs("v10", targets=near).gather())
    assert dict(zip(found["labels"], found["levels"].tolist(), strict=True)) == dict(
        zip(path, [*range(6), *[-1] * 14], strict=True)
    )
    assert g.multi_source_bfs(near, max_depth=1).reached == 7
    assert sorted(itertools.chain(*WORLD.allgather(g.k_hop(near, 1).tolist()))) == path[:7]


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
        "targets is [2]": lambda: g.bfs(0, targets=iter([2, 1] if last else [2])),
        "targets is [0, 0, ": lambda: g.bfs(0, targets=[0] * 2000 + [1 + last]),
        "sources is [2]": lambda: g.k_hop((label for label in ([2, 1] if last else [2])), 1),
        "exact is True": lambda: breadth.DistributedGraph.from_edges([0], [1], [0.1], exact=not last),
        "direction is not given": lambda: g.bfs(0, **({"direction": "push"} if last else {})),
        "cutoff is 1.5": lambda: g.sssp(0, cutoff=2.5 if last else 1.5),
        "sources is [0, 1]": lambda: g.multi_source_bfs([0] if last else [0, 1]),
        "target is 1": lambda: g.bfs(0).path_to(1 + last),
        "root is 0": lambda: g.bfs(0).gather(int(last)),
        "k is 1": lambda: g.k_hop([0], 1 + last),
    }
    for first, call in calls.items():
        with pytest.raises(
            ValueError, match=rf"^{re.escape(first)}.* on rank 0 and .*; every rank must give the same value$"
        ):
            call()
    everything = WORLD.bcast(g.bfs(np.int64(0) if last else 0, targets=iter([2])).gather())
    assert everything["levels"].tolist() == [0, 1, 2]
