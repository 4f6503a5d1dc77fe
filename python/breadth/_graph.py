"""Graphs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _convert, _engine, _memory
from ._categories import as_labels
from ._columns import Array, as_weights, in_32_bits, labels_in, require_one_length, target_indices
from ._copies import copy_attributes, state_of
from ._engine import EngineGraph
from ._labels import Labels, RangeLabels, found_labels, labels_of
from ._numbering import indices_of, labels_of_vertices, number_columns, require_known
from ._options import (
    NO_LIMIT,
    OptionValue,
    building,
    cutoffs,
    depth_limit,
    errors_of_options,
    option_texts,
    thread_count,
    truth,
    whole,
)
from ._progress import shown
from ._results import BfsResult, Components, NearestSources, SsspResult
from ._stored import StoredGraph

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import pandas as pd


class Graph(StoredGraph):
    """A graph whose vertices have labels: integers, strings, or anything hashable but None and NaN.

    A graph never changes. Class methods, `breadth.read` and the generators make graphs. Self-loops are left out,
    because no shortest path has one. Of several edges between the same vertices, the lightest is kept. Vertices without
    edges stay.

    Any Python thread may call a search, and other Python threads run meanwhile. The searches of one process take turns
    with the engine's threads. Ctrl-C ends any call that takes long and leaves the graph as it was.

    Examples:
        >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
        >>> g
        <breadth.Graph: 3 vertices, 2 edges, undirected>
        >>> len(g), "a" in g, g.labels.tolist()
        (3, True, ['a', 'b', 'c'])
    """

    __slots__ = ()
    __networkx_backend__ = "breadth"  # whose `can_run` says what networkx needs

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("make a Graph with Graph.from_edges, another from_ method, breadth.read or a generator")

    @classmethod
    def _of(cls, engine: EngineGraph, labels: Labels, weight_type: npt.DTypeLike = np.float32) -> Graph:
        """Return the Graph of an engine's graph. weight_type: the type in which the weights were given."""
        graph = object.__new__(cls)
        graph._engine = engine
        graph._labels = labels
        graph._labels_array = None
        graph._weight_type = np.dtype(weight_type)
        return graph

    @classmethod
    def from_edges(
        cls,
        sources: Any,
        targets: Any,
        weights: Any = None,
        directed: bool = False,
        *,
        vertices: Iterable[Hashable] | None = None,
        exact: bool = True,
        threads: int | None = None,
        progress: bool = False,
        **layout: OptionValue,
    ) -> Graph:
        """Return the graph whose edges are given in columns: edge i joins sources[i] and targets[i].

        sources, targets, weights: one-dimensional columns of equal length: numpy arrays, columns of pandas, polars or
            Arrow, or lists. The graph keeps no reference to them.
        directed: whether edges lead from sources to targets only.
        vertices: all labels, in the order that `Graph.labels` will have. Without it, the labels are those of the edges:
            integers in ascending order, others in the order of their first appearance.
        exact: whether to keep weights exactly: integers of any width, float64 or float32. Distances are then exact sums
            of integers, or floating-point sums (see `distance_type`). exact=False rounds weights to float32. Where that
            changes weights, searches are faster and take less memory.
        threads: number of threads for this graph and its searches; by default all processors, or one for a small graph.
        progress: whether to show a progress bar of tqdm.
        layout: the engine's options for graphs, as `python -m breadth options layout` lists them.

        Raises ValueError for columns of different lengths, a missing label, a label that is twice in vertices, and a
        weight that is negative, infinite, NaN or not a number, each with its index. Raises KeyError for a label that is
        not in vertices. Raises MemoryError with the figures, before anything is built, if a graph of so many distinct
        edges would not fit.
        O(m log d) for m edges and d edges per vertex. Integer labels are read in place, or looked up all at once if
        `vertices` are not consecutive integers. Other labels take a dict look-up each.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"])
            >>> g.bfs("a").levels.tolist()
            [0, 1, 2]
            >>> breadth.Graph.from_edges([7, 9], [9, 3], [1.5, 2]).sssp(7).distances.tolist()
            [3.5, 0.0, 1.5]
            >>> breadth.Graph.from_edges([7], [9], vertices=[3, 7, 9]).labels.tolist()
            [3, 7, 9]
        """
        columns = as_labels(sources, "sources"), as_labels(targets, "targets")
        numbers = None if weights is None else as_weights(weights)
        require_one_length(*columns, numbers)
        labels: Labels | None
        if vertices is None:
            starts, ends, labels = number_columns(*columns)
        else:
            labels = labels_of_vertices(vertices)
            starts = indices_of(columns[0], "sources", labels)
            ends = indices_of(columns[1], "targets", labels)
        options: dict[str, Any] = {"exact": exact, "threads": threads, "progress": progress, "layout": layout}
        try:
            with errors_of_options(cls.from_edges, layout):
                return cls._from_numbers(starts, ends, numbers, labels, directed, **options)
        except IndexError:
            if labels is not None:
                require_known(columns[0], "sources", starts, labels)
                require_known(columns[1], "targets", ends, labels)
            raise

    @classmethod
    def _from_numbers(
        cls,
        sources: Array,
        targets: Array,
        weights: Array | None,
        labels: Labels | None,
        directed: bool,
        *,
        exact: bool = True,
        threads: int | None = None,
        progress: bool = False,
        layout: dict[str, OptionValue] | None = None,
        copies: int = 1,
    ) -> Graph:
        """Return the graph of edges between indices of labels. Without labels, the integers themselves are the labels.

        copies: how often the columns have each edge.
        """
        directed, exact = truth("directed", directed), truth("exact", exact)
        if weights is not None and not exact:
            weights = in_32_bits(weights)
        if labels is not None:
            edges, weighted = len(sources) // copies, weights is not None
            _memory.require_memory(
                len(labels), edges, weighted=weighted, directed=directed, threads=threads, layout=layout or {}
            )
        with shown(progress) as show:
            engine, first, integers = _engine.from_columns(
                sources,
                targets,
                weights,
                None if labels is None else len(labels),
                directed,
                option_texts(layout or {}),
                thread_count(threads),
                show,
            )
        known = found_labels(engine.vertex_count, first, integers) if labels is None else labels
        return cls._of(engine, known, np.float32 if weights is None else weights.dtype)

    @classmethod
    def from_scipy(cls, matrix: Any, directed: bool = True, *, weighted: bool = True, **options: Any) -> Graph:
        """Return the graph of a scipy sparse matrix or array: entry (i, j) is the weight of an edge from i to j.

        All rows are vertices, with the labels 0, 1, 2, ... Duplicate entries are summed, as scipy does. Stored zeros
        are edges, except those that fill the blocks of a bsr matrix. With weighted=False, or for a matrix of bools, the
        graph has no weights. Further options are those of from_edges. Raises ValueError for a matrix that is not
        square.

        Examples:
            >>> import scipy
            >>> matrix = scipy.sparse.csr_array([[0, 5], [0, 0]])
            >>> breadth.Graph.from_scipy(matrix)
            <breadth.Graph: 2 vertices, 1 edges, directed, weighted>
        """
        directed, weighted = truth("directed", directed), truth("weighted", weighted)
        sources, targets, weights, count = _convert.columns_of_scipy(matrix)
        with (
            building(cls.from_scipy, options, 1 if directed else 2) as named,
            _convert.errors_with_edges(lambda i: f"entry ({sources[i]}, {targets[i]})"),
        ):
            numbers = None if not weighted or weights.dtype == np.bool_ else as_weights(weights)
            return cls._from_numbers(sources, targets, numbers, RangeLabels(0, count), directed, **named)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any], weight: str | None = None, **options: Any) -> Graph:
        """Return the graph of a networkx graph: a Graph, DiGraph, MultiGraph or MultiDiGraph.

        All nodes become vertices, in networkx's order. weight: the edge attribute with the weights, or None for a graph
        without weights. An edge without the attribute has the weight 1, as in networkx. Of parallel edges, the lightest
        is kept. Further options are those of from_edges. Raises ValueError for an attribute that no edge has.

        Examples:
            >>> import networkx as nx
            >>> G = nx.Graph()
            >>> G.add_edge("a", "b", km=1.5)
            >>> breadth.Graph.from_networkx(G, "km").sssp("a").distance_to("b")
            1.5
        """
        sources, targets, weights, nodes = _convert.columns_of_networkx(graph, weight)
        labels, directed = labels_of(nodes, "nodes"), graph.is_directed()
        with (
            building(cls.from_networkx, options, 1 if directed else 2) as named,
            _convert.errors_with_edges(lambda i: f"the edge ({nodes[sources[i]]!r}, {nodes[targets[i]]!r})"),
        ):
            numbers = None if weights is None else as_weights(weights)
            return cls._from_numbers(sources, targets, numbers, labels, directed, **named)

    @classmethod
    def from_igraph(cls, graph: igraph.Graph, weights: str | None = None, **options: Any) -> Graph:
        """Return the graph of an igraph graph. Labels are the vertices' names if there are any, else 0, 1, 2, ...

        weights: the edge attribute with the weights. Further options are those of from_edges.

        Examples:
            >>> import igraph
            >>> breadth.Graph.from_igraph(igraph.Graph.Ring(4)).bfs(0).levels.tolist()
            [0, 1, 2, 1]
        """
        sources, targets, numbers, names = _convert.columns_of_igraph(graph, weights)
        labels: Labels = RangeLabels(0, graph.vcount()) if names is None else labels_of(names, "names")
        checked = None if numbers is None else as_weights(numbers)
        with building(cls.from_igraph, options) as named:
            return cls._from_numbers(sources, targets, checked, labels, graph.is_directed(), **named)

    @classmethod
    def from_pandas(
        cls,
        frame: pd.DataFrame,
        source: Hashable,
        target: Hashable,
        weight: Hashable | None = None,
        directed: bool = False,
        **options: Any,
    ) -> Graph:
        """Return the graph whose edges are the rows of a DataFrame. Further options are those of from_edges.

        source, target, weight: names of columns.

        Raises KeyError for a column that the frame does not have.

        Examples:
            >>> import pandas as pd
            >>> roads = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "km": [1.5, 2.0]})
            >>> breadth.Graph.from_pandas(roads, "from", "to", "km").sssp("a").distances
            array([0. , 1.5, 3.5])
        """
        if "weights" in options:
            raise TypeError("from_pandas takes weight=, the name of a column, not weights=")
        sources, targets = _convert.column_of_pandas(frame, source), _convert.column_of_pandas(frame, target)
        weights = None if weight is None else _convert.column_of_pandas(frame, weight)
        return cls.from_edges(sources, targets, weights, directed, **options)

    def bfs(
        self,
        source: Any,
        *,
        max_depth: int | None = None,
        targets: Iterable[Any] | None = None,
        parents: bool = True,
        threads: int | None = None,
        **options: OptionValue,
    ) -> BfsResult:
        """Search breadth first from a vertex. In a directed graph, the search follows the direction of the edges.

        max_depth: the deepest level to visit. Vertices farther away count as unreached.
        targets: labels of vertices to find. The search ends after the level in which it finds the last target. Vertices
            farther away than all targets count as unreached; all others have their levels. If a target cannot be
            reached, the search visits every vertex that can be.
        parents: whether the result has parents. Without them it has no paths either, and takes less time.
        threads: number of threads, if not that of the graph.
        options: the engine's options, as `python -m breadth options search` lists them: `direction="push"`, `alpha=15`.

        Raises KeyError for a source or target that is not in the graph, ValueError for a depth or option out of range.
        O(n + m).

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])
            >>> g.bfs("a").levels.tolist()
            [0, 1, 2, 3]
            >>> g.bfs("a", max_depth=1).levels.tolist()
            [0, 1, -1, -1]
            >>> g.bfs("a", targets=["c"], direction="push").path_to("c")
            ['a', 'b', 'c']
        """
        start, parents = self.index(source), truth("parents", parents)
        depth = depth_limit("max_depth", max_depth)
        wanted = target_indices(self.index, targets, start)
        texts = option_texts(options)
        with errors_of_options(self.bfs, options):
            levels, found, log = self._engine.bfs(start, wanted, depth, parents, texts, thread_count(threads))
        return BfsResult(self, start, levels, found, log)

    def sssp(
        self,
        source: Any,
        *,
        cutoff: float | None = None,
        targets: Iterable[Any] | None = None,
        threads: int | None = None,
        **options: OptionValue,
    ) -> SsspResult:
        """Find the paths from a vertex with the least sums of weights.

        cutoff: the largest distance to find. Vertices farther away count as unreached.
        targets: labels of vertices to find. The search ends when the last target has its distance. Vertices farther
            away than all targets count as unreached; all others have their distances. If a target cannot be reached,
            the search finds all paths.
        threads, options: as in `bfs`.

        Raises KeyError for a source or target that is not in the graph, ValueError for a graph without weights and for
        an option out of range, OverflowError for a distance too large for `distance_type`.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], [1.5, 2])
            >>> g.sssp("a").distances
            array([0. , 1.5, 3.5])
            >>> g.sssp("a", cutoff=2).reached
            2
        """
        start = self.index(source)
        wanted = target_indices(self.index, targets, start)
        limits = cutoffs(cutoff)
        texts = option_texts(options)
        with errors_of_options(self.sssp, options):
            distances, parents, log = self._engine.sssp(start, wanted, *limits, texts, thread_count(threads))
        return SsspResult(self, start, distances, parents, log)

    def distances(
        self,
        sources: Iterable[Any],
        targets: Iterable[Any] | None = None,
        *,
        weighted: bool = False,
        threads: int | None = None,
    ) -> npt.NDArray[Any]:
        """Return how far each target is from each source: an array with a row per source and a column per target.

        targets: by default all vertices, in the order of `labels`.
        weighted: whether to return `SsspResult.distances`, the least sums of weights. If not, the array has
            `BfsResult.levels`, the numbers of edges.

        Each source takes a search. Raises KeyError and ValueError as they do, MemoryError if the array does not fit.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], [1, 2, 5])
            >>> g.distances(["a", "b"]).tolist()
            [[0, 1, 1], [1, 0, 1]]
            >>> g.distances(["a", "b"], ["c"], weighted=True).tolist()
            [[3.0], [2.0]]
        """
        starts, weighted = labels_in(sources, "sources"), truth("weighted", weighted)
        ends = None if targets is None else labels_in(targets, "targets")
        columns = slice(None) if ends is None else [self.index(end) for end in ends]
        shape = (len(starts), len(self) if ends is None else len(ends))
        found = _memory.new_array(shape, self.distance_type if weighted else np.dtype(np.int64))
        for row, start in zip(found, starts, strict=True):
            if weighted:
                row[:] = self.sssp(start, targets=ends, threads=threads).distances[columns]
            else:
                row[:] = self.bfs(start, targets=ends, parents=False, threads=threads).levels[columns]
        return found

    def multi_source_bfs(
        self, sources: Iterable[Any], *, max_depth: int | None = None, threads: int | None = None
    ) -> NearestSources:
        """Search breadth first from several vertices at once: find each vertex's nearest source, and how far it is.

        Of several sources that are equally near, the first in `sources` counts. Raises KeyError and ValueError as `bfs`
        does.

        Examples:
            >>> g = breadth.grid(1, 5)
            >>> r = g.multi_source_bfs([0, 4])
            >>> r.levels.tolist(), r.sources.tolist()
            ([0, 1, 2, 1, 0], [0, 0, 0, 4, 4])
        """
        starts = self._starts(sources)
        depth = depth_limit("max_depth", max_depth)
        levels, parents, nearest, reached = self._engine.nearest_sources(starts, depth, thread_count(threads))
        count = len(self)  # the engine's graph has one vertex even if this one has none
        return NearestSources(self, levels[:count], parents[:count], nearest[:count], reached)

    def k_hop(self, sources: Iterable[Any], k: int, *, threads: int | None = None) -> npt.NDArray[Any]:
        """Return the labels of all vertices within k edges of any source, sources included, in the order of `labels`.

        Examples:
            >>> breadth.grid(1, 5).k_hop([0], 2).tolist()
            [0, 1, 2]
        """
        starts = self._starts(sources)
        levels = self._engine.nearest_levels(starts, min(whole("k", k, 0), NO_LIMIT), thread_count(threads))
        labels: npt.NDArray[Any] = self.labels[levels[: len(self)] >= 0]
        return labels

    def _starts(self, sources: Iterable[Any]) -> list[int]:
        return [self.index(source) for source in labels_in(sources, "sources")]

    def shortest_path(
        self, source: Any, target: Any, *, weighted: bool = False, threads: int | None = None
    ) -> list[Any] | None:
        """Return the labels of a shortest path, both ends included; None if there is no path.

        weighted: whether the path is the one with the least sum of weights, which `sssp` finds. If not, it is one with
            the fewest edges: searches from both ends go on until they meet.

        Raises KeyError as `bfs` does, ValueError if weighted and the graph has no weights.

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], [1, 2, 5])
            >>> g.shortest_path("c", "a")
            ['c', 'a']
            >>> g.shortest_path("c", "a", weighted=True)
            ['c', 'b', 'a']
        """
        if truth("weighted", weighted):
            return self.sssp(source, targets=[target], threads=threads).path_to(target)
        path = self._engine.short_path(self.index(source), self.index(target), thread_count(threads))
        return self._names(path) if path else None

    def connected_components(self, *, threads: int | None = None) -> Components:
        """Find the connected components; of a directed graph, the weakly connected ones. O(n + m).

        Examples:
            >>> c = breadth.Graph.from_edges([0, 2], [1, 3]).connected_components()
            >>> len(c), c.of_vertex.tolist()
            (2, [0, 0, 1, 1])
        """
        of_vertex, count = self._engine.components(thread_count(threads))
        return Components(self, of_vertex, count)

    def reverse(self) -> Graph:
        """Return a directed graph with its edges reversed, to search for what leads to a vertex; an undirected graph
        itself. O(n + m).

        Examples:
            >>> g = breadth.Graph.from_edges(["a", "b"], ["b", "c"], directed=True)
            >>> g.reverse().bfs("c").levels.tolist()
            [2, 1, 0]
        """
        if not self.directed:
            return self
        sources, targets, weights = self._edges()
        return _rebuild(targets, sources, weights, self._labels, directed=True, distance_type=self.distance_type)

    def __reduce__(self) -> tuple[Any, ...]:
        columns = (*self._edges(), self._labels, self.directed)
        return (_rebuild, (*columns, type(self), self.distance_type), state_of(self, Graph))

    def __copy__(self) -> Graph:
        """Return the graph itself, because it never changes. A subclass gets a new object, which shares everything but
        the attributes."""
        return self._twin()

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self._twin(memo)

    def _twin(self, memo: dict[int, Any] | None = None) -> Graph:
        if type(self) is Graph:
            return self
        twin = type(self)._of(self._engine, self._labels, self._weight_type)
        copy_attributes(self, twin, Graph, memo)
        return twin


def _rebuild(
    sources: Array,
    targets: Array,
    weights: Array | None,
    labels: Labels,
    directed: bool,
    kind: type[Graph] = Graph,
    distance_type: np.dtype[Any] | None = None,
) -> Graph:
    graph = kind._from_numbers(sources, targets, weights, labels, directed)
    if weights is None or distance_type is None or graph.distance_type == distance_type:
        return graph
    # A heavy parallel edge, which the graph did not keep, had made distance_type wider. This self-loop does it again,
    # and is not kept either.
    heavy = 2**53 + 1 if weights.dtype.kind in "iu" else np.finfo(weights.dtype).max
    first, second = (np.append(column, column.dtype.type(0)) for column in (sources, targets))
    return kind._from_numbers(first, second, np.append(weights, weights.dtype.type(heavy)), labels, directed)
