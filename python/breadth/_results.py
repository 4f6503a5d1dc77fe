"""Results of searches. Arrays are in the order of the graph's labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrow, _plot
from ._copies import slots_of
from ._optional import library
from ._paths import Integers, Tree, label_column

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow
    from matplotlib.axes import Axes

    from . import _engine
    from ._graph import Graph

Distances = npt.NDArray[Any]


def _level_of(graph: Graph, levels: Integers, label: Any) -> int | None:
    level = int(levels[graph.index(label)])
    return None if level < 0 else level


def _frame(graph: Graph, **columns: Any) -> pd.DataFrame:
    frame: pd.DataFrame = library("pandas", "to_pandas()").DataFrame({"vertex": graph.labels, **columns})
    return frame


class _KeptLog:
    """The log of a search as plain records, for a result that was copied or comes from another process."""

    def __init__(self, log: _engine.SearchLog | _KeptLog) -> None:
        self._records = log.records()
        self._leaves = log.leaves()

    def records(self) -> list[dict[str, Any]]:
        return [dict(record) for record in self._records]

    def leaves(self) -> dict[str, Any] | None:
        return self._leaves and dict(self._leaves)


class _SearchResult(Tree):
    """The result of a search from one source."""

    __slots__ = ("_log", "reached", "seconds", "source")

    def __init__(self, graph: Graph, source: int, parents: Integers | None, log: _engine.SearchLog) -> None:
        super().__init__(graph, parents)
        self.source = source
        self.reached = log.reached
        self.seconds = log.seconds
        self._log: _engine.SearchLog | _KeptLog = log

    def __getstate__(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return the attributes for pickle and copy: those of a subclass, and the slots, with the engine's log as plain
        records."""
        return getattr(self, "__dict__", None), {**slots_of(self), "_log": _KeptLog(self._log)}


