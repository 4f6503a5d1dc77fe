"""What searches find of graphs that are distributed over the ranks of an MPI communicator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._engine import RankTree, SearchLog
    from ._ranks import DistributedGraph

_Result = TypeVar("_Result")


def together(comm: Any, step: Callable[[], _Result]) -> _Result:
    """Return step(), or raise on every rank what it raises on any: the others need not wait for one that failed."""
    failure: BaseException | None = None
    try:
        result = step()
    except BaseException as error:
        failure = error
    first = next((said for said in comm.allgather(_said(failure)) if said is not None), None)
    if failure is not None:
        raise failure
    if first is not None:
        kind, words = first
        raise kind(words)
    return result


def require_alike(comm: Any, **arguments: Any) -> None:
    """Raise ValueError on every rank where arguments that all of them give differ: they would wait for each other."""
    texts = {name: _text_of(value) for name, value in arguments.items()}
    everywhere = comm.allgather(texts)
    for rank, theirs in enumerate(everywhere):
        for name in everywhere[0] | theirs:
            first, other = everywhere[0].get(name, "not given"), theirs.get(name, "not given")
            if first != other:
                raise ValueError(f"{name} is {first} on rank 0 and {other} on rank {rank}; every rank gives the same")


def _text_of(value: Any) -> str:
    """Return what stands for an argument beside other ranks' of it; its type where equal ones might look different."""
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, list | tuple | range | np.ndarray):
        some = [_text_of(element) for element in value[:1000]]
        return f"[{', '.join(some)}{', ...' if len(value) > len(some) else ''}]"
    return repr(value) if value is None or isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"


def _said(error: BaseException | None) -> tuple[type[BaseException], str] | None:
    """Return what other ranks are to raise: an error of any other kind might not be made anew from its words."""
    if error is None:
        return None
    kinds = (MemoryError, OverflowError, TypeError, ValueError, KeyboardInterrupt)
    return next((kind for kind in kinds if isinstance(error, kind)), RuntimeError), str(error)


def named(labels: npt.NDArray[np.int64] | list[str | None]) -> npt.NDArray[Any]:
    """Return labels of the engine as an array of numpy: int64, or objects."""
    if isinstance(labels, np.ndarray):
        return labels
    return np.fromiter(labels, dtype=object, count=len(labels))


_Columns = dict[str, npt.NDArray[Any]]
_GATHERED_AT_ONCE = 1 << 22  # elements on all ranks: MPI counts the bytes of a message in 32 bits


