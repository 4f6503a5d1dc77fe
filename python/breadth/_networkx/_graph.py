"""A networkx graph as arrays, in the order of its adjacency, and as graphs of the engine."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .. import _engine
from .._convert import adjacency_of, is_view, plain_rows
from .._engine import Rows
from .._graph import Graph
from .._labels import RangeLabels
from .._options import NO_LIMIT

Indices = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]

_A_PART = 16  # a search examines one neighbour in so many before the engine takes over


def indices(values: npt.NDArray[Any]) -> Indices:
    return np.ascontiguousarray(values, dtype=np.int32)


def tails_of(rows: Rows) -> Indices:
    """Return for each entry of heads the node of whose row it is."""
    return np.repeat(np.arange(len(rows.starts) - 1, dtype=np.int32), np.diff(rows.starts))


def entries_of(rows: Rows, nodes: Indices) -> tuple[Places, Places]:
    """Return the positions in heads of the neighbours of some nodes, node after node, and the number of each node."""
    begins = rows.starts[nodes]
    counts = rows.starts[nodes + 1] - begins
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(begins - ends + counts, counts) + np.arange(total, dtype=np.int64), counts


class Inexact(NotImplementedError):
    """Raised for weights whose sums might differ from networkx's, so that networkx runs its own function."""


class Weights:
    """The weights of all entries of a graph's rows, and the engine's graph with these weights."""

    __slots__ = ("engine", "one", "positive", "searched", "values")

    def __init__(self, values: Numbers) -> None:
        self.values = values
        self.positive = not_positive(values) is None
        self.one = values.dtype == np.int64 and bool((values == 1).all())
        self.engine: Graph | None = None
        self.searched = False

    @property
    def integers(self) -> bool:
        return bool(self.values.dtype == np.int64)

    def require_positive(self) -> None:
        if not self.positive:
            raise Inexact(not_positive(self.values))


def not_positive(values: Numbers) -> str | None:
    """Return why Bellman-Ford paths with these weights might differ from networkx's, or None."""
    return (
        "a weight is 0: which nodes come before one depends on the order of relaxations" if not values.all() else None
    )


class _Kept(threading.local):
    """Weights that `can_run` read, kept for the search that follows in the same thread."""

    graph: weakref.ref[nx.Graph[Any]] | None = None
    weight: Any = None
    values: Numbers | None = None


_kept = _Kept()


def read_weights(graph: nx.Graph[Any], weight: Any, *, keep: bool = False) -> Numbers | str:
    """Return the weights of all entries, int64 or float64, or why sums of them would differ from networkx's.

    O(edges): each call reads the weights, because G[u][v][weight] = ... does not clear networkx's cache. With `keep`,
    the next call does not read them again.
    """
    known = _kept.values if _kept.graph is not None and _kept.graph() is graph and _kept.weight == weight else None
    _kept.graph = _kept.weight = _kept.values = None
    if keep:
        values = _read_weights(graph, weight)
        if not isinstance(values, str):
            _kept.graph, _kept.weight, _kept.values = weakref.ref(graph), weight, values
        return values
    return _read_weights(graph, weight) if known is None else known


def _read_weights(graph: nx.Graph[Any], weight: Any) -> Numbers | str:
    values = _engine.read_weights(plain_rows(graph), weight, graph.is_multigraph())
    if isinstance(values, str):
        return values
    return _why_refused(values) or values


def _why_refused(values: Numbers) -> str | None:
    """Return why this backend can search with these weights in no function, or None."""
    if not len(values):
        return None
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        return "a weight is infinite or NaN"
    return "a weight is negative" if values.min() < 0 else None


