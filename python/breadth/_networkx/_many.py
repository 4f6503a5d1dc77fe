"""Functions of networkx that search from each node, or from many nodes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise, repeat
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .._engine import Rows
from ._components import is_connected, is_strongly_connected
from ._graph import BackendGraph, Indices, Places, entries_of, indices, tails_of
from ._unweighted import hops, one, require
from ._weighted import (
    known_weights,
    lengths_from,
    multi_source_dijkstra_path_length,
    single_source_dijkstra_path_length,
)

_AT_ONCE = 1024  # sources whose counts are held at a time
_STEPS_AT_ONCE = 2**22


def _counts(rows: Rows, sources: Indices) -> Iterator[Places]:
    """Yield for each source the number of nodes at distance 0, 1, ... from it."""
    for first in range(0, len(sources), _AT_ONCE):
        some = sources[first : first + _AT_ONCE]
        starts, counts = rows.distance_counts(some)
        for begin, end in pairwise(starts.tolist()):
            yield counts[begin:end]


def _from_all(graph: BackendGraph) -> Iterator[Places]:
    return _counts(graph.rows, np.arange(len(graph), dtype=np.int32))


def _total(counts: Places) -> int:
    """Return the sum of all distances, from the number of nodes at each distance."""
    return int(counts @ np.arange(len(counts)))


def _inverse_sum(start: float, counts: Places) -> float:
    """Return start + 1/d + 1/d + ..., added one after the other as networkx does, nearer nodes first."""
    if len(counts) < 2:
        return start
    terms = np.repeat(1 / np.arange(1, len(counts)), counts[1:])
    total: float = np.cumsum(np.concatenate([[start], terms]))[-1].item()
    return total


def _eccentricities(graph: BackendGraph, nodes: list[Any], weight: Any) -> Iterator[Any]:
    if weight is None:
        found = _counts(graph.rows, np.array([graph.index_of(node) for node in nodes], dtype=np.int32))
        reached_and_farthest: Iterator[tuple[int, Any]] = ((int(counts.sum()), len(counts) - 1) for counts in found)
    else:
        known = known_weights(graph, weight)
        all_lengths = (lengths_from(graph, node, known) for node in nodes)
        reached_and_farthest = ((len(lengths), max(lengths.values())) for lengths in all_lengths)
    for reached, farthest in reached_and_farthest:
        if reached != len(graph):
            raise nx.NetworkXError(
                "Found infinite path length because the digraph is not strongly connected"
                if graph.is_directed()
                else "Found infinite path length because the graph is not connected"
            )
        yield farthest


def eccentricity(G: BackendGraph, v: Any = None, sp: None = None, weight: Any = None) -> Any:
    if v in G:
        return next(_eccentricities(G, [v], weight))
    return dict(zip(G.nodes, _eccentricities(G, G.nodes, weight), strict=True))


def diameter(G: BackendGraph, e: None = None, usebounds: bool = False, weight: Any = None) -> Any:
    return max(_eccentricities(G, G.nodes, weight))


def radius(G: BackendGraph, e: None = None, usebounds: bool = False, weight: Any = None) -> Any:
    return min(_eccentricities(G, G.nodes, weight))


def periphery(G: BackendGraph, e: None = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = eccentricity(G, weight=weight)
    outermost = max(found.values())
    return [node for node in found if found[node] == outermost]


def center(G: BackendGraph, e: None = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = eccentricity(G, weight=weight)
    innermost = min(found.values())
    return [node for node in found if found[node] == innermost]


def _reached_and_sums(graph: BackendGraph, weight: Any, method: str = "dijkstra") -> Iterator[tuple[int, Any]]:
    """Yield for each node the number of nodes that it reaches, and the sum of their distances."""
    if weight is None:
        for counts in _from_all(graph):
            yield int(counts.sum()), _total(counts)
        return
    known = known_weights(graph, weight)
    for node in graph.nodes:
        lengths = lengths_from(graph, node, known, method)
        yield len(lengths), sum(lengths.values())


def barycenter(G: BackendGraph, weight: Any = None, attr: None = None, sp: None = None) -> list[Any]:
    found = []
    for node, (reached, total) in zip(G.nodes, _reached_and_sums(G, weight), strict=True):
        if reached < len(G):
            raise nx.NetworkXNoPath(
                f"Input graph {G.graph()} is disconnected, so every induced subgraph has infinite barycentricity."
            )
        found.append((node, total))
    smallest = min((total for _, total in found), default=math.inf)
    return [node for node, total in found if total == smallest]


def average_shortest_path_length(G: BackendGraph, weight: Any = None, method: str | None = None) -> float:
    count = len(G)
    if count == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if count == 1:
        return 0
    if G.is_directed() and not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not G.is_directed() and not is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    if weight is None or method == "unweighted":
        total: Any = sum(_total(counts) for counts in _from_all(G))
    else:
        used = known_weights(G, weight)
        each = (lengths_from(G, node, used, method or "dijkstra") for node in G.nodes)
        total = sum(chain.from_iterable(lengths.values() for lengths in each))
    average: float = total / (count * (count - 1))
    return average


def wiener_index(G: BackendGraph, weight: Any = None) -> Any:
    connected = is_strongly_connected(G) if G.is_directed() else is_connected(G)
    if not connected:
        return math.inf
    if weight is None:
        total: Any = sum(_total(counts) for counts in _from_all(G))
    else:
        known = known_weights(G, weight)
        total = sum(chain.from_iterable(lengths_from(G, node, known).values() for node in G.nodes))
    return total if G.is_directed() else total / 2


def hyper_wiener_index(G: BackendGraph, weight: Any = None) -> float:
    if not is_connected(G):
        return math.inf
    total: Any
    if weight is None:
        total = sum(_total(counts) + int(counts @ np.arange(len(counts)) ** 2) for counts in _from_all(G))
    else:
        known = known_weights(G, weight)
        each = (lengths_from(G, node, known).values() for node in G.nodes)
        total = sum(distance + distance**2 for lengths in each for distance in lengths)
    found: float = total / 2
    return found


def schultz_index(G: BackendGraph, weight: None = None) -> float:
    if not is_connected(G):
        return math.inf
    degrees = (degree for _, degree in G.graph().degree)
    total: int = sum(2 * degree * _total(counts) for degree, counts in zip(degrees, _from_all(G), strict=True))
    return total / 2


def gutman_index(G: BackendGraph, weight: None = None) -> float:
    if not is_connected(G):
        return math.inf
    degrees = np.array([degree for _, degree in G.graph().degree], dtype=np.int64)
    total, at_once = 0, max(1, _STEPS_AT_ONCE // len(G))
    for first in range(0, len(G), at_once):
        sources = np.arange(first, min(first + at_once, len(G)), dtype=np.int32)
        sums = G.rows.distances_from_each(sources).reshape(len(sources), -1) @ degrees
        total += sum(degree * far for degree, far in zip(degrees[sources].tolist(), sums.tolist(), strict=True))
    return total / 2


def closeness_centrality(
    G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True, *, sp: None = None
) -> Any:
    graph = G.turned()
    distance = known_weights(graph, distance)
    nodes = graph.nodes if u is None else [u]
    if distance is not None:
        each = (single_source_dijkstra_path_length(graph, node, weight=distance) for node in nodes)
        found: Iterator[tuple[int, Any]] = ((len(lengths), sum(lengths.values())) for lengths in each)
    else:
        starts = [require(graph, node, f"Source {node} is not in G") for node in nodes]
        counted = _counts(graph.rows, np.array(starts, dtype=np.int32))
        found = ((int(counts.sum()), _total(counts)) for counts in counted)
    closeness = {
        node: _closeness(reached, total, len(graph), wf_improved)
        for node, (reached, total) in zip(nodes, found, strict=True)
    }
    return closeness if u is None else closeness[u]


def bipartite_closeness_centrality(G: BackendGraph, nodes: Any, normalized: bool = True) -> dict[Any, float]:
    top = set(nodes)
    bottom = set(G) - top
    both = [*top, *bottom]
    nearest = [len(bottom) + 2 * (len(top) - 1)] * len(top) + [len(top) + 2 * (len(bottom) - 1)] * len(bottom)
    starts = [require(G, node, f"Source {node} is not in G") for node in both]
    closeness = {}
    for node, least, counts in zip(both, nearest, _counts(G.rows, np.array(starts, dtype=np.int32)), strict=True):
        closeness[node] = least / total if (total := _total(counts)) else 0.0
        if normalized and total:
            closeness[node] *= (int(counts.sum()) - 1) / (len(G) - 1)
    return closeness


def group_closeness_centrality(G: BackendGraph, S: Iterable[Any], weight: Any = None) -> float:
    nodes, group = set(G), set(S)
    others = nodes - group
    lengths = multi_source_dijkstra_path_length(G.turned(), group, weight=weight)
    total = 0
    for node in others:  # in the order of networkx's set: sums of floats depend on it
        total += lengths.get(node, 0)
    return len(others) / total if total else 0


def _closeness(reached: int, total: Any, count: int, wf_improved: bool) -> float:
    if not (total > 0.0 and count > 1):
        return 0.0
    closeness: float = (reached - 1.0) / total
    return closeness * ((reached - 1.0) / (count - 1)) if wf_improved else closeness


def harmonic_centrality(
    G: BackendGraph, nbunch: Any = None, distance: None = None, sources: Any = None
) -> dict[Any, Any]:
    original = G.graph()
    wanted = set(original.nbunch_iter(nbunch) if nbunch is not None else G.nodes)
    from_nodes = set(original.nbunch_iter(sources) if sources is not None else G.nodes)
    centrality: dict[Any, Any] = dict.fromkeys(wanted, 0)
    if len(wanted) < len(from_nodes):
        _add_from_wanted(G.turned(), centrality, from_nodes)
    else:
        _add_to_wanted(G, centrality, from_nodes)
    return centrality


def _add_from_wanted(graph: BackendGraph, centrality: dict[Any, Any], others: set[Any]) -> None:
    """Search from the nodes whose centrality is wanted, against the edges."""
    counted = np.isin(np.arange(len(graph)), [graph.index_of(node) for node in others])
    for node in centrality:
        order, begins = graph.levels(graph.index_of(node))
        counts = np.add.reduceat(counted[order].astype(np.int64), begins[:-1])
        centrality[node] = _inverse_sum(0, counts) if counts[1:].any() else 0


def _add_to_wanted(graph: BackendGraph, centrality: dict[Any, Any], sources: set[Any]) -> None:
    """Search from all sources, and add their contributions in the order of the sources."""
    sums = np.zeros(len(graph))
    starts = [graph.index_of(source) for source in sources]
    at_once = max(1, min(len(starts), 2**26 // max(1, len(graph))))
    for first in range(0, len(starts), at_once):
        some = indices(np.array(starts[first : first + at_once]))
        for distances in graph.rows.distances_from_each(some).reshape(len(some), -1):
            reached = np.flatnonzero(distances > 0)
            sums[reached] += 1 / distances[reached]
    for node in centrality:
        total = sums[graph.index_of(node)].item()
        centrality[node] = total if total > 0 else 0


def efficiency(G: BackendGraph, u: Any, v: Any) -> float:
    distance = hops(G, u, v)
    return 0 if distance is None else 1 / distance


def global_efficiency(G: BackendGraph) -> float:
    count = len(G)
    if count < 2:
        return 0
    total: float = 0
    for counts in _from_all(G):
        total = _inverse_sum(total, counts)
    return total / (count * (count - 1))


def harmonic_diameter(G: BackendGraph, sp: None = None, *, weight: Any = None) -> float:
    total: Any = 0
    if weight is None:
        for counts in _from_all(G):
            total = _inverse_sum(total, counts)
    else:
        known = known_weights(G, weight)
        for node in G.nodes:
            for distance in filter(None, lengths_from(G, node, known).values()):
                total += 1 / distance
    count = len(G)
    if total == 0:
        return math.inf if count > 1 else math.nan
    found: float = count * (count - 1) / total
    return found


def local_reaching_centrality(
    G: BackendGraph, v: Any, paths: None = None, weight: None = None, normalized: bool = True
) -> float:
    _require_reach(G)
    return _reach(G, next(_counts(G.rows, one(require(G, v, f"Source {v} not in G")))))


def global_reaching_centrality(G: BackendGraph, weight: None = None, normalized: bool = True) -> float:
    _require_reach(G)
    reaches = [_reach(G, counts) for counts in _from_all(G)]
    most = max(reaches)
    return sum(most - reach for reach in reaches) / (len(G) - 1)


def _require_reach(graph: BackendGraph) -> None:
    size = graph.graph().size()
    if size > 0 and len(graph) == 1:
        raise nx.NetworkXError("local_reaching_centrality of a single node with self-loop not well-defined")
    if size <= 0:
        raise nx.NetworkXError("Size of G must be positive")


def _reach(graph: BackendGraph, counts: Places) -> float:
    """Return the share of nodes that are reached; in an undirected graph, each node is divided by its distance."""
    if graph.is_directed():
        return (int(counts.sum()) - 1) / (len(graph) - 1)
    steps = chain([0], *(repeat(1 / level, number) for level, number in enumerate(counts.tolist()) if level))
    return sum(steps) / 1 / (len(graph) - 1)


def girth(G: BackendGraph) -> float:
    if (tails_of(G.rows) == G.rows.heads).any():
        return 1
    core = _core(G.rows)
    in_core = np.zeros(len(G), dtype=bool)
    in_core[core] = True
    shortest: float = math.inf
    first, count = 0, 16  # a few first, whose shortest cycle bounds the depth of the other searches
    while first < len(core) and shortest > 3:
        shortest = _shorter_cycle(G.rows, core[first : first + count], in_core, shortest)
        first, count = first + count, min(4 * count, _AT_ONCE)
    return shortest


def _core(rows: Rows) -> Indices:
    """Return the nodes that remain when nodes with at most one neighbour are removed repeatedly."""
    degrees = np.diff(rows.starts)
    leaves = np.flatnonzero(degrees == 1)
    while len(leaves):
        degrees[leaves] = 0
        heads = rows.heads[entries_of(rows, indices(leaves))[0]]
        np.subtract.at(degrees, heads, 1)
        leaves = np.unique(heads[degrees[heads] == 1])
    return indices(np.flatnonzero(degrees > 1))


def _shorter_cycle(rows: Rows, roots: Indices, in_core: npt.NDArray[np.bool_], shortest: float) -> float:
    """Return the length of the shortest cycle that searches from some nodes find, if it is below `shortest`.

    The searches from all roots advance together, level by level. Each search visits a tree, until two of its steps lead
    to the same node.
    """
    searches, nodes, parents = np.arange(len(roots)), roots, np.full(len(roots), -1, dtype=np.int32)
    visited = searches * len(in_core) + nodes
    level = 0
    while len(nodes) and 2 * level + 1 < shortest:
        where, counts = entries_of(rows, nodes)
        if len(where) > _STEPS_AT_ONCE and len(roots) > 1:
            half = len(roots) // 2
            shortest = _shorter_cycle(rows, roots[:half], in_core, shortest)
            return _shorter_cycle(rows, roots[half:], in_core, shortest)
        heads = rows.heads[where]
        down = in_core[heads] & (heads != np.repeat(parents, counts))
        searches, parents, nodes = np.repeat(searches, counts)[down], np.repeat(nodes, counts)[down], heads[down]
        found = searches * len(in_core) + nodes
        both = np.sort(np.concatenate([visited, found]))
        if (both[1:] == both[:-1]).any():
            return min(shortest, 2 * level + (1 if np.isin(found, visited).any() else 2))
        visited = found
        level += 1
    return shortest