class BfsResult(_SearchResult):
    """The result of a breadth-first search.

    levels: int64, number of edges from the source; -1 for an unreached vertex.
    reached: number of reached vertices, the source included.
    seconds: time that the engine took.
    source: the index of the source in `labels`.
    graph: the Graph that was searched. Its `labels` name the rows of all arrays.

    Examples:
        >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
        >>> r = g.bfs("a")
        >>> r
        <breadth.BfsResult: 3 of 3 vertices reached>
        >>> r.levels.tolist(), r.parents.tolist()
        ([0, 1, 2], [0, 0, 1])
    """

    __slots__ = ("levels",)

    def __init__(
        self, graph: Graph, source: int, levels: Integers, parents: Integers | None, log: _engine.SearchLog
    ) -> None:
        super().__init__(graph, source, parents, log)
        self.levels = levels

    def level_of(self, label: Any) -> int | None:
        """Return the level of a vertex, None if it is unreached. Raises KeyError for a label that is not in the graph.

        Examples:
            >>> g = breadth.Graph.from_edges(["a"], ["b"], vertices=["a", "b", "c"])
            >>> g.bfs("a").level_of("b")
            1
            >>> print(g.bfs("a").level_of("c"))
            None
        """
        return _level_of(self.graph, self.levels, label)

    @property
    def parents(self) -> Integers:
        """int64, the index in `labels` of the previous vertex on a shortest path.

        The source is its own parent. An unreached vertex has -1. Raises ValueError after a search with parents=False.

        Examples:
            >>> breadth.grid(1, 3).bfs(0).parents.tolist()
            [0, 0, 1]
        """
        return self._tree_parents()

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """A record for each level: direction, frontier, edges_examined, claimed and seconds.

        Vertices with one edge that the last pass found are not in it: `leaves` counts them.

        Examples:
            >>> [level["claimed"] for level in breadth.grid(2, 3).bfs(0).statistics]
            [2, 2, 1, 0]
        """
        return self._log.records()

    @property
    def leaves(self) -> dict[str, Any] | None:
        """A record of the pass after the last level, which finds vertices with one edge: claimed and seconds.

        None if the pass found no vertex, as with the option leaves="levels".

        Examples:
            >>> breadth.grid(1, 3).bfs(0).leaves["claimed"]
            1
        """
        return self._log.leaves()

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the columns vertex, level and, unless parents=False, parent (a label or missing).

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
            >>> g.bfs("a").to_pandas()
              vertex  level parent
            0      a      0      a
            1      b      1      a
            2      c      2      b
        """
        if self._parents is None:
            return _frame(self.graph, level=self.levels)
        return _frame(self.graph, level=self.levels, parent=self._parent_labels())

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow Table with the columns of `to_pandas`. A missing parent is null.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
            >>> g.bfs("a").to_arrow().column_names
            ['vertex', 'level', 'parent']
        """
        columns: dict[str, Any] = {"level": self.levels}
        if self._parents is not None:
            columns["parent"] = self._arrow_parents()
        return _arrow.vertex_table(self.graph, **columns)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw with matplotlib, for each level, the vertices found by push or pull and the edges examined.

        The vertices of `leaves` stand after the last level. ax: the axes to draw into; by default those of a new
        figure. Raises ImportError if matplotlib is not installed.

        Examples:
            >>> breadth.grid(2, 3).bfs(0).plot().get_xlabel()
            'level'
        """
        return _plot.plot_levels(self.statistics, "level", "found", ax, self.leaves)

    def __repr__(self) -> str:
        return f"<breadth.BfsResult: {self.reached:,} of {len(self.levels):,} vertices reached>"


class SsspResult(_SearchResult):
    """The result of a search for shortest paths from a vertex.

    distances: the sum of weights from the source, of the type `Graph.distance_type`. An unreached vertex has inf or,
        among integers, the largest one, numpy.iinfo(numpy.int64).max.
    reached: number of reached vertices, the source included.
    seconds: time that the engine took.
    source: the index of the source in `labels`.
    graph: the Graph that was searched. Its `labels` name the rows of all arrays.

    Examples:
        >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
        >>> r = g.sssp("a")
        >>> r
        <breadth.SsspResult: 3 of 3 vertices reached>
        >>> r.distances, r.parents.tolist()
        (array([0. , 1.5, 3.5]), [0, 0, 1])
    """

    __slots__ = ("distances",)

    def __init__(
        self, graph: Graph, source: int, distances: Distances, parents: Integers, log: _engine.SearchLog
    ) -> None:
        super().__init__(graph, source, parents, log)
        self.distances = distances

    def distance_to(self, label: Any) -> Any:
        """Return the distance of a vertex as a Python number, None if it is unreached.

        Raises KeyError for a label that is not in the graph.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").distance_to("c")
            3.5
        """
        index = self.graph.index(label)
        return self.distances[index].item() if self.parents[index] >= 0 else None

    @property
    def parents(self) -> Integers:
        """int64, the index in `labels` of the previous vertex on a shortest path.

        The source is its own parent. An unreached vertex has -1.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").parents.tolist()
            [0, 0, 1]
        """
        return self._tree_parents()

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """A record for each step of the search: a step relaxes a bucket of distances or sweeps over all vertices.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> [step["claimed"] for step in g.sssp("a").statistics]
            [2]
        """
        return self._log.records()

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the columns vertex, distance and parent (a label or missing).

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").to_pandas()
              vertex  distance parent
            0      a       0.0      a
            1      b       1.5      a
            2      c       3.5      b
        """
        return _frame(self.graph, distance=self.distances, parent=self._parent_labels())

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow Table with the columns of `to_pandas`. A missing parent is null.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").to_arrow().column_names
            ['vertex', 'distance', 'parent']
        """
        return _arrow.vertex_table(self.graph, distance=self.distances, parent=self._arrow_parents())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw with matplotlib, for each step, how often a vertex came closer and the edges examined.

        ax: the axes to draw into; by default those of a new figure. Raises ImportError if matplotlib is not installed.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").plot().get_xlabel()
            'step'
        """
        return _plot.plot_levels(self.statistics, "step", "brought closer", ax)

    def __repr__(self) -> str:
        return f"<breadth.SsspResult: {self.reached:,} of {len(self.distances):,} vertices reached>"


