"""Functions of networkx that count how many shortest paths pass each node or edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .._options import NO_LIMIT
from ._components import is_connected, is_strongly_connected
from ._graph import BackendGraph, Indices, Inexact, Places, indices, tails_of
from ._unweighted import levels_before, raise_missing

Floats = npt.NDArray[np.float64]

_THIN = 24
"""Steps per level below which a loop over all steps takes less time than numpy's calls for each level."""

_INFINITE = np.errstate(over="ignore", invalid="ignore")  # numbers of paths may overflow to infinity, as in Python


class _Paths:
    """All shortest paths from a node, added up in networkx's order.

    `nodes` has the reached nodes level by level. `place` has the position of each node of the graph among them, -1 for
    unreached nodes. Step i leads up from the node at place `owners[i]` to the node at place `above[i]`.
    """

    def __init__(self, graph: BackendGraph, source: int, limit: int = NO_LIMIT, ranks: Indices | None = None) -> None:
        """Search from a node. Each level has its nodes in the order of the search or, if ranks are given, of ranks."""
        nodes, begins, starts, before = graph.rows.bfs_predecessors(source, limit)
        counts = np.diff(starts)
        if ranks is not None:
            order = np.lexsort((ranks[nodes], np.repeat(np.arange(len(begins) - 1), np.diff(begins))))
            nodes, counts, unsorted = nodes[order], counts[order], starts[order]
            starts = np.concatenate([[0], np.cumsum(counts)])
            before = before[np.repeat(unsorted - starts[:-1], counts) + np.arange(len(before))]
        place = np.full(len(graph), -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        self.place: Places = place
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

    def dependencies(self) -> tuple[Floats, Floats]:
        """Return how many paths lead to each node, and the sum of the shares of paths to other nodes that pass it."""
        numbers = self.numbers()
        values, _ = self.carry_up(0.0, np.ones(len(self.nodes)), numbers, numbers[self.above])
        return numbers, values

    def loads(self) -> Floats:
        """Return the load of the steps that lead up from each node. All steps of a node have the same load.

        The load is 1 + s / n, where s is the sum of the loads of the steps that lead up to the node, and n its own
        number of steps.
        """
        if not self.thin:
            loads = np.ones(len(self.nodes))
            for _, steps in self._levels():
                above = self.above[steps][::-1]
                np.add.at(loads, above, loads[self.owners[steps][::-1]] / np.maximum(self.counts[above], 1))
            return loads
        found, counts = [1.0] * len(self.nodes), np.maximum(self.counts, 1).tolist()
        for owner, above in zip(self.owners[::-1].tolist(), self.above[::-1].tolist(), strict=True):
            found[above] += found[owner] / counts[above]
        return np.array(found)


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
    """Return the sums by name, rescaled by networkx."""
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
        index = graph.index_of(source)
        if index < 0:
            raise_missing(graph, source)
        paths = _Paths(graph, index)
        if wanted is None:  # only now, because networkx raises errors for the first source before those for targets
            wanted = np.zeros(len(graph))
            wanted[[graph.index_of(target) for target in set(targets) if target in graph]] = 1
        yield paths, wanted[paths.nodes]


def newman_betweenness_centrality(
    G: BackendGraph, v: Any = None, cutoff: float | None = None, normalized: bool = True, weight: None = None
) -> Any:
    """Return networkx's load_centrality."""
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


def _pairs(some: Indices, others: Indices, count: int) -> Places:
    """Return a number for each pair of nodes, whichever stands first."""
    return np.minimum(some, others).astype(np.int64) * count + np.maximum(some, others)


@_INFINITE
def edge_load_centrality(G: BackendGraph, cutoff: float | None = False) -> dict[Any, float]:
    count = len(G)
    tails, heads = tails_of(G.rows), G.rows.heads
    keys, first = np.unique(_pairs(tails, heads, count), return_index=True)
    sums = np.zeros(len(keys))
    for source in range(count):
        paths = _Paths(G, source, levels_before(cutoff))
        steps = _pairs(paths.nodes[paths.owners], paths.nodes[paths.above], count)
        loads = np.ones(len(keys))
        loads[np.searchsorted(keys, steps)] = paths.loads()[paths.owners]
        sums += loads
    order = np.argsort(first)
    first, sums = first[order], sums[order]
    found: dict[Any, float] = {}
    for tail, head, load in zip(G.names(tails[first]), G.names(heads[first]), sums.tolist(), strict=True):
        found[tail, head] = found[head, tail] = load
    return found


def percolation_states(graph: nx.Graph[Any], attribute: Any, states: Any) -> tuple[Floats, Floats] | str:
    """Return each node's state and the sum of the others' states, or why the result might differ from networkx's."""
    known = nx.get_node_attributes(graph, attribute, default=1) if states is None else states
    if type(known) is not dict or not all(node in known for node in graph):
        return "a node has no state"
    if not all(type(state) is float or (type(state) is int and abs(state) <= 2**53) for state in known.values()):
        return "a state is not a number that numpy adds as Python does"
    total = 0.0
    for state in known.values():
        total += state
    own = np.array([known[node] for node in graph], dtype=np.float64)
    others: Floats = total - own
    return (own, others) if others.all() else "states of all nodes but one sum to 0"


@_INFINITE
def percolation_centrality(
    G: BackendGraph, attribute: Any = "percolation", states: Any = None, weight: None = None
) -> dict[Any, float]:
    known = percolation_states(G.graph(), attribute, states)
    if isinstance(known, str):
        raise Inexact(known)
    own, others = known
    sums = np.zeros(len(G))
    for source in range(len(G)):
        paths = _Paths(G, source)
        passed = paths.nodes[1:]
        sums[passed] += paths.dependencies()[1][1:] * (own[source] / others[passed])
    if len(G):
        sums *= 1 / (len(G) - 2)
    return dict(zip(G.nodes, sums.tolist(), strict=True))


class _Members:
    """The shortest paths of a graph between the nodes of groups, in dicts by pairs of nodes.

    `numbers` has the number of paths from the first node to the second. `passing` has the number of all paths that pass
    both in this order, each divided by the number of paths between its ends. `distances` leaves out pairs without a
    path.
    """

    def __init__(self, graph: BackendGraph, nodes: list[Any]) -> None:
        self.graph = graph
        members = np.array([graph.index_of(node) for node in nodes], dtype=np.int64)
        shape = len(graph), len(nodes)
        numbers, passing, levels = np.zeros(shape), np.zeros(shape), np.full(shape, -1, dtype=np.int64)
        sizes = np.zeros(len(graph), dtype=np.int64)
        for source in range(len(graph) if nodes else 0):
            paths = _Paths(graph, source)
            each, values = paths.dependencies()
            values[1:] += 1
            reached = np.flatnonzero(paths.place[members] >= 0)
            places = paths.place[members[reached]]
            numbers[source, reached], passing[source, reached] = each[places], values[places]
            levels[source, reached] = np.searchsorted(paths.begins, places, side="right") - 1
            sizes[source] = len(paths.nodes)
        self.reached: dict[Any, int] = dict(zip(nodes, sizes[members].tolist(), strict=True))
        self.numbers = _by_pairs(nodes, numbers[members])
        self.passing = _by_pairs(nodes, _passing_both(members, numbers, passing, levels))
        self.distances = {
            node: {other: level for other, level in row.items() if level >= 0}
            for node, row in _by_pairs(nodes, levels[members]).items()
        }

    def betweenness(self, group: set[Any]) -> Any:
        """Return how many paths pass a group: for each node, counts those that pass none of the nodes before it."""
        total: Any = 0
        numbers, passing = self.numbers, self.passing
        for node in group:
            total += passing[node][node]
            numbers, passing = self._without(node, group, numbers, passing)
        return total

    def _without(self, node: Any, group: set[Any], numbers: Any, passing: Any) -> tuple[Any, Any]:
        """Return `numbers` and `passing` of the paths that do not pass a node, computed in networkx's steps."""
        fewer: dict[Any, dict[Any, float]] = {first: {} for first in group}
        less: dict[Any, dict[Any, float]] = {first: {} for first in group}
        for first in group:
            for last in group:
                before, between, after = self._shares(node, first, last, numbers)
                fewer[first][last] = numbers[first][last] * (1 - between)
                rest = passing[first][last] - passing[first][last] * between
                if last != node:
                    rest -= passing[first][node] * after
                if first != node:
                    rest -= passing[node][last] * before
                less[first][last] = rest
        return fewer, less

    def _shares(self, node: Any, first: Any, last: Any, numbers: Any) -> tuple[float, float, float]:
        """Return three shares of paths: from the node to `last` those that pass `first`, from `first` to `last` those
        that pass the node, and from `first` to the node those that pass `last`."""
        if numbers[first][last] == 0 or numbers[first][node] == 0 or numbers[node][last] == 0:
            return 0, 0, 0
        far, every = self.distances, self.numbers
        before = between = after = 0.0
        if far[first][node] == far[first][last] + far[last][node]:
            after = numbers[first][last] * numbers[last][node] / numbers[first][node]
        if far[first][last] == far[first][node] + far[node][last]:
            between = numbers[first][node] * numbers[node][last] / numbers[first][last]
        if far[node][last] == far[node][first] + far[first][last]:
            before = numbers[node][first] * every[first][last] / every[node][last]
        return before, between, after

    def ends(self, group: set[Any]) -> int:
        """Return how many paths begin or end in a group."""
        connected = is_strongly_connected if self.graph.is_directed() else is_connected
        if connected(self.graph) and (found := len(group) * (2 * len(self.graph) - len(group) - 1)):
            return found
        inside = sum(len(group & self.distances[node].keys()) - 1 for node in group)
        return sum(2 * (self.reached[node] - 1) for node in group) - inside


def _by_pairs(nodes: list[Any], table: npt.NDArray[Any]) -> dict[Any, dict[Any, Any]]:
    return {node: dict(zip(nodes, row, strict=True)) for node, row in zip(nodes, table.tolist(), strict=True)}


def _passing_both(members: Places, numbers: Floats, passing: Floats, levels: Places) -> Floats:
    """Return for each pair of members how many paths pass both, added up in the order of the nodes they begin at."""
    sums = np.zeros((len(members), len(members)))
    for first, node in enumerate(members):
        for last in np.flatnonzero(levels[node] >= 0):
            to_both = (levels[:, first] >= 0) & (levels[:, last] == levels[:, first] + levels[node, last])
            terms = passing[to_both, last] * numbers[to_both, first] * numbers[node, last] / numbers[to_both, last]
            sums[first, last] = np.cumsum(terms)[-1]
    return sums


@_INFINITE
def group_betweenness_centrality(
    G: BackendGraph, C: Any, normalized: bool = True, weight: None = None, endpoints: bool = False
) -> Any:
    is_one = any(node in G for node in C)
    groups = [C] if is_one else C
    nodes = {node for group in groups for node in group}
    if missing := {node for node in nodes if node not in G}:
        raise nx.NodeNotFound(f"The node(s) {missing} are in C but not in G.")
    members = _Members(G, list(nodes))
    found = []
    for group in map(set, groups):
        total = members.betweenness(group)
        if not endpoints:
            total -= members.ends(group)
        if normalized:
            others = len(G) - len(group)
            total *= 1 / (others * (others - 1))
        elif not G.is_directed():
            total /= 2
        found.append(total)
    return found[0] if is_one else found
