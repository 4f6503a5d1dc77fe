"""Functions of networkx that count how many shortest paths pass each node or edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .._options import NO_LIMIT
from ._graph import BackendGraph, Indices, Places, indices, tails_of
from ._unweighted import levels_before

Floats = npt.NDArray[np.float64]

_THIN = 24
"""Steps a level below which a loop over them takes less time than numpy's calls for each level."""

_INFINITE = np.errstate(over="ignore", invalid="ignore")  # paths beyond what floats count, as in Python


class _Paths:
    """All shortest paths from a node, added up in networkx's order.

    Nodes stand level by level. Step i leads up from the node at place `owners[i]` to the one at place `above[i]`.
    """

    def __init__(self, graph: BackendGraph, source: int, limit: int = NO_LIMIT, ranks: Indices | None = None) -> None:
        """Each level has its nodes in the order of the search, or in that of their ranks."""
        nodes, begins, starts, before = graph.rows.bfs_predecessors(source, limit)
        counts = np.diff(starts)
        if ranks is not None:
            order = np.lexsort((ranks[nodes], np.repeat(np.arange(len(begins) - 1), np.diff(begins))))
            nodes, counts, unsorted = nodes[order], counts[order], starts[order]
            starts = np.concatenate([[0], np.cumsum(counts)])
            before = before[np.repeat(unsorted - starts[:-1], counts) + np.arange(len(before))]
        place = np.empty(len(graph), dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        self.nodes, self.counts, self.starts = nodes, counts, starts
        self.above: Places = place[before]
        self.owners: Places = np.repeat(np.arange(len(nodes)), counts)
        self.begins = begins
        self.thin = len(before) < _THIN * len(begins)

    def _levels(self) -> Iterator[tuple[slice, slice]]:
        """Yield the places of each level, the lowest first and without the source, and their steps."""
        places, steps = self.begins.tolist(), self.starts[self.begins].tolist()
        for level in range(len(places) - 2, 0, -1):
            yield slice(places[level], places[level + 1]), slice(steps[level], steps[level + 1])

    def numbers(self) -> Floats:
        """Return how many paths lead to each node."""
        if self.thin:
            found = [1.0, *[0.0] * (len(self.nodes) - 1)]
            for owner, above in zip(self.owners.tolist(), self.above.tolist(), strict=True):
                found[owner] += found[above]
            return np.array(found)
        numbers = np.zeros(len(self.nodes))
        numbers[0] = 1
        for _, steps in reversed(list(self._levels())):
            np.add.at(numbers, self.owners[steps], numbers[self.above[steps]])
        return numbers

    def carry_up(
        self, start: float, added: Floats, divisors: npt.NDArray[Any], factors: Floats
    ) -> tuple[Floats, Floats]:
        """Return a value of each node and a part of each step.

        Values begin with `start`, and the lowest and last nodes come first. Each step of a node carries
        factor * ((value + added) / divisor) to the value of the node above.
        """
        if self.thin:
            return self._carry_one_by_one(start, added, divisors, factors)
        values, parts = np.full(len(self.nodes), start), np.empty(len(self.above))
        for level, steps in self._levels():
            shares = (values[level] + added[level]) / divisors[level]
            parts[steps] = factors[steps] * np.repeat(shares, self.counts[level])
            np.add.at(values, self.above[steps][::-1], parts[steps][::-1])
        return values, parts

    def _carry_one_by_one(
        self, start: float, added: Floats, divisors: npt.NDArray[Any], factors: Floats
    ) -> tuple[Floats, Floats]:
        values, parts = [start] * len(self.nodes), [0.0] * len(self.above)
        more, by, times = added.tolist(), divisors.tolist(), factors.tolist()
        above, starts = self.above.tolist(), self.starts.tolist()
        for place in range(len(values) - 1, 0, -1):
            share = (values[place] + more[place]) / by[place]
            for step in range(starts[place], starts[place + 1]):
                parts[step] = part = times[step] * share
                values[above[step]] += part
        return np.array(values), np.array(parts)


def _sampled(graph: BackendGraph, k: int | None, seed: Any) -> list[Any] | None:
    return None if k is None else seed.sample(list(graph.nodes), k)


def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: None = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Any, float]:
    sampled = _sampled(G, None if k == len(G) else k, seed)
    sources = _sources(G, sampled)
    sums, _ = G.rows.betweenness(G.columns, sources, bool(endpoints), None, 0)
    return _rescaled(G.nodes, sums, G, normalized, endpoints, sampled)


def _sources(graph: BackendGraph, sampled: list[Any] | None) -> Indices:
    if sampled is None:
        return np.arange(len(graph), dtype=np.int32)
    return np.array([graph.index_of(node) for node in sampled], dtype=np.int32)


