"""Results of searches on graphs that are distributed over the ranks of an MPI communicator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ._agreement import together
from ._options import whole

if TYPE_CHECKING:
    from ._engine import RankTree, SearchLog
    from ._ranks import DistributedGraph


def named(labels: npt.NDArray[np.int64] | list[str | None]) -> npt.NDArray[Any]:
    """Return labels from the engine as a numpy array: int64, or objects."""
    if isinstance(labels, np.ndarray):
        return labels
    return np.fromiter(labels, dtype=object, count=len(labels))


_Columns = dict[str, npt.NDArray[Any]]
_GATHERED_AT_ONCE = 1 << 22  # elements on all ranks: MPI counts the bytes of a message in 32 bits


def _gathered(comm: Any, column: npt.NDArray[Any], counts: list[int], root: int) -> npt.NDArray[Any]:
    """Return the column of all ranks on rank root, and an empty one on others. Collective.

    counts: the number of elements of each rank's part.
    """
    whole = together(comm, lambda: np.empty(sum(counts) if comm.rank == root else 0, dtype=column.dtype))
    piece = max(1, _GATHERED_AT_ONCE // comm.size)
    begins = np.cumsum([0, *counts])
    for first in range(0, max(counts), piece):
        for begin, part in zip(begins, comm.gather(column[first : first + piece], root=root) or (), strict=False):
            whole[begin + first : begin + first + len(part)] = part
    return whole


def _gathered_columns(comm: Any, columns: _Columns, root: int) -> _Columns | None:
    """Return columns of all vertices on rank root, None on others. A rank's columns have one length. Collective."""
    root = together(comm, lambda: whole("root", root, 0, comm.size - 1), root=root)
    counts = comm.allgather(len(columns["labels"]))
    found = {name: _gathered(comm, column, counts, root) for name, column in columns.items()}
    return found if comm.rank == root else None


class _DistributedTree:
    """This rank's part of a tree of shortest paths, and of the levels or distances."""

    __slots__ = ("_log", "_tree", "_values", "graph", "parents", "reached", "seconds")
    _column: ClassVar[str]  # the name of the values: levels or distances

    def __init__(
        self,
        graph: DistributedGraph,
        values: npt.NDArray[Any],
        parents: npt.NDArray[Any],
        tree: RankTree,
        log: SearchLog,
    ) -> None:
        self.graph = graph
        self.parents = parents
        self.reached = log.reached
        self.seconds = log.seconds
        self._values = values
        self._tree = tree
        self._log = log

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels of this rank's vertices."""
        return self.graph.labels

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """A record for each level or step on this rank, without vertices with one edge found after the last level."""
        return self._log.records()

    def path_to(self, target: Any) -> list[Any] | None:
        """Return the labels of a shortest path from the source, both ends included; None for an unreached vertex.

        Collective: every rank gets the path, and each step takes a message. Raises KeyError for a label that is not in
        the graph.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g.bfs(0).path_to(2)
            [0, 1, 2]
        """
        index = self.graph._index(together(self.graph.comm, lambda: target, target=target))
        path: list[Any] = named(self.graph._engine.path(self._tree, index)).tolist()
        return path or None

    def gather(self, root: int = 0) -> _Columns | None:
        """Return the labels, levels or distances, and parents of all vertices on rank root, and None on the others.

        The result of a search from several sources has the column sources, too. Collective. Columns are sent in pieces,
        so that they may be of any length. Raises MemoryError on every rank if the columns do not fit on rank root.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> everything = g.bfs(0).gather()
            >>> everything["labels"].tolist(), everything["levels"].tolist()
            ([0, 1, 2], [0, 1, 2])
        """
        return _gathered_columns(self.graph.comm, self._columns(), root)

    def _columns(self) -> _Columns:
        return {"labels": self.labels, self._column: self._values, "parents": self.parents}

    def __repr__(self) -> str:
        return f"<breadth.{type(self).__name__}: {self.reached:,} of {len(self.graph):,} vertices reached>"