class BackendGraph:
    """The converted form of a networkx graph. Keeps a weak reference to that graph, to read weights and attributes."""

    __networkx_backend__ = "breadth"

    def __init__(self, graph: nx.Graph[Any]) -> None:
        self.original = weakref.ref(graph)
        self._directed = bool(graph.is_directed())
        self._multigraph = bool(graph.is_multigraph())
        self._is_view = is_view(graph)
        adjacency = adjacency_of(graph)
        self.nodes: list[Any] = list(adjacency)
        self._first = 0
        self._places: Indices | None = None
        if (integers := _engine.integer_nodes(self.nodes)) is not None:
            self._first, self._places = integers
        self._index: dict[Any, int] | None = None
        self.rows = self._read(adjacency)
        self._require_both_ends(graph)
        self._columns: Rows | None = None
        self._forward: Graph | None = None
        self._backward: Graph | None = None
        self._both_ways: Graph | None = None
        self._searched = False
        self._weights: dict[Any, Weights] = {}
        self._turned: BackendGraph | None = None
        self._against = False

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Become None in a copy or pickle of networkx's graph and its cache, because a conversion belongs to one graph.
        networkx's cache ignores None."""
        return type(None), ()

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return self.index_of(node) >= 0

    def index_of(self, node: Any) -> int:
        """Return the index of a node, -1 if it is not in the graph."""
        if self._places is not None and type(node) is int:
            place = node - self._first
            return int(self._places[place]) if 0 <= place < len(self._places) else -1
        try:
            return self.index.get(node, -1)
        except TypeError:  # not hashable
            return -1

    @property
    def index(self) -> dict[Any, int]:
        """The index of each node."""
        if self._index is None:
            self._index = dict(zip(self.nodes, range(len(self.nodes)), strict=True))
        return self._index

    def graph(self) -> nx.Graph[Any]:
        """Return the networkx graph. Raises NotImplementedError if it no longer exists."""
        graph = self.original()
        if graph is None:
            raise NotImplementedError("the networkx graph that this was converted from no longer exists")
        return graph

    def names(self, nodes: npt.NDArray[Any]) -> list[Any]:
        return _engine.names_of(self.nodes, indices(nodes))

    def turned(self) -> BackendGraph:
        """Return the graph with its edges reversed, and its rows in the order of networkx's `reverse`."""
        if not self._directed:
            return self
        if self._turned is None:
            turned = object.__new__(BackendGraph)
            turned.__dict__.update(self.__dict__)
            turned.rows, turned._columns = self.columns, self.rows
            turned._forward, turned._backward = self._backward, self._forward
            turned._weights = {}
            turned._against = True
            self._turned = turned
        return self._turned

    def _read(self, adjacency: Mapping[Any, Any]) -> Rows:
        rows = list(adjacency.values())
        by_node = self.index if self._places is None else None
        read = _engine.read_rows(rows, self._first, self._places, by_node)
        if read is None:  # rows that are no plain dicts, or keys that equal nodes without being them, as True and 1
            read = _engine.read_rows([dict.fromkeys(row) for row in rows], 0, None, self.index)
        assert read is not None
        return read

    def _require_both_ends(self, graph: nx.Graph[Any]) -> None:
        """Raise NotImplementedError for an undirected view whose filter lets an edge pass from one of its ends only."""
        if self._directed or not self._is_view:
            return
        tails, heads = tails_of(self.rows).astype(np.int64), self.rows.heads.astype(np.int64)
        same = np.array_equal(np.sort(tails * len(self) + heads), np.sort(heads * len(self) + tails))
        if same and self._multigraph:
            rows = dict(zip(self.nodes, plain_rows(graph), strict=True))
            same = all(edges.keys() == rows[head][node].keys() for node in rows for head, edges in rows[node].items())
        if not same:
            raise NotImplementedError("the edge filter accepts an edge from only one of its two ends")

    @property
    def columns(self) -> Rows:
        """The rows of predecessors, in networkx's order; `rows` itself if the graph is undirected."""
        if not self._directed:
            return self.rows
        if self._columns is None:
            columns = self._read(adjacency_of(self.graph(), against=True))
            forward = tails_of(self.rows).astype(np.int64) * len(self) + self.rows.heads
            backward = columns.heads.astype(np.int64) * len(self) + tails_of(columns)
            if not np.array_equal(np.sort(forward), np.sort(backward)):
                raise RuntimeError("the graph changed after it was converted")
            self._columns = columns
        return self._columns

    def _built(self, tails: Indices, heads: Indices, weights: Numbers | None, directed: bool) -> Graph:
        if not directed and weights is None and not self._directed:
            once = tails < heads
            tails, heads = tails[once], heads[once]
        return Graph._from_numbers(tails, heads, weights, RangeLabels(0, len(self)), directed)

    @property
    def forward(self) -> Graph:
        """The engine's graph along the edges."""
        if self._forward is None:
            self._forward = self._built(tails_of(self.rows), self.rows.heads, None, self._directed)
        return self._forward

    @property
    def backward(self) -> Graph:
        """The engine's graph against the edges."""
        if not self._directed:
            return self.forward
        if self._backward is None:
            self._backward = self._built(self.rows.heads, tails_of(self.rows), None, True)
        return self._backward

    @property
    def both_ways(self) -> Graph:
        """The engine's undirected graph."""
        if not self._directed:
            return self.forward
        if self._both_ways is None:
            self._both_ways = self._built(tails_of(self.rows), self.rows.heads, None, False)
        return self._both_ways

    def levels(self, source: int, depth: int | None = None, *, against: bool = False) -> tuple[Indices, Places]:
        """Return the nodes that a search reaches, level by level in the order of the graph, and where levels begin.

        Building the engine's graph takes longer than one search without it. So the first search does without the
        engine, and so does a search that sees little of the graph.
        """
        limit = NO_LIMIT if depth is None else min(depth, NO_LIMIT)
        rows = self._columns if against and self._directed else self.rows
        if rows is not None:
            budget = len(rows.heads) // _A_PART if self._searched else NO_LIMIT
            found = rows.levels(source, limit, budget)
            self._searched = self._searched or len(rows.heads) > 0
            if found is not None:
                return found
        engine = self.backward if against else self.forward
        return _engine.by_level(engine.bfs(source, max_depth=depth, parents=False).levels)

    def weights(self, weight: Any, *, positive: bool = False) -> Weights:
        """Return the current weights, or `weight` itself if it is a Weights. Raises Inexact if sums may be inexact."""
        if isinstance(weight, Weights):
            if positive:
                weight.require_positive()
            return weight
        graph = self.graph()
        values = read_weights(graph.reverse(copy=False) if self._against else graph, weight)
        if isinstance(values, str):
            raise Inexact(values)
        if len(values) != len(self.rows.heads):
            raise RuntimeError("the graph changed after it was converted")
        known = self._weights.get(weight)
        if known is None or known.values.dtype != values.dtype or not np.array_equal(known.values, values):
            known = self._weights[weight] = Weights(values)
        if positive:
            known.require_positive()
        return known

    def weighted(self, weights: Weights) -> Graph:
        """Return the engine's graph along the edges, with these weights."""
        if weights.engine is None:
            directed = self._directed or not self._same_both_ways(weights.values)
            weights.engine = self._built(tails_of(self.rows), self.rows.heads, weights.values, directed)
        return weights.engine

    def _same_both_ways(self, values: Numbers) -> bool:
        """Whether undirected edges have one weight from both ends, which a view of a directed graph may not have."""
        if not self._is_view:
            return True
        tails, heads = tails_of(self.rows), self.rows.heads
        return np.array_equal(values[np.lexsort((heads, tails))], values[np.lexsort((tails, heads))])

    def dicts(self, *, against: bool = False) -> dict[Any, Any]:
        """Return the current dict of rows, or of columns: networkx's own, or a new one for a view."""
        graph = self.graph()
        before = against is not self._against
        found = adjacency_of(graph, against=before)
        return found if type(found) is dict else dict(zip(found, plain_rows(graph, against=before), strict=True))