def edge_betweenness_centrality(
    G: BackendGraph, k: int | None = None, normalized: bool = True, weight: None = None, seed: Any = None
) -> dict[Any, float]:
    sampled = _sampled(G, k, seed)
    tails, heads, edge_of_entry = _edges(G)
    _, sums = G.rows.betweenness(G.columns, _sources(G, sampled), False, edge_of_entry, len(tails))
    edges = zip(G.names(tails), G.names(heads), strict=True)
    return _rescaled(edges, sums, G, normalized, True, sampled)


def _edges(graph: BackendGraph) -> tuple[Indices, Indices, Indices]:
    """Return both ends of each edge in the order of networkx's `edges`, and the edge of each entry of the columns."""
    tails, heads = tails_of(graph.rows), graph.rows.heads
    count = len(graph)
    if graph.is_directed():
        before, after = graph.columns.heads, tails_of(graph.columns)
    else:
        before, after = np.minimum(tails, heads), np.maximum(tails, heads)
        once = tails <= heads
        tails, heads = tails[once], heads[once]
    keys = tails.astype(np.int64) * count + heads
    order = np.argsort(keys)
    place = np.searchsorted(keys, before.astype(np.int64) * count + after, sorter=order)
    return tails, heads, indices(order[place])


def _rescaled(
    names: Iterable[Any],
    sums: Floats,
    graph: BackendGraph,
    normalized: bool,
    endpoints: bool,
    sampled: list[Any] | None,
) -> dict[Any, float]:
    """Return what networkx makes of the sums, each under its name."""
    from networkx.algorithms.centrality.betweenness import _rescale

    found: dict[Any, float] = _rescale(
        dict(zip(names, sums.tolist(), strict=True)),
        len(graph),
        normalized=normalized,
        directed=graph.is_directed(),
        endpoints=endpoints,
        sampled_nodes=sampled,
    )
    return found


@_INFINITE
def betweenness_centrality_subset(
    G: BackendGraph, sources: Any, targets: Any, normalized: bool = False, weight: None = None
) -> dict[Any, float]:
    sums = np.zeros(len(G))
    for paths, wanted in _to_targets(G, sources, targets):
        wanted[0] = 0  # a path from a node to itself passes none
        numbers = paths.numbers()
        values, _ = paths.carry_up(0.0, wanted, numbers, numbers[paths.above])
        sums[paths.nodes[1:]] += values[1:]
    return _rescaled(G.nodes, sums, G, normalized, False, None)


@_INFINITE
def edge_betweenness_centrality_subset(
    G: BackendGraph, sources: Any, targets: Any, normalized: bool = False, weight: None = None
) -> dict[Any, float]:
    tails, heads, edge_of_entry = _edges(G)
    sums = np.zeros(len(tails))
    keys = tails_of(G.columns).astype(np.int64) * len(G) + G.columns.heads
    order = np.argsort(keys)
    keys, edge_of_key = keys[order], edge_of_entry[order]
    for paths, wanted in _to_targets(G, sources, targets):
        numbers = paths.numbers()
        is_target = wanted[paths.owners] > 0
        factors = np.where(is_target, numbers[paths.above] / numbers[paths.owners], 1.0)
        _, parts = paths.carry_up(0.0, wanted, np.where(wanted > 0, 1, paths.counts), factors)
        steps = paths.nodes[paths.owners].astype(np.int64) * len(G) + paths.nodes[paths.above]
        sums[edge_of_key[np.searchsorted(keys, steps)]] += parts
    edges = zip(G.names(tails), G.names(heads), strict=True)
    return _rescaled(edges, sums, G, normalized, True, None)


def _to_targets(graph: BackendGraph, sources: Iterable[Any], targets: Iterable[Any]) -> Iterator[tuple[_Paths, Floats]]:
    """Yield the paths from each source, and for each of their places 1 at a target and 0 elsewhere."""
    wanted: Floats | None = None
    for source in sources:
        paths = _Paths(graph, graph.index[source])
        if wanted is None:  # only now, for networkx's errors are those of the first source first
            wanted = np.zeros(len(graph))
            wanted[[graph.index_of(target) for target in set(targets) if target in graph]] = 1
        yield paths, wanted[paths.nodes]


def newman_betweenness_centrality(
    G: BackendGraph, v: Any = None, cutoff: float | None = None, normalized: bool = True, weight: None = None
) -> Any:
    """What networkx calls load_centrality."""
    sums = np.zeros(len(G))
    ranks = np.empty(len(G), dtype=np.int32)
    ranks[sorted(range(len(G)), key=G.nodes.__getitem__)] = np.arange(len(G))
    for source in range(len(G)):
        paths = _Paths(G, source, levels_before(cutoff), ranks)
        ones = np.ones(len(paths.above))
        values, _ = paths.carry_up(1.0, np.zeros(len(paths.nodes)), paths.counts, ones)
        sums[paths.nodes[1:]] += values[1:] - 1
    if normalized and len(G) > 2:
        sums *= 1.0 / ((len(G) - 1) * (len(G) - 2))
    if v is None:
        return dict(zip(G.nodes, sums.tolist(), strict=True))
    return sums[G.index[v]].item() if len(G) and v in G.index else 0.0