class NearestSources(Tree):
    """The result of a breadth-first search from several sources.

    levels: int64, number of edges from the nearest source; -1 for an unreached vertex.
    sources: int64, the index of the nearest source in `labels`; -1 for an unreached vertex.
    reached: number of reached vertices, the sources included.

    Examples:
        >>> r = breadth.grid(1, 5).multi_source_bfs([0, 4])
        >>> r.levels.tolist(), r.sources.tolist()
        ([0, 1, 2, 1, 0], [0, 0, 0, 4, 4])
    """

    __slots__ = ("levels", "reached", "sources")

    def __init__(self, graph: Graph, levels: Integers, parents: Integers, sources: Integers, reached: int) -> None:
        super().__init__(graph, parents)
        self.levels = levels
        self.sources = sources
        self.reached = reached

    def level_of(self, label: Any) -> int | None:
        """Return the level of a vertex, None if it is unreached. Raises KeyError for a label that is not in the graph.

        Examples:
            >>> breadth.grid(1, 5).multi_source_bfs([0, 4]).level_of(3)
            1
        """
        return _level_of(self.graph, self.levels, label)

    @property
    def parents(self) -> Integers:
        """int64, the index in `labels` of the previous vertex on the path from the nearest source.

        Examples:
            >>> breadth.grid(1, 5).multi_source_bfs([0, 4]).parents.tolist()
            [0, 0, 1, 4, 4]
        """
        return self._tree_parents()

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the columns vertex, level, source and parent (labels, missing if unreached).

        Examples:
            >>> breadth.grid(1, 3).multi_source_bfs([0]).to_pandas()
               vertex  level  source  parent
            0       0      0       0       0
            1       1      1       0       0
            2       2      2       0       1
        """
        sources = label_column(self.graph, self.sources)
        return _frame(self.graph, level=self.levels, source=sources, parent=self._parent_labels())

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow Table with the columns of `to_pandas`. Missing sources and parents are null.

        Examples:
            >>> breadth.grid(1, 3).multi_source_bfs([0]).to_arrow().column_names
            ['vertex', 'level', 'source', 'parent']
        """
        sources = _arrow.label_column(self.graph, self.sources)
        return _arrow.vertex_table(self.graph, level=self.levels, source=sources, parent=self._arrow_parents())

    def __repr__(self) -> str:
        return f"<breadth.NearestSources: {self.reached:,} of {len(self.levels):,} vertices reached>"


class Components:
    """The connected components of a graph, numbered 0, 1, 2, ... in the order of their first vertices.

    of_vertex: int64, the number of each vertex's component.
    """

    __slots__ = ("_count", "graph", "of_vertex")

    def __init__(self, graph: Graph, of_vertex: Integers, count: int) -> None:
        self.graph = graph
        self.of_vertex = of_vertex[: len(graph)]
        self._count = count if len(graph) else 0

    def __len__(self) -> int:
        """Return the number of components."""
        return self._count

    @property
    def sizes(self) -> Integers:
        """int64, the number of vertices of each component.

        Examples:
            >>> breadth.Graph.from_edges([0, 2, 3], [1, 3, 4]).connected_components().sizes.tolist()
            [2, 3]
        """
        return np.bincount(self.of_vertex, minlength=len(self)).astype(np.int64)

    def groups(self) -> list[npt.NDArray[Any]]:
        """Return an array of labels for each component. O(n log n).

        Examples:
            >>> c = breadth.Graph.from_edges([0, 2, 3], [1, 3, 4]).connected_components()
            >>> [group.tolist() for group in c.groups()]
            [[0, 1], [2, 3, 4]]
        """
        order = np.argsort(self.of_vertex, kind="stable")
        return np.split(self.graph.labels[order], np.cumsum(self.sizes)[:-1]) if len(self) else []

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with the columns vertex and component.

        Examples:
            >>> breadth.Graph.from_edges([0, 2], [1, 3]).connected_components().to_pandas()
               vertex  component
            0       0          0
            1       1          0
            2       2          1
            3       3          1
        """
        return _frame(self.graph, component=self.of_vertex)

    def to_arrow(self) -> pyarrow.Table:
        """Return a pyarrow Table with the columns vertex and component.

        Examples:
            >>> breadth.grid(1, 3).connected_components().to_arrow().column_names
            ['vertex', 'component']
        """
        return _arrow.vertex_table(self.graph, component=self.of_vertex)

    def __repr__(self) -> str:
        return f"<breadth.Components: {len(self):,} components, {len(self.graph):,} vertices>"