def _kept_of(graph: Any) -> list[BackendGraph]:
    """Return the conversions in networkx's cache of a graph, which may also hold None and failures."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return [known for known in cache.get("backends", {}).get("breadth", {}).values() if isinstance(known, BackendGraph)]


def shows_another(graph: Any) -> bool:
    """Whether the graph is a view, which changes with another graph that does not clear the view's cache.

    networkx's views keep the other graph as `_graph`, also if they share its dicts.
    """
    return hasattr(graph, "_graph") or is_view(graph)


def convert_from_nx(graph: nx.Graph[Any], **_: Any) -> BackendGraph:
    """Return the converted graph, or a conversion that networkx's cache has under another key.

    Conversions of views are not cached: None turns their cache off, as in networkx.
    """
    if shows_another(graph):
        graph.__networkx_cache__ = None
    elif nx.config.cache_converted_graphs:
        for known in _kept_of(graph):
            if known.original() is graph:
                return known
    return BackendGraph(graph)


def refuse_our_own(graph: Any) -> None:
    """Raise TypeError for a breadth.Graph. It names this backend, so that networkx calls the backend with it."""
    if isinstance(graph, Graph):
        raise TypeError("this function needs a graph of networkx, not a breadth.Graph: convert it with to_networkx()")


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Return the networkx graph of a BackendGraph, and any other result as it is."""
    refuse_our_own(result)
    return result.graph() if isinstance(result, BackendGraph) else result


def is_converted(graph: Any) -> bool:
    """Whether the graph is converted already, so that a search needs no conversion."""
    return isinstance(graph, BackendGraph) or bool(_kept_of(graph))