class DistributedBfs(_DistributedTree):
    """This rank's part of the result of a breadth-first search. Arrays are in the order of `labels`.

    parents: the labels of the previous vertices on shortest paths. The source is its own parent. An unreached vertex
        has -1 or, among strings, None. If -1 is a label, `levels` says which vertices are unreached.
    reached: number of reached vertices on all ranks, the source included.
    seconds: time that the engine took.
    """

    __slots__ = ()
    _column = "levels"

    @property
    def levels(self) -> npt.NDArray[np.int64]:
        """int64, number of edges from the source; -1 for an unreached vertex."""
        return self._values

    @property
    def leaves(self) -> dict[str, Any] | None:
        """A record of the pass after the last level, which finds vertices with one edge: claimed, on all ranks, and
        seconds. None if the pass found no vertex.
        """
        return self._log.leaves()


class DistributedNearestSources(_DistributedTree):
    """This rank's part of the result of a breadth-first search from several sources.

    sources: the labels of the nearest sources. An unreached vertex has -1 or None, as in parents.
    parents, reached, seconds: as in DistributedBfs. Each source is its own parent.
    """

    __slots__ = ("sources",)
    _column = "levels"

    def __init__(
        self,
        graph: DistributedGraph,
        levels: npt.NDArray[np.int64],
        parents: npt.NDArray[Any],
        sources: npt.NDArray[Any],
        tree: RankTree,
        log: SearchLog,
    ) -> None:
        super().__init__(graph, levels, parents, tree, log)
        self.sources = sources

    @property
    def levels(self) -> npt.NDArray[np.int64]:
        """int64, number of edges from the nearest source; -1 for an unreached vertex."""
        return self._values

    def _columns(self) -> _Columns:
        return {**super()._columns(), "sources": self.sources}


class DistributedSssp(_DistributedTree):
    """This rank's part of the result of a search for shortest paths. Arrays are in the order of `labels`.

    parents, reached, seconds: as in DistributedBfs.
    """

    __slots__ = ()
    _column = "distances"

    @property
    def distances(self) -> npt.NDArray[Any]:
        """The sum of weights from the source, of the type `DistributedGraph.distance_type`. An unreached vertex has inf
        or, among integers, the largest one."""
        return self._values


class DistributedComponents:
    """This rank's part of the connected components of a DistributedGraph.

    Components are numbered 0, 1, 2, ... in the order of their first vertices on all ranks.

    of_vertex: int64, the number of the component of each of this rank's vertices, in the order of `labels`.
    """

    __slots__ = ("_count", "graph", "of_vertex")

    def __init__(self, graph: DistributedGraph, of_vertex: npt.NDArray[np.int64], count: int) -> None:
        self.graph = graph
        self.of_vertex = of_vertex
        self._count = count

    def __len__(self) -> int:
        """Return the number of components on all ranks."""
        return self._count

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels of this rank's vertices."""
        return self.graph.labels

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """int64, the number of vertices of each component on all ranks. Collective; every rank gets it.

        Examples:
            >>> breadth.DistributedGraph.from_edges([0, 2], [1, 3]).connected_components().sizes.tolist()
            [2, 2]
        """
        comm = self.graph.comm
        here = together(comm, lambda: np.bincount(self.of_vertex, minlength=len(self)).astype(np.int64))
        found: npt.NDArray[np.int64] = comm.allreduce(here)
        return found

    def gather(self, root: int = 0) -> _Columns | None:
        """Return the labels and components of all vertices on rank root, and None on the others. Collective.

        Examples:
            >>> c = breadth.DistributedGraph.from_edges([0, 2], [1, 3]).connected_components()
            >>> c.gather()["components"].tolist()
            [0, 0, 1, 1]
        """
        return _gathered_columns(self.graph.comm, {"labels": self.labels, "components": self.of_vertex}, root)

    def __repr__(self) -> str:
        return f"<breadth.DistributedComponents: {len(self):,} components, {len(self.graph):,} vertices>"
