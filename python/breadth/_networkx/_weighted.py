"""Functions of networkx that add weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors
from networkx.utils import groups

from .._graph import Graph
from .._labels import RangeLabels
from . import _unweighted
from ._graph import BackendGraph, Inexact, Integers, Numbers, Weights, may_round
from ._order import Shortest, chain_to, unreached
from ._unweighted import names, one, require


class Search:
    """Distances from some nodes, with the cutoff applied, and what networkx makes of them."""

    def __init__(
        self,
        graph: BackendGraph,
        sources: Integers,
        weight: Any,
        cutoff: float | None = None,
        *,
        positive: bool = False,
    ) -> None:
        self.graph = graph
        self.sources = sources
        self.weights = graph.weights(weight, positive=positive)
        self.cutoff = cutoff
        self.distances = _distances(graph, self.weights, sources, cutoff)
        self.unreached = unreached(self.distances)
        if self.distances.dtype.kind == "i" and cutoff is not None and -math.inf < cutoff < math.inf:
            self.cutoff = cutoff = math.floor(cutoff)  # numpy would compare large integers with a float as floats
        if cutoff is not None:
            beyond = self.distances > cutoff
            beyond[sources] = False
            self.distances[beyond] = self.unreached

    def _numbers(self, nodes: Integers) -> list[Any]:
        found = self.distances[nodes]
        numbers: list[Any] = (found.astype(np.int64) if self.weights.integers else found).tolist()
        return numbers

    def distance_to(self, node: int) -> Any | None:
        """Return a distance, None where there is none."""
        return None if self.distances[node] == self.unreached else self._numbers(one(node))[0]

    def _dict(self, order: Integers) -> dict[Any, Any]:
        found = dict(zip(names(self.graph, order), self._numbers(order), strict=True))
        for source in names(self.graph, self.sources):
            found[source] = 0  # an integer even among floats
        return found

    def lengths(self) -> dict[Any, Any]:
        """Return distances by node, nearer ones first."""
        reached = np.flatnonzero(self.distances < self.unreached)
        return self._dict(reached[np.argsort(self.distances[reached], kind="stable")])

    def shortest(self) -> Shortest:
        return Shortest(self.graph.rows, self.weights.values, self.distances, self.sources)

    def lengths_and_paths(self) -> tuple[dict[Any, Any], dict[Any, list[Any]]]:
        shortest = self.shortest()
        paths: dict[Any, list[Any]] = {source: [source] for source in names(self.graph, self.sources)}
        rest = shortest.nodes[len(self.sources) :]
        above = shortest.parents()[rest]
        for node, parent in zip(names(self.graph, rest), names(self.graph, above), strict=True):
            paths[node] = [*paths[parent], node]
        return self._dict(shortest.nodes), paths

    def path_to(self, node: int) -> list[Any]:
        chain = chain_to(self.shortest().parents(), node)
        return [self.graph.nodes[index] for index in reversed(chain)]

    def only_path_to(self, node: int) -> list[Any] | None:
        """Return the shortest path, None if there are several."""
        shortest = self.shortest()
        chain = chain_to(shortest.parents(), node)
        if (np.diff(shortest.places)[shortest.ranks[chain]] > 1).any():
            return None
        return [self.graph.nodes[index] for index in reversed(chain)]

    def predecessors(self) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
        shortest = self.shortest()
        nodes = self.graph.nodes
        pred: dict[Any, list[Any]] = {node: [] for node in names(self.graph, shortest.first_seen(self.cutoff))}
        for node, before in zip(names(self.graph, shortest.nodes), shortest.predecessors(), strict=True):
            pred[node] = [nodes[index] for index in before]
        return pred, self._dict(shortest.nodes)


def _distances(graph: BackendGraph, weights: Weights, sources: Integers, cutoff: float | None) -> Numbers:
    """Return distances, float64 or int64. Raises Inexact where 64 bits have no room for sums of weights."""
    limit = cutoff if cutoff is not None and 0 <= cutoff < math.inf else None
    if weights.one and len(sources) == 1:
        depth = None if limit is None else int(limit)
        levels = graph.forward.bfs(int(sources[0]), max_depth=depth, parents=False).levels
        return np.where(levels >= 0, levels, math.inf)
    if not len(graph.rows.heads):
        found = np.full(len(graph), math.inf)
        found[sources] = 0
        return found
    try:
        if len(sources) == 1:
            found = graph.weighted(weights).sssp(int(sources[0]), cutoff=limit).distances
        else:
            found = _from_several(graph, weights, sources, limit)
    except OverflowError as error:
        raise Inexact(str(error)) from error
    if found.dtype == np.int64:
        farthest = int(found[found < unreached(found)].max())
        if farthest + int(weights.values.max()) > unreached(found):
            raise Inexact("sums of weights are beyond 64 bits")
    return found


def _from_several(graph: BackendGraph, weights: Weights, sources: Integers, limit: float | None) -> Numbers:
    """Search from one more vertex, from which edges of weight 0 lead to the sources."""
    count = len(graph)
    tails = np.concatenate([graph.rows.tails(), np.full(len(sources), count, dtype=np.int32)])
    heads = np.concatenate([graph.rows.heads, sources.astype(np.int32)])
    values = np.concatenate([weights.values, np.zeros(len(sources), dtype=weights.values.dtype)])
    engine = Graph._from_numbers(tails, heads, values, RangeLabels(0, count + 1), True)
    return np.array(engine.sssp(count, cutoff=limit).distances[:count])


def _several(graph: BackendGraph, sources: Iterable[Any]) -> Integers:
    if not sources:
        raise ValueError("sources must not be empty")
    given = list(sources)
    for source in given:
        require(graph, source, f"Node {source} not found in graph")
    return np.array([graph.index[source] for source in dict.fromkeys(given)], dtype=np.int32)


def multi_source_dijkstra(
    G: BackendGraph, sources: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    starts = _several(G, sources)
    if target in sources:
        return 0, [target]
    search = Search(G, starts, weight, cutoff, positive=True)
    if target is None:
        return search.lengths_and_paths()
    distance = search.distance_to(G.index[target]) if target in G else None
    if distance is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return distance, search.path_to(G.index[target])


def multi_source_dijkstra_path(
    G: BackendGraph, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Any, list[Any]]:
    paths: dict[Any, list[Any]] = multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]
    return paths


def multi_source_dijkstra_path_length(
    G: BackendGraph, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Any, Any]:
    return Search(G, _several(G, sources), weight, cutoff).lengths()


def single_source_dijkstra(
    G: BackendGraph, source: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


def single_source_dijkstra_path(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Any, list[Any]]:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


def single_source_dijkstra_path_length(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Any, Any]:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


def dijkstra_path(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    return single_source_dijkstra(G, source, target, weight=weight)[1]


def _length(graph: BackendGraph, source: Any, target: Any, weight: Any, no_path: str) -> Any:
    start = require(graph, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    distance = Search(graph, one(start), weight).distance_to(graph.index[target]) if target in graph else None
    if distance is None:
        raise nx.NetworkXNoPath(no_path)
    return distance


def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    return _length(G, source, target, weight, f"Node {target} not reachable from {source}")


def dijkstra_predecessor_and_distance(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    start = require(G, source, f"Node {source} is not found in the graph")
    return Search(G, one(start), weight, cutoff, positive=True).predecessors()


def bidirectional_dijkstra(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> tuple[Any, list[Any]]:
    start = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    if start == end:
        return 0, [source]
    search = Search(G, one(start), weight, positive=True)
    distance = search.distance_to(end)
    if distance is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    path = None if may_round(search.weights.values, 2 * len(G)) else search.only_path_to(end)
    if path is None:  # it, or the last bit of a sum, depends on how networkx's two searches take turns
        found: tuple[Any, list[Any]] = nx.bidirectional_dijkstra(G.graph(), source, target, weight, backend="networkx")
        return found
    return distance, path


def all_pairs_dijkstra(
    G: BackendGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_dijkstra(G, node, cutoff=cutoff, weight=known))


def all_pairs_dijkstra_path(
    G: BackendGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_dijkstra_path(G, node, cutoff, known))


def all_pairs_dijkstra_path_length(
    G: BackendGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_dijkstra_path_length(G, node, cutoff, known))


def _from_each(graph: BackendGraph, weight: Any, search: Callable[[Any, Any], Any]) -> Iterator[tuple[Any, Any]]:
    """Search from each node with weights that are read once."""
    known = known_weights(graph, weight)
    return ((node, search(node, known)) for node in graph.nodes)


def known_weights(graph: BackendGraph, weight: Any) -> Weights | None:
    """Return weights that stand for the attribute in further calls."""
    return None if weight is None else graph.weights(weight)


def single_source_bellman_ford(G: BackendGraph, source: Any, target: Any = None, weight: Any = "weight") -> Any:
    if source == target:
        require(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    start = require(G, source, f"Source {source} not in G")
    search = Search(G, one(start), weight, positive=True)
    if target is None:
        return search.lengths_and_paths()
    distance = search.distance_to(G.index[target]) if target in G else None
    if distance is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return distance, search.path_to(G.index[target])


def single_source_bellman_ford_path(G: BackendGraph, source: Any, weight: Any = "weight") -> dict[Any, list[Any]]:
    paths: dict[Any, list[Any]] = single_source_bellman_ford(G, source, weight=weight)[1]
    return paths


def single_source_bellman_ford_path_length(G: BackendGraph, source: Any, weight: Any = "weight") -> dict[Any, Any]:
    return Search(G, one(require(G, source, f"Source {source} not in G")), weight).lengths()


def bellman_ford_path(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source != target:
        require(G, source, f"Source {source} not in G")
    return _length(G, source, target, weight, f"node {target} not reachable from {source}")


def bellman_ford_predecessor_and_distance(
    G: BackendGraph, source: Any, target: Any = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    return dijkstra_predecessor_and_distance(G, source, weight=weight)


def all_pairs_bellman_ford_path(G: BackendGraph, weight: Any = "weight") -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_bellman_ford_path(G, node, known))


def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: Any = "weight") -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_bellman_ford_path_length(G, node, known))


def _all_predecessors(graph: BackendGraph, source: Any, weight: Any, method: str) -> dict[Any, list[Any]]:
    if weight is None:
        return _unweighted.predecessors_of(graph, require(graph, source, f"Source {source} not in G"))[0]
    if method not in {"dijkstra", "bellman-ford"}:
        raise ValueError(f"method not supported: {method}")
    return dijkstra_predecessor_and_distance(graph, source, weight=weight)[0]


def all_shortest_paths(
    G: BackendGraph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    paths: Iterator[list[Any]] = _build_paths_from_predecessors(
        {source}, target, _all_predecessors(G, source, weight, method)
    )
    return paths


def single_source_all_shortest_paths(
    G: BackendGraph, source: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    return _paths_of_each(G, source, known_weights(G, weight), method)


def _paths_of_each(
    graph: BackendGraph, source: Any, weight: Weights | None, method: str
) -> Iterator[tuple[Any, list[list[Any]]]]:
    pred = _all_predecessors(graph, source, weight, method)
    for node in pred:
        yield node, list(_build_paths_from_predecessors({source}, node, pred))


def voronoi_cells(G: BackendGraph, center_nodes: Any, weight: Any = "weight") -> dict[Any, set[Any]]:
    search = Search(G, _several(G, center_nodes), weight, positive=True)
    nearest = search.shortest().parents()
    nearest = np.where(nearest < 0, np.arange(len(G)), nearest)
    while not np.array_equal(further := nearest[nearest], nearest):
        nearest = further
    reached = search.distances < search.unreached
    cells: dict[Any, set[Any]] = groups(
        dict(zip(names(G, np.flatnonzero(reached)), names(G, nearest[reached]), strict=True))
    )
    if not reached.all():
        cells["unreachable"] = set(names(G, np.flatnonzero(~reached)))
    return cells


def _require_method(method: str) -> None:
    if method not in {"dijkstra", "bellman-ford"}:
        raise ValueError(f"method not supported: {method}")


def shortest_path(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    _require_method(method)
    if source is None:
        if target is None:
            return _paths_from_each(G, weight, method)
        paths = _paths_from(G.turned(), target, weight, method)
        return {node: path[::-1] for node, path in paths.items()}
    if target is None:
        return _paths_from(G, source, weight, method)
    if weight is None:
        return _unweighted.bidirectional_shortest_path(G, source, target)
    if method == "dijkstra":
        return bidirectional_dijkstra(G, source, target, weight)[1]
    return bellman_ford_path(G, source, target, weight)


def _paths_from(graph: BackendGraph, source: Any, weight: Any, method: str) -> dict[Any, list[Any]]:
    if weight is None:
        return _unweighted.single_source_shortest_path(graph, source)
    if method == "dijkstra":
        return single_source_dijkstra_path(graph, source, weight=weight)
    return single_source_bellman_ford_path(graph, source, weight)


def _paths_from_each(graph: BackendGraph, weight: Any, method: str) -> Iterator[tuple[Any, Any]]:
    return _from_each(graph, weight, lambda node, known: _paths_from(graph, node, known, method))


def lengths_from(graph: BackendGraph, source: Any, weight: Any, method: str = "dijkstra") -> dict[Any, Any]:
    """Return nx.shortest_path_length(graph, source, weight=weight, method=method)."""
    if weight is None:
        return _unweighted.single_source_shortest_path_length(graph, source)
    if method == "dijkstra":
        return single_source_dijkstra_path_length(graph, source, weight=weight)
    return single_source_bellman_ford_path_length(graph, source, weight)


def shortest_path_length(
    G: BackendGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    _require_method(method)
    if source is None:
        if target is not None:
            return lengths_from(G.turned(), target, weight, method)
        return _from_each(G, weight, lambda node, known: lengths_from(G, node, known, method))
    if target is None:
        return lengths_from(G, source, weight, method)
    if weight is not None:
        return (dijkstra_path_length if method == "dijkstra" else bellman_ford_path_length)(G, source, target, weight)
    found = _unweighted.hops(G, source, target)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found


def ego_graph(
    G: BackendGraph,
    n: Any,
    radius: float = 1,
    center: bool = True,
    undirected: bool = False,
    distance: Any = None,
) -> nx.Graph[Any]:
    if distance is None:
        inside = _unweighted.within(G, n, radius)
    else:
        search = Search(G, _several(G, {n}), distance, radius)
        inside = names(G, search.shortest().nodes) if search.weights.positive else list(search.lengths())
    found: nx.Graph[Any] = G.graph().subgraph(inside).copy()
    if not center:
        found.remove_node(n)
    return found