def _gathered(comm: Any, column: npt.NDArray[Any], counts: list[int], root: int) -> npt.NDArray[Any]:
    """Return the parts of all ranks, which have so many elements, on rank root; nothing on others. Collective."""
    whole = together(comm, lambda: np.empty(sum(counts) if comm.rank == root else 0, dtype=column.dtype))
    piece = max(1, _GATHERED_AT_ONCE // comm.size)
    begins = np.cumsum([0, *counts])
    for first in range(0, max(counts), piece):
        for begin, part in zip(begins, comm.gather(column[first : first + piece], root=root) or (), strict=False):
            whole[begin + first : begin + first + len(part)] = part
    return whole


def _gathered_columns(comm: Any, columns: _Columns, root: int) -> _Columns | None:
    """Return columns of all vertices, which are equally long on each rank, on rank root. Collective."""
    require_alike(comm, root=root)
    counts = comm.allgather(len(columns["labels"]))
    found = {name: _gathered(comm, column, counts, root) for name, column in columns.items()}
    return found if comm.rank == root else None


class _DistributedTree:
    """This rank's part of a tree of shortest paths, and what a search found of each vertex beside it."""

    __slots__ = ("_log", "_tree", "_values", "graph", "parents", "reached", "seconds")
    _column: ClassVar[str]  # what the values are called

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
        """The graph's, of this rank."""
        return self.graph.labels

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """What each level or step did on this rank; vertices with one edge may be found after the last level."""
        return self._log.records()

    def path_to(self, target: Any) -> list[Any] | None:
        """Return the labels of a shortest path from the source, both included, on every rank; None if unreached.

        Collective, a message a step. Raises KeyError for a label that is not in the graph.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g.bfs(0).path_to(2)
            [0, 1, 2]
        """
        require_alike(self.graph.comm, target=target)
        index = self.graph._index(target)
        path: list[Any] = named(self.graph._engine.path(self._tree, index)).tolist()
        return path or None

    def gather(self, root: int = 0) -> _Columns | None:
        """Return the labels, levels or distances, and parents of all vertices on one rank, and None on the others.

        Those of several sources have a column of these, too. Collective, in pieces, so that columns may be of any
        length. Raises MemoryError on every rank where they do not fit there.

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
    """What a breadth-first search of a DistributedGraph found, this rank's part: arrays are in the order of `labels`.

    parents: the labels of the vertices before on shortest paths, the source's own; -1, or None among strings, where
        the search does not reach, as `levels` says too where -1 is a label.
    reached: how many vertices it reaches, on all ranks.
    seconds: of the engine alone.
    """

    __slots__ = ()
    _column = "levels"

    @property
    def levels(self) -> npt.NDArray[np.int64]:
        """int64, edges from the source; -1 where it does not reach."""
        return self._values

    @property
    def leaves(self) -> dict[str, Any] | None:
        """What the pass after the last level did: how many vertices with one edge it claimed, on all ranks, and
        seconds; None where it found none.
        """
        return self._log.leaves()


class DistributedNearestSources(_DistributedTree):
    """What a breadth-first search of a DistributedGraph from several vertices found, this rank's part.

    sources: the labels of the nearest sources, -1 or None where none reaches, as in parents.
    parents, reached, seconds: as in DistributedBfs; a source is its own parent.
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
        """int64, edges from the nearest source; -1 where none reaches."""
        return self._values

    def _columns(self) -> _Columns:
        return {**super()._columns(), "sources": self.sources}


class DistributedSssp(_DistributedTree):
    """Shortest paths in a DistributedGraph, this rank's part: arrays are in the order of `labels`.

    parents, reached, seconds: as in DistributedBfs.
    """

    __slots__ = ()
    _column = "distances"

    @property
    def distances(self) -> npt.NDArray[Any]:
        """The sum of weights from the source, of the type that `DistributedGraph.distance_type` says; inf where it does
        not reach, or the largest integer."""
        return self._values


class DistributedComponents:
    """Connected components of a DistributedGraph, numbered 0, 1, 2, ... by the first vertex of each on all ranks.

    of_vertex: int64, the component of each of this rank's vertices, in the order of `labels`.
    """

    __slots__ = ("_count", "graph", "of_vertex")

    def __init__(self, graph: DistributedGraph, of_vertex: npt.NDArray[np.int64], count: int) -> None:
        self.graph = graph
        self.of_vertex = of_vertex
        self._count = count

    def __len__(self) -> int:
        """Return how many there are, on all ranks."""
        return self._count

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The graph's, of this rank."""
        return self.graph.labels

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """int64, how many vertices each component has, on every rank. Collective.

        Examples:
            >>> breadth.DistributedGraph.from_edges([0, 2], [1, 3]).connected_components().sizes.tolist()
            [2, 2]
        """
        comm = self.graph.comm
        here = together(comm, lambda: np.bincount(self.of_vertex, minlength=len(self)).astype(np.int64))
        found: npt.NDArray[np.int64] = comm.allreduce(here)
        return found

    def gather(self, root: int = 0) -> _Columns | None:
        """Return the labels and components of all vertices on one rank, and None on the others. Collective.

        Examples:
            >>> c = breadth.DistributedGraph.from_edges([0, 2], [1, 3]).connected_components()
            >>> c.gather()["components"].tolist()
            [0, 0, 1, 1]
        """
        return _gathered_columns(self.graph.comm, {"labels": self.labels, "components": self.of_vertex}, root)

    def __repr__(self) -> str:
        return f"<breadth.DistributedComponents: {len(self):,} of {len(self.graph):,} vertices>"
