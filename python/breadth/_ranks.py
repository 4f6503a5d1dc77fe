"""Graphs that are distributed over the ranks of an MPI communicator."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine
from ._agreement import communicator, together
from ._columns import Array, as_column, as_weights, in_32_bits, labels_in, require_one_length
from ._engine import RankGraph
from ._files import errors_in_words, errors_of_system, require_file
from ._generators import KRONECKER_SEEDS, Seeds, kronecker_seeds
from ._labels import integer, missing
from ._memory import size
from ._options import (
    NO_LIMIT,
    OptionValue,
    cutoffs,
    depth_limit,
    errors_of_options,
    option_texts,
    thread_count,
    truth,
    whole,
)
from ._rank_results import (
    DistributedBfs,
    DistributedComponents,
    DistributedNearestSources,
    DistributedSssp,
    named,
)

# Python's end frees no graphs: this takes all ranks together, and a rank may have ended by an error of its own.
atexit.register(_engine.leave_message_passing)

_Words = list[str]


def _weights(weights: Any, exact: bool) -> Array:
    """Return weights of a type that the engine reads, float32 if they may be rounded."""
    given = as_weights(weights)
    return given if exact else in_32_bits(given)


def _kind(*columns: Array) -> str | None:
    """Return the kind of the labels: "integers" or "strings", None without labels."""
    if not any(len(column) for column in columns):
        return None
    if all(column.dtype.kind in "iu" for column in columns if len(column)):
        return "integers"
    if all(isinstance(label, str) for column in columns for label in column.tolist()):
        return "strings"
    raise TypeError("labels of a graph on several ranks must be all integers or all strings")


def _is_text(label: str) -> bool:
    try:
        label.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True


def _integers(column: Array) -> npt.NDArray[np.int64]:
    if len(column) and column.dtype == np.uint64 and int(column.max()) > NO_LIMIT:
        raise ValueError(f"the label {column.max()} is too large; the largest is {NO_LIMIT}")
    return np.ascontiguousarray(column, dtype=np.int64)


def _in_order(words: set[str]) -> list[str]:
    """Return words in the order of their bytes. Raises ValueError for a word that has no bytes in UTF-8."""
    try:
        return sorted(words, key=str.encode)
    except UnicodeEncodeError as error:
        raise ValueError(f"the label {error.object!r} is not text: UTF-8 has no bytes for half of a pair") from None


def _several(labels: Any, name: str) -> list[Any]:
    """Return labels as a list. A set gets an order, because its own differs between processes."""
    return labels_in(sorted(labels, key=repr) if isinstance(labels, set | frozenset) else labels, name)


def _ends(targets: Any) -> list[Any] | None:
    """Return targets as a list; None if there are none."""
    return None if targets is None else _several(targets, "targets")


class DistributedGraph:
    """A graph distributed over the ranks of an mpi4py communicator. Each rank has a part of the vertices.

    Class methods make graphs. Class methods, all other methods and `nbytes` are collective: every rank calls them, in
    the same order and with the same arguments, except that each rank has edges and threads of its own. An error is
    raised on every rank. Arguments that differ between ranks are a ValueError. Labels are integers or strings.
    Self-loops are left out, and of parallel edges the lightest is kept. One Python thread at a time may call the
    methods. Ctrl-C takes effect when a call of the engine ends. While Python itself exchanges messages, it may leave
    other ranks waiting.

    The memory is freed when the last reference goes. Ranks may drop their last references at different times. Memory
    that the ranks of a machine share for searches is freed when they next allocate some. The communicator must not be
    freed before the last call. A graph that does not fit raises MemoryError with the figures on every rank, and so does
    one rank that runs out of memory on the way.
    """

    __slots__ = ("_comm", "_engine", "_labels")
    _comm: Any
    _engine: RankGraph
    _labels: npt.NDArray[Any]

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("make a DistributedGraph with from_edges, read or kronecker")

    @classmethod
    def _of(cls, comm: Any, engine: RankGraph) -> DistributedGraph:
        graph = object.__new__(cls)
        graph._comm = comm
        graph._engine = engine
        graph._labels = named(engine.vertices())
        graph._labels.flags.writeable = False
        return graph

    @classmethod
    def from_edges(
        cls,
        sources: Any,
        targets: Any,
        weights: Any = None,
        directed: bool = False,
        *,
        comm: Any = None,
        vertices: int | None = None,
        exact: bool = True,
        threads: int | None = None,
        **layout: OptionValue,
    ) -> DistributedGraph:
        """Return the graph of the edges of all ranks. Each rank gives any part of the edges.

        sources, targets, weights: columns of this rank's edges, as in `Graph.from_edges`. The graph keeps no reference
            to them. Either all ranks give weights or none does.
        comm: a communicator of mpi4py, COMM_WORLD by default.
        vertices: the number of vertices, if labels are all integers from 0 to vertices - 1. Without it, the labels are
            those of the edges, which all ranks sort together.
        exact: whether to keep weights exactly, as in `Graph.from_edges`. exact=False rounds weights to float32. Where
            that changes weights, searches are faster and take less memory. Files have weights of 32 bits.
        threads: number of threads of each rank, by default its share of the machine's processors.
        layout: options for graphs, as `python -m breadth options layout` lists them, and hubs.

        Raises ValueError as `Graph.from_edges` does, ImportError if the package was built without MPI, and RuntimeError
        if mpi4py uses another MPI library. O(m / ranks log m) on each rank, and each edge is sent twice.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g
            <breadth.DistributedGraph: 3 vertices, 2 edges, undirected, rank 0 of 1>
            >>> g.bfs(0).levels.tolist()
            [0, 1, 2]
        """
        known = communicator(comm)

        def columns() -> tuple[Array, Array, Array | None, str | None, int | None, int]:
            truth("directed", directed)
            count = None if vertices is None else size("vertices", vertices)
            starts, ends = as_column(sources, "sources"), as_column(targets, "targets")
            is_exact = truth("exact", exact)
            numbers = None if weights is None else _weights(weights, is_exact)
            require_one_length(starts, ends, numbers)
            return starts, ends, numbers, _kind(starts, ends), count, thread_count(threads)

        starts, ends, numbers, kind, count, team = together(
            known, columns, directed=directed, vertices=vertices, exact=exact, **layout
        )
        everywhere = known.allgather((kind, numbers is not None))
        kinds = {kind for kind, _ in everywhere if kind is not None}
        if len(kinds) > 1:
            raise TypeError("labels are integers on some ranks and strings on others")
        if len({weighted for _, weighted in everywhere}) > 1:
            raise ValueError("some ranks give weights and others do not")

        def numbered() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Array | None, _Words | None]:
            if count is not None:
                if kinds == {"strings"}:
                    raise TypeError("vertices is a number, but labels are strings")
                return _integers(starts), _integers(ends), None, None
            if kinds == {"strings"}:
                words = _in_order({*starts.tolist(), *ends.tolist()})
                places = {word: place for place, word in enumerate(words)}
                first, second = (
                    np.fromiter((places[word] for word in column.tolist()), dtype=np.int64, count=len(column))
                    for column in (starts, ends)
                )
                return first, second, None, words
            both = np.concatenate([_integers(starts), _integers(ends)])
            labels, indices = np.unique(both, return_inverse=True)
            indices = indices.astype(np.int64, copy=False)
            return indices[: len(starts)], indices[len(starts) :], labels, None

        first, second, integers, words = together(known, numbered)
        with errors_of_options(cls.from_edges, layout):
            ranks = (known.py2f(), team)
            engine = _engine.ranks_from_columns(
                ranks, first, second, numbers, integers, words, count or 0, bool(directed), option_texts(layout)
            )
        return cls._of(known, engine)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        directed: bool = False,
        *,
        comm: Any = None,
        threads: int | None = None,
        **layout: OptionValue,
    ) -> DistributedGraph:
        """Read a graph file of any format of the program. Each rank reads a part of the file.

        Options are those of `from_edges`. Raises OSError of the system's kind, such as FileNotFoundError. Raises
        ValueError with the line for a damaged file, and for weights so large that a sum might exceed float32. Raises
        MemoryError for a graph that does not fit.

        Examples:
            >>> breadth.grid(1, 3).save("path.breadth")
            >>> len(breadth.DistributedGraph.read("path.breadth"))
            3
        """
        known = communicator(comm)

        def arguments() -> tuple[str, bool, int]:
            return os.fsdecode(path), truth("directed", directed), thread_count(threads)

        name, is_directed, team = together(known, arguments, path=path, directed=directed, **layout)
        exists, is_folder = known.bcast((os.path.exists(name), os.path.isdir(name)))
        require_file(name, exists, is_folder)

        def graph() -> DistributedGraph:
            given = {**layout, "directed": is_directed}
            with errors_of_options(cls.read, given), errors_of_system(name), errors_in_words(name):
                ranks = (known.py2f(), team)
                return cls._of(known, _engine.ranks_read(ranks, name, is_directed, option_texts(layout)))

        return together(known, graph)  # a label that is not UTF-8 may be on one rank only

    @classmethod
    def kronecker(
        cls,
        scale: int,
        edgefactor: int = 16,
        seed: Seeds = KRONECKER_SEEDS,
        *,
        weighted: bool = False,
        comm: Any = None,
        threads: int | None = None,
        **layout: OptionValue,
    ) -> DistributedGraph:
        """Return the graph of `breadth.kronecker`, made on all ranks. Options are those of `from_edges`.

        Examples:
            >>> len(breadth.DistributedGraph.kronecker(4))
            16
        """
        known = communicator(comm)

        def arguments() -> tuple[int, int, tuple[int, int], int]:
            truth("weighted", weighted)
            degree = whole("edgefactor", edgefactor, 1, NO_LIMIT)
            return whole("scale", scale, 1, 42), degree, kronecker_seeds(seed), thread_count(threads)

        power, factor, seeds, team = together(
            known, arguments, scale=scale, edgefactor=edgefactor, seed=seed, weighted=weighted, **layout
        )
        with errors_of_options(cls.kronecker, layout):
            ranks = (known.py2f(), team)
            return cls._of(
                known, _engine.ranks_kronecker(ranks, power, factor, seeds, bool(weighted), option_texts(layout))
            )

    @property
    def comm(self) -> Any:
        """The communicator that the graph was made with."""
        return self._comm

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels of this rank's vertices in ascending order: int64, or objects. Rank 0 has the first labels."""
        return self._labels

    def __len__(self) -> int:
        """Return the number of vertices on all ranks."""
        return self._engine.vertex_count

    @property
    def num_edges(self) -> int:
        """The number of distinct edges on all ranks, without self-loops. An undirected edge counts once."""
        return self._engine.edge_count

    @property
    def directed(self) -> bool:
        """Whether edges are directed."""
        return self._engine.directed

    @property
    def weighted(self) -> bool:
        """Whether edges have weights, which `sssp` adds up."""
        return self._engine.weighted

    @property
    def distance_type(self) -> np.dtype[Any] | None:
        """The type of the distances of `sssp`, None without weights. See `Graph.distance_type`."""
        return np.dtype(self._engine.distance_type) if self.weighted else None

    @property
    def nbytes(self) -> int:
        """Bytes of the graph in memory, on all ranks. Collective."""
        return self._engine.bytes()

    def __repr__(self) -> str:
        kind = f"{'directed' if self.directed else 'undirected'}{', weighted' if self.weighted else ''}"
        place = f"rank {self._comm.rank} of {self._comm.size}"
        return f"<breadth.DistributedGraph: {len(self):,} vertices, {self.num_edges:,} edges, {kind}, {place}>"

    def _index(self, label: Any) -> int:
        """Return the index of a label among the labels of all ranks. Collective."""
        name: str | None
        if self._engine.named_by_words:
            name = label if isinstance(label, str) and _is_text(label) else None
        else:
            try:
                name = str(integer(label))
            except TypeError:
                name = None
        index = None if name is None else self._engine.find(name)
        if index is None:
            raise missing(label)
        return index

    def _indices(self, labels: list[Any], name: str) -> list[int]:
        """Return the indices of labels, which the argument `name` has. Collective: an index takes messages."""
        together(self._comm, lambda: None, **{name: labels})
        return [self._index(label) for label in labels]

    def _targets(self, labels: list[Any] | None, source: int) -> list[int]:
        """Return the indices of targets: none without targets, and that of the source if targets are empty, so that
        the search ends at once. Collective."""
        return [] if labels is None else self._indices(labels, "targets") or [source]

    def bfs(
        self,
        source: Any,
        *,
        max_depth: int | None = None,
        targets: Iterable[Any] | None = None,
        **options: OptionValue,
    ) -> DistributedBfs:
        """Search breadth first from a vertex. In a directed graph, the search follows the direction of the edges.

        max_depth: the deepest level to visit. Vertices farther away count as unreached.
        targets: labels of vertices to find. The search ends after the level in which it finds the last target, as in
            `Graph.bfs`.
        options: the engine's options, as `python -m breadth options search` and `… options ranks` list them.

        Raises KeyError for a source or target that is not in the graph, ValueError for a depth or option out of range.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g.bfs(0).levels.tolist()
            [0, 1, 2]
            >>> g.bfs(0, max_depth=1, direction="push").reached
            2
        """
        depth, ends = together(
            self._comm,
            lambda: (depth_limit("max_depth", max_depth), _ends(targets)),
            **{"source": source, "max_depth": max_depth, "targets": targets, **options},
        )
        start = self._index(source)
        wanted = self._targets(ends, start)
        with errors_of_options(self.bfs, options):
            levels, parents, tree, log = self._engine.bfs(start, wanted, depth, option_texts(options))
        return DistributedBfs(self, levels, named(parents), tree, log)

    def shortest_path(self, source: Any, target: Any, **options: OptionValue) -> list[Any] | None:
        """Return the labels of a path with the fewest edges, both ends included, on every rank; None if there is none.

        Searches from the source until it finds the target. Options and errors are as in `bfs`.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g.shortest_path(2, 0)
            [2, 1, 0]
        """
        return self.bfs(source, max_depth=None, targets=[target], **options).path_to(target)

    def multi_source_bfs(
        self, sources: Iterable[Any], *, max_depth: int | None = None, **options: OptionValue
    ) -> DistributedNearestSources:
        """Search breadth first from several vertices at once: find each vertex's nearest source, and how far it is.

        Of several sources that are equally near, any one may be found, unlike in `Graph.multi_source_bfs`, which takes
        the first. Options are as in `bfs`. Raises KeyError and ValueError as `bfs` does, and ValueError for a graph
        whose adjacency is a list to scan (layout option `adjacency`).

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
            >>> r = g.multi_source_bfs([0, 4], max_depth=1)
            >>> r.levels.tolist(), r.sources.tolist()
            ([0, 1, -1, 1, 0], [0, 0, -1, 4, 4])
        """
        depth, several = together(
            self._comm,
            lambda: (depth_limit("max_depth", max_depth), _several(sources, "sources")),
            **{"sources": sources, "max_depth": max_depth, **options},
        )
        starts = self._indices(several, "sources")
        with errors_of_options(self.multi_source_bfs, options, use="bfs"):
            nearest, (levels, parents, tree, log) = self._engine.nearest_sources(starts, depth, option_texts(options))
        return DistributedNearestSources(self, levels, named(parents), named(nearest), tree, log)

    def k_hop(self, sources: Iterable[Any], k: int, **options: OptionValue) -> npt.NDArray[Any]:
        """Return the labels of this rank's vertices within k edges of any source, in the order of `labels`.

        Sources are included. Options and errors are as in `multi_source_bfs`.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2])
            >>> g.k_hop([0], 1).tolist()
            [0, 1]
        """
        depth, several = together(
            self._comm,
            lambda: (min(whole("k", k, 0), NO_LIMIT), _several(sources, "sources")),
            **{"sources": sources, "k": k, **options},
        )
        starts = self._indices(several, "sources")
        with errors_of_options(self.k_hop, options, use="bfs"):
            return named(self._engine.near_to(starts, depth, option_texts(options)))

    def sssp(
        self,
        source: Any,
        *,
        cutoff: float | None = None,
        targets: Iterable[Any] | None = None,
        **options: OptionValue,
    ) -> DistributedSssp:
        """Find the paths from a vertex with the least sums of weights.

        cutoff: the largest distance to find. Vertices farther away count as unreached.
        targets: labels of vertices to find. The search ends when the last target has its distance, as in `Graph.sssp`.
        options: as in `bfs`.

        Raises KeyError for a source or target that is not in the graph, ValueError for a graph without weights and for
        an option out of range, OverflowError for a distance too large for `distance_type`.

        Examples:
            >>> g = breadth.DistributedGraph.from_edges([0, 1], [1, 2], [1.5, 2])
            >>> g.sssp(0).distances
            array([0. , 1.5, 3.5])
        """
        limits, ends = together(
            self._comm,
            lambda: (cutoffs(cutoff), _ends(targets)),
            **{"source": source, "cutoff": cutoff, "targets": targets, **options},
        )
        start = self._index(source)
        wanted = self._targets(ends, start)
        with errors_of_options(self.sssp, options):
            distances, parents, tree, log = self._engine.sssp(start, wanted, *limits, option_texts(options))
        return DistributedSssp(self, distances, named(parents), tree, log)

    def connected_components(self) -> DistributedComponents:
        """Find the connected components; of a directed graph, the weakly connected ones.

        Each rank joins the vertices that its own edges connect. The ranks then exchange components along the edges
        between them until nothing changes, which takes few rounds unless paths cross ranks very often.

        Examples:
            >>> c = breadth.DistributedGraph.from_edges([0, 2], [1, 3]).connected_components()
            >>> len(c), c.of_vertex.tolist()
            (2, [0, 0, 1, 1])
        """
        return DistributedComponents(self, *self._engine.components())
