"""A graph of networkx as arrays, in the order of its adjacency, and as the engine's graphs."""

from __future__ import annotations

import copy
import math
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .._graph import Graph
from .._labels import RangeLabels

Integers = npt.NDArray[np.integer[Any]]
Numbers = npt.NDArray[Any]


class Rows:
    """Neighbours of each node in the order of networkx: those of node i are heads[starts[i]:starts[i + 1]]."""

    __slots__ = ("heads", "starts")

    def __init__(self, starts: Integers, heads: Integers) -> None:
        self.starts = starts
        self.heads = heads

    def tails(self) -> Integers:
        """Return the node that each entry of heads is a neighbour of."""
        count = len(self.starts) - 1
        return np.repeat(np.arange(count, dtype=self.heads.dtype), np.diff(self.starts))

    def entries_of(self, nodes: Integers) -> tuple[Integers, Integers]:
        """Return where in heads the neighbours of some nodes are, node after node, and how many each has."""
        begins = self.starts[nodes]
        counts = self.starts[nodes + 1] - begins
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(begins - ends + counts, counts) + np.arange(total, dtype=begins.dtype), counts


class Inexact(NotImplementedError):
    """Weights whose sums would not be those of networkx; networkx itself takes over."""


class Weights:
    """The weights of all entries of a graph's rows, and the engine's graph that has them."""

    __slots__ = ("engine", "one", "positive", "values")

    def __init__(self, values: Numbers) -> None:
        self.values = values
        self.positive = not_positive(values) is None
        self.engine: Graph | None = None
        self.one = values.dtype == np.int64 and bool((values == 1).all())

    @property
    def integers(self) -> bool:
        return bool(self.values.dtype == np.int64)

    def require_positive(self) -> None:
        if not self.positive:
            raise Inexact(not_positive(self.values))


def not_positive(values: Numbers) -> str | None:
    """Return why paths by these weights might not be those of networkx, or None."""
    if not len(values):
        return None
    least = values.min()
    if least == 0:
        return "a weight is 0: which path networkx takes depends on its heap"
    if values.dtype.kind == "f" and least * 2**52 <= float(values.max()) * len(values):
        return "a weight is so small that it may vanish in a sum: which path networkx takes depends on its heap"
    return None


def may_round(values: Numbers, count: int) -> bool:
    """Whether sums of so many of these weights depend on the order in which they are added."""
    positive = values[values > 0] if values.dtype.kind == "f" else values[:0]
    if not len(positive):
        return False
    fractions, exponents = np.frexp(positive)
    wholes = np.ldexp(fractions, 53).astype(np.int64)
    lowest_bits = np.frexp((wholes & -wholes).astype(np.float64))[1] - 1
    unit = int((exponents + lowest_bits).min()) - 53  # all are multiples of 2**unit
    return math.log2(positive.max()) + math.log2(count) >= unit + 52


class _Kept(threading.local):
    """What `can_run` read for the search that follows it at once in the same thread."""

    graph: weakref.ref[nx.Graph[Any]] | None = None
    weight: Any = None
    values: Numbers | None = None


_kept = _Kept()


