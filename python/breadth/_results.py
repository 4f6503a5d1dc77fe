"""What searches find. Arrays are in the order of the graph's labels."""

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
    """What a search did, of a result that is copied or comes from another process."""

    def __init__(self, log: _engine.SearchLog | _KeptLog) -> None:
        self._records = log.records()
        self._leaves = log.leaves()

    def records(self) -> list[dict[str, Any]]:
        return [dict(record) for record in self._records]

    def leaves(self) -> dict[str, Any] | None:
        return self._leaves and dict(self._leaves)


class _SearchResult(Tree):
    """What a search from one source found."""

    __slots__ = ("_log", "reached", "seconds", "source")

    def __init__(self, graph: Graph, source: int, parents: Integers | None, log: _engine.SearchLog) -> None:
        super().__init__(graph, parents)
        self.source = source
        self.reached = log.reached
        self.seconds = log.seconds
        self._log: _engine.SearchLog | _KeptLog = log

    def __getstate__(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return attributes for pickle and copy: of a subclass, and slots, with the engine's log as plain records."""
        return getattr(self, "__dict__", None), {**slots_of(self), "_log": _KeptLog(self._log)}


class BfsResult(_SearchResult):
    """What a breadth-first search found.

    levels: int64, edges from the source; -1 where it does not reach.
    reached: how many vertices it reaches, itself included.
    seconds: of the engine alone.
    source: the index in `labels` of the vertex that it began at.
    graph: the Graph that was searched, whose `labels` name the rows of all arrays.

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
        """Return the level of a vertex; None where it is not reached. Raises KeyError for one that is not there.

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
        """int64, the index in `labels` of the vertex before on a shortest path; the source's own, -1 if unreached.

        Raises ValueError where the search was made with parents=False.

        Examples:
            >>> breadth.grid(1, 3).bfs(0).parents.tolist()
            [0, 0, 1]
        """
        return self._tree_parents()

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """What each level did: direction, frontier, edges_examined, claimed and seconds.

        Without those vertices with one edge that `leaves` counts.

        Examples:
            >>> [level["claimed"] for level in breadth.grid(2, 3).bfs(0).statistics]
            [2, 2, 1, 0]
        """
        return self._log.records()

    @property
    def leaves(self) -> dict[str, Any] | None:
        """What the pass after the last level did, which finds vertices with one edge: claimed and seconds.

        None where it found none, as with the option leaves="levels".

        Examples:
            >>> breadth.grid(1, 3).bfs(0).leaves["claimed"]
            1
        """
        return self._log.leaves()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with the columns vertex, level and, if the search has them, parent (a label, if any).

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
        """Return the same as a table of pyarrow; a parent that is missing is null.

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
        """Draw what each level did with matplotlib: vertices found by a push or a pull, and edges examined; and after
        the last level, vertices of `leaves`.

        ax: axes to draw into; a figure of its own by default. Raises ImportError where matplotlib is not installed.

        Examples:
            >>> breadth.grid(2, 3).bfs(0).plot().get_xlabel()
            'level'
        """
        return _plot.plot_levels(self.statistics, "level", "found", ax, self.leaves)

    def __repr__(self) -> str:
        return f"<breadth.BfsResult: {self.reached:,} of {len(self.levels):,} vertices reached>"


class SsspResult(_SearchResult):
    """Shortest paths from a vertex.

    distances: the sum of weights from the source, of the type that `Graph.distance_type` says; inf where it does not
        reach, and the largest integer, numpy.iinfo(numpy.int64).max, among integers.
    reached: how many vertices it reaches, itself included.
    seconds: of the engine alone.
    source: the index in `labels` of the vertex that it began at.
    graph: the Graph that was searched, whose `labels` name the rows of all arrays.

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
        """Return the distance of a vertex as a number of Python; None where it is not reached. Raises KeyError for one
        that is not there.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").distance_to("c")
            3.5
        """
        index = self.graph.index(label)
        return self.distances[index].item() if self.parents[index] >= 0 else None

    @property
    def parents(self) -> Integers:
        """int64, the index in `labels` of the vertex before on a shortest path; the source's own, -1 if unreached.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").parents.tolist()
            [0, 0, 1]
        """
        return self._tree_parents()

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """What each step did, by buckets of distances or sweeps over all vertices.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> [step["claimed"] for step in g.sssp("a").statistics]
            [2]
        """
        return self._log.records()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with the columns vertex, distance and parent (a label, if any).

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
        """Return the same as a table of pyarrow; a parent that is missing is null.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").to_arrow().column_names
            ['vertex', 'distance', 'parent']
        """
        return _arrow.vertex_table(self.graph, distance=self.distances, parent=self._arrow_parents())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw what each step did with matplotlib: how often a vertex came closer, and edges examined.

        ax: axes to draw into; a figure of its own by default. Raises ImportError where matplotlib is not installed.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").plot().get_xlabel()
            'step'
        """
        return _plot.plot_levels(self.statistics, "step", "brought closer", ax)

    def __repr__(self) -> str:
        return f"<breadth.SsspResult: {self.reached:,} of {len(self.distances):,} vertices reached>"


class NearestSources(Tree):
    """What a breadth-first search from several sources found.

    levels: int64, edges from the nearest source; -1 where none reaches.
    sources: int64, the index in `labels` of that source; -1 where none reaches.
    reached: how many vertices they reach, themselves included.

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
        """Return the level of a vertex; None where it is not reached. Raises KeyError for one that is not there.

        Examples:
            >>> breadth.grid(1, 5).multi_source_bfs([0, 4]).level_of(3)
            1
        """
        return _level_of(self.graph, self.levels, label)

    @property
    def parents(self) -> Integers:
        """int64, the index in `labels` of the vertex before on the path from the nearest source.

        Examples:
            >>> breadth.grid(1, 5).multi_source_bfs([0, 4]).parents.tolist()
            [0, 0, 1, 4, 4]
        """
        return self._tree_parents()

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with the columns vertex, level, source and parent (labels, missing where there is none).

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
        """Return the same as a table of pyarrow; what is missing is null.

        Examples:
            >>> breadth.grid(1, 3).multi_source_bfs([0]).to_arrow().column_names
            ['vertex', 'level', 'source', 'parent']
        """
        sources = _arrow.label_column(self.graph, self.sources)
        return _arrow.vertex_table(self.graph, level=self.levels, source=sources, parent=self._arrow_parents())

    def __repr__(self) -> str:
        return f"<breadth.NearestSources: {self.reached:,} of {len(self.levels):,} vertices reached>"


class Components:
    """Connected components, numbered 0, 1, 2, ... in the order of their first vertices.

    of_vertex: int64, the component of each vertex.
    """

    __slots__ = ("_count", "graph", "of_vertex")

    def __init__(self, graph: Graph, of_vertex: Integers, count: int) -> None:
        self.graph = graph
        self.of_vertex = of_vertex[: len(graph)]
        self._count = count if len(graph) else 0

    def __len__(self) -> int:
        """Return how many there are."""
        return self._count

    @property
    def sizes(self) -> Integers:
        """int64, how many vertices each component has.

        Examples:
            >>> breadth.Graph.from_edges([0, 2, 3], [1, 3, 4]).connected_components().sizes.tolist()
            [2, 3]
        """
        return np.bincount(self.of_vertex, minlength=len(self)).astype(np.int64)

    def groups(self) -> list[npt.NDArray[Any]]:
        """Return the labels of each component. O(n log n).

        Examples:
            >>> c = breadth.Graph.from_edges([0, 2, 3], [1, 3, 4]).connected_components()
            >>> [group.tolist() for group in c.groups()]
            [[0, 1], [2, 3, 4]]
        """
        order = np.argsort(self.of_vertex, kind="stable")
        return np.split(self.graph.labels[order], np.cumsum(self.sizes)[:-1]) if len(self) else []

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with the columns vertex and component.

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
        """Return the same as a table of pyarrow.

        Examples:
            >>> breadth.grid(1, 3).connected_components().to_arrow().column_names
            ['vertex', 'component']
        """
        return _arrow.vertex_table(self.graph, component=self.of_vertex)

    def __repr__(self) -> str:
        return f"<breadth.Components: {len(self):,} of {len(self.graph):,} vertices>"
