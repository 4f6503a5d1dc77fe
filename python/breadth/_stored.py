"""The labels and edges of a graph in memory, and the tables, matrices and files that are made of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrow, _convert, _files, _memory
from ._blocks import by_blocks
from ._columns import Array
from ._engine import EngineGraph
from ._labels import IntegerLabels, Labels, UnorderedIntegerLabels, missing
from ._memory import MemoryPlan
from ._moments import plain_label
from ._options import thread_count

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import pyarrow
    import scipy.sparse


class StoredGraph:
    """Labels and edges: the part of a Graph that neither makes nor searches it."""

    __slots__ = ("_engine", "_labels", "_labels_array", "_weight_type")
    _engine: EngineGraph
    _labels: Labels
    _labels_array: npt.NDArray[Any] | None
    _weight_type: np.dtype[Any]

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The labels of all vertices, in the order of all results: int64 (uint64 if necessary), or objects.

        Examples:
            >>> breadth.Graph.from_edges([7, 9], [9, 3]).labels.tolist()
            [3, 7, 9]
            >>> breadth.Graph.from_edges(["b"], ["a"]).labels.tolist()
            ['b', 'a']
        """
        if self._labels_array is None:
            array = self._labels.array()
            array.flags.writeable = False
            self._labels_array = array
        return self._labels_array

    def __len__(self) -> int:
        """Return the number of vertices."""
        return int(self._engine.vertex_count)

    @property
    def num_vertices(self) -> int:
        """The number of vertices, equal to len()."""
        return len(self)

    def __contains__(self, label: Any) -> bool:
        return self._labels.index(label) >= 0

    @property
    def num_edges(self) -> int:
        """The number of distinct edges without self-loops. An undirected edge counts once."""
        return int(self._engine.edge_count)

    @property
    def directed(self) -> bool:
        """Whether edges are directed."""
        return bool(self._engine.directed)

    @property
    def weighted(self) -> bool:
        """Whether edges have weights, which `sssp` adds up."""
        return bool(self._engine.weighted)

    @property
    def distance_type(self) -> np.dtype[Any] | None:
        """The type of the distances of `sssp`, None without weights.

        float32 if the weights were given as float32. int64 if they were given as integers so large that float64 might
        not hold every sum exactly: the largest, times the number of vertices, is 2**53 or more, after all weights were
        divided by the largest power of two that divides them. float64 otherwise.

        Examples:
            >>> breadth.Graph.from_edges([0], [1], [5]).distance_type
            dtype('float64')
        """
        return np.dtype(self._engine.distance_type) if self.weighted else None

    @property
    def nbytes(self) -> int:
        """Bytes of the graph in memory, without labels that are Python objects. A graph with weights of 32 bits grows
        once, when it is first searched without them."""
        stored = isinstance(self._labels, IntegerLabels | UnorderedIntegerLabels)
        integers = self._labels.array().nbytes if stored else 0
        return int(self._engine.nbytes) + integers

    def __repr__(self) -> str:
        kind = f"{'directed' if self.directed else 'undirected'}{', weighted' if self.weighted else ''}"
        return f"<breadth.Graph: {len(self):,} vertices, {self.num_edges:,} edges, {kind}>"

    def _repr_html_(self) -> str:
        rows = {"vertices": f"{len(self):,}", "edges": f"{self.num_edges:,}"}
        rows |= {name: "yes" if getattr(self, name) else "no" for name in ("directed", "weighted")}
        rows["memory"] = f"{self.nbytes / 2**20:,.1f} MiB"
        cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>breadth.Graph</caption>{cells}</table>"

    def index(self, label: Any) -> int:
        """Return the index of a vertex in `labels` and in all results.

        Raises KeyError for a label that is not in the graph, with a label of similar spelling if there is one. Raises
        TypeError for an object that cannot be a label, such as a list.

        Examples:
            >>> g = breadth.Graph.from_edges([7, 9], [9, 3])
            >>> g.index(9)
            2
        """
        index = self._labels.index(label)
        if index < 0:
            raise missing(label, self._labels)
        return index

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """The number of edges of each vertex, in the order of `labels`; in a directed graph, of edges that begin there.

        Self-loops and parallel edges do not count. O(n), each time it is read.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b", "b"], ["b", "c", "d"])
            >>> g.degrees.tolist()
            [1, 3, 1, 1]
            >>> g.labels[g.degrees.argmax()]
            'b'
        """
        return self._engine.degrees()[: len(self)]

    def neighbors(self, vertex: Any) -> npt.NDArray[Any]:
        """Return the labels of the vertices that the edges of a vertex lead to, in the order of `labels`.

        Raises KeyError for a label that is not in the graph, ValueError for a graph made with an `adjacency` in which
        the edges of one vertex cannot be looked up. O(d log d) for d edges.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b", "b"], ["b", "c", "d"])
            >>> g.neighbors("b").tolist()
            ['a', 'c', 'd']
        """
        found: npt.NDArray[Any] = self.labels[self._engine.neighbours(self.index(vertex))]
        return found

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Return the adjacency matrix in the order of `labels`, as a sparse array of scipy.

        Entries are weights as they were given or, without weights, True, which `from_scipy` reads as no weights. An
        edge of weight 0 is a stored entry. The matrix of an undirected graph is symmetric, to be read with
        `from_scipy(matrix, directed=False)`.

        Examples:
            >>> breadth.grid(1, 3).to_scipy().toarray()
            array([[False,  True, False],
                   [ True, False,  True],
                   [False,  True, False]])
        """
        return _convert.scipy_of(*self._edges(both_ways=True), len(self))

    def to_networkx(self) -> nx.Graph[Any]:
        """Return a networkx Graph or DiGraph: nodes in the order of `labels`, weights as the attribute `weight`.

        O(n + m), with Python objects for each vertex and edge.

        Examples:
            >>> breadth.grid(1, 3).to_networkx().edges
            EdgeView([(0, 1), (1, 2)])
        """
        return _convert.networkx_of(self.labels.tolist(), *self._edges(), self.directed)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with a row for each edge: source, target and, if the graph has weights, weight.

        Rows are those of `to_arrow`. Labels may be of any kinds.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.to_pandas()
              source target  weight
            0      b      a     1.5
            1      c      b     2.0
        """
        sources, targets, weights = self._edges()
        return _convert.pandas_of(self.labels, sources, targets, weights)

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow Table with a row for each edge: source, target and, if the graph has weights, weight.

        Sources and targets are labels. An undirected edge has one row, with the label that comes later in `labels` as
        source. Vertices without edges are not in the table.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.to_arrow().to_pylist()
            [{'source': 'b', 'target': 'a', 'weight': 1.5}, {'source': 'c', 'target': 'b', 'weight': 2.0}]
        """
        return _arrow.edge_table(self, *self._edges())

    def save(self, path: str | os.PathLike[str], *, threads: int | None = None) -> None:
        """Write the graph to a file for `breadth.read`, in the format that the file's ending names (docs/formats.md).

        .breadth files keep labels that are integers or strings, vertices without edges, weights, and whether edges are
        directed. Labels come back in ascending order. Text files have edges only: they keep labels and weights, and
        those of directed graphs are read with directed=True. Other formats number vertices from 0 or 1. Files have
        weights of 32-bit floating point. Pickle keeps any weights and any labels. The file has a temporary name until
        it is complete, so that Ctrl-C leaves an older file as it was.

        Raises ValueError for labels, weights or directions that the format cannot hold, an unknown ending, and a graph
        without edges. Raises OSError of the system's kind, such as FileNotFoundError and PermissionError.

        Examples:
            >>> breadth.grid(1, 3).save("path.breadth")
            >>> breadth.read("path.breadth")
            <breadth.Graph: 3 vertices, 2 edges, undirected>
        """
        _files.write(os.fsdecode(path), *self._edges(), self._labels, self.directed, thread_count(threads))

    def plan(self) -> MemoryPlan:
        """Return how much memory a graph of this size takes while it is built and searched. O(1).

        Examples:
            >>> g = breadth.grid(1, 3)
            >>> g.plan().fits
            True
        """
        return _memory.plan(len(self), self.num_edges, weighted=self.weighted, directed=self.directed)

    def _edges(self, *, both_ways: bool = False) -> tuple[Array, Array, Array | None]:
        """Return the indices of both ends of each edge, and weights in the type in which they were given. Undirected
        edges are there once or, with both_ways, in both directions."""
        sources, targets, weights = self._engine.edges(both_ways)
        if weights is not None and weights.dtype != self._weight_type:
            weights = by_blocks(methodcaller("astype", self._weight_type), weights)
        return sources, targets, weights

    def _names(self, indices: Iterable[int]) -> list[Any]:
        labels = self.labels
        return [plain_label(labels[index]) for index in indices]