def read_weights(graph: nx.Graph[Any], weight: Any, *, keep: bool = False) -> Numbers | str:
    """Return the weights of all entries, int64 or float64, or why the engine's sums would not be those of networkx.

    O(edges): they are read at each call, since networkx's cache is not cleared by G[u][v][weight] = ...; `keep` saves
    the next call from reading the same.
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
    rows = _adjacency(graph).values()
    try:
        if graph.is_multigraph():
            found = [
                min(edge.get(weight, 1) for edge in parallel.values()) for row in rows for parallel in row.values()
            ]
        else:
            single = chain.from_iterable(row.values() for row in rows)
            found = list(map(dict.get, single, repeat(weight), repeat(1)))
        kinds = set(map(type, found))
    except TypeError:
        return "a weight is no number, or the attribute's name is not hashable"
    if kinds <= {int}:
        try:
            values = np.array(found, dtype=np.int64)
        except OverflowError:
            return "a weight is beyond 64 bits"
    elif kinds == {float}:
        values = np.array(found, dtype=np.float64)
    else:
        return (
            f"weights are of the kinds {', '.join(sorted(kind.__name__ for kind in kinds))}, not all int or all float"
        )
    reason = _why_inexact(values)
    return values if reason is None else reason


def _why_inexact(values: Numbers) -> str | None:
    if not len(values):
        return None
    if not np.isfinite(values).all():
        return "a weight is infinite or NaN"
    if values.min() < 0:
        return "a weight is negative"
    return None


class BackendGraph:
    """What networkx converts a graph to. It remembers the graph, whose weights and attributes it reads when needed."""

    __networkx_backend__ = "breadth"

    def __init__(self, graph: nx.Graph[Any]) -> None:
        self.original = weakref.ref(graph)
        self._directed = bool(graph.is_directed())
        self._multigraph = bool(graph.is_multigraph())
        adjacency = _adjacency(graph)
        self.nodes: list[Any] = list(adjacency)
        self._index: dict[Any, int] | None = None
        self._labels: npt.NDArray[np.object_] | None = None
        self.rows = self._read(adjacency)
        self._columns: Rows | None = None
        self._forward: Graph | None = None
        self._backward: Graph | None = None
        self._both_ways: Graph | None = None
        self._weights: dict[Any, Weights] = {}
        self._turned: BackendGraph | None = None
        self._against = False

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    @property
    def index(self) -> dict[Any, int]:
        """The place of each node."""
        if self._index is None:
            self._index = dict(zip(self.nodes, range(len(self.nodes)), strict=True))
        return self._index

    @property
    def labels(self) -> npt.NDArray[np.object_]:
        """The nodes as an array, from which many are taken faster than from a list."""
        if self._labels is None:
            self._labels = np.fromiter(self.nodes, dtype=np.object_, count=len(self.nodes))
        return self._labels

    def graph(self) -> nx.Graph[Any]:
        """Return the graph of networkx. Raises NotImplementedError when it is no more."""
        graph = self.original()
        if graph is None:
            raise NotImplementedError("the graph that this was converted from is no more")
        return graph

    def turned(self) -> BackendGraph:
        """Return the graph with its edges turned round, and its rows in the order of networkx's `reverse`."""
        if not self._directed:
            return self
        if self._turned is None:
            turned = copy.copy(self)
            turned.rows, turned._columns = self.columns, self.rows
            turned._forward, turned._backward = self._backward, self._forward
            turned._weights = {}
            turned._against = True
            self._turned = turned
        return self._turned

    def _read(self, adjacency: Mapping[Any, Any]) -> Rows:
        count = len(self.nodes)
        if not isinstance(adjacency, dict):  # the length of a view's row may count more than it shows
            adjacency = {node: list(row) for node, row in adjacency.items()}
        starts = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, adjacency.values()), dtype=np.int64, count=count), out=starts[1:])
        heads = chain.from_iterable(adjacency.values())
        return Rows(starts, self._numbered(heads, int(starts[-1])).astype(np.int32, copy=False))

    def _numbered(self, heads: Iterable[Any], count: int) -> Integers:
        """Return the indices of nodes: without a look-up each where nodes are integers that lie close together."""
        nodes = self.nodes
        if not nodes or set(map(type, nodes)) != {int}:
            return np.fromiter(map(self.index.__getitem__, heads), dtype=np.int32, count=count)
        low, high = min(nodes), max(nodes)
        if high - low > 8 * len(nodes) + 1024 or abs(low) + abs(high) > np.iinfo(np.int32).max:
            return np.fromiter(map(self.index.__getitem__, heads), dtype=np.int32, count=count)
        found = np.fromiter(heads, dtype=np.int32, count=count)
        labels = np.array(nodes, dtype=np.int32)
        if low == 0 and high == len(nodes) - 1 and (labels[1:] > labels[:-1]).all():
            return found
        table = np.zeros(high - low + 1, dtype=np.int32)
        table[labels - low] = np.arange(len(nodes), dtype=np.int32)
        numbered: Integers = table[found - low]
        return numbered

    @property
    def columns(self) -> Rows:
        """The rows of predecessors, in networkx's order; those of successors where the graph has no directions."""
        if not self._directed:
            return self.rows
        if self._columns is None:
            columns = self._read(self.graph().pred if _is_view(self.graph()) else self.graph()._pred)
            forward = self.rows.tails().astype(np.int64) * len(self) + self.rows.heads
            backward = columns.heads.astype(np.int64) * len(self) + columns.tails()
            if not np.array_equal(np.sort(forward), np.sort(backward)):
                raise RuntimeError("the graph changed after it was converted")
            self._columns = columns
        return self._columns

    def _built(self, tails: Integers, heads: Integers, weights: Numbers | None, directed: bool) -> Graph:
        if not directed and weights is None and not self._directed:
            once = tails < heads
            tails, heads = tails[once], heads[once]
        return Graph._from_numbers(tails, heads, weights, RangeLabels(0, len(self)), directed)

    @property
    def forward(self) -> Graph:
        """The engine's graph along the edges."""
        if self._forward is None:
            self._forward = self._built(self.rows.tails(), self.rows.heads, None, self._directed)
        return self._forward

    @property
    def backward(self) -> Graph:
        """The engine's graph against the edges."""
        if not self._directed:
            return self.forward
        if self._backward is None:
            self._backward = self._built(self.rows.heads, self.rows.tails(), None, True)
        return self._backward

    @property
    def both_ways(self) -> Graph:
        """The engine's graph whose edges lead both ways."""
        if not self._directed:
            return self.forward
        if self._both_ways is None:
            self._both_ways = self._built(self.rows.tails(), self.rows.heads, None, False)
        return self._both_ways

    def weights(self, weight: Any, *, positive: bool = False) -> Weights:
        """Return the weights as they are now, or those given. Raises Inexact where sums would differ."""
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
        """Return the engine's graph with these weights, along the edges."""
        if weights.engine is None:
            weights.engine = self._built(self.rows.tails(), self.rows.heads, weights.values, self._directed)
        return weights.engine


def _is_view(graph: nx.Graph[Any]) -> bool:
    """Whether the graph shows another one, filtered or joined, and so has no dicts of its own."""
    return not isinstance(getattr(graph, "_adj", None), dict)


def _adjacency(graph: nx.Graph[Any]) -> Mapping[Any, Any]:
    adjacency: Mapping[Any, Any] = graph.adj if _is_view(graph) else graph._adj
    return adjacency


def convert_from_nx(graph: nx.Graph[Any], **_: Any) -> BackendGraph:
    """Return the graph converted, or what networkx's cache already has of it under another key."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    for known in cache.get("backends", {}).get("breadth", {}).values():
        if isinstance(known, BackendGraph) and known.original() is graph and nx.config.cache_converted_graphs:
            return known
    return BackendGraph(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Return the graph that was converted; any other result is of networkx already."""
    return result.graph() if isinstance(result, BackendGraph) else result


def is_converted(graph: Any) -> bool:
    """Whether a search needs no conversion."""
    if isinstance(graph, BackendGraph):
        return True
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("breadth"))
