"""Functions of networkx for graphs with weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors
from networkx.utils import groups

from .. import _engine
from . import _unweighted
from ._graph import BackendGraph, Indices, Inexact, Numbers, Weights, indices
from ._unweighted import one, require


class Search:
    """A search from some nodes by Dijkstra's algorithm, with results as networkx returns them."""

    def __init__(
        self,
        graph: BackendGraph,
        sources: Indices,
        weight: Any,
        cutoff: float | None = None,
    ) -> None:
        self.graph = graph
        self.sources = sources
        self.weights = graph.weights(weight)
        self.cutoff = cutoff

    def in_order(self) -> tuple[Indices, Numbers, Indices]:
        """Return nodes in networkx's order, their distances, and the parent of each, -1 for sources."""
        try:
            return self.graph.rows.dijkstra(self.weights.values, self.sources, self.cutoff)
        except ValueError as error:
            raise Inexact(str(error)) from error

    def _dict(self, order: Indices, distances: Numbers) -> dict[Any, Any]:
        """Return distances by node. Those of sources are the integer 0, even if others are floats."""
        return _engine.number_dict(self.graph.nodes, order, distances, len(self.sources))

    def nearest(self) -> tuple[Indices, Numbers]:
        """Return the sources, then the other nodes by distance and in the order of the graph, and all distances."""
        found = self._by_engine()
        count = len(self.sources)
        if found is None:
            order, near, _ = self.in_order()
            rest = np.lexsort((order[count:], near[count:])) + count
            return np.concatenate([order[:count], order[rest]]), np.concatenate([near[:count], near[rest]])
        reached = np.flatnonzero(found < math.inf)
        near = found[reached]
        near[reached == self.sources[0]] = -1  # the source comes before other nodes at distance 0
        by_distance = np.argsort(near, kind="stable")
        near = near[by_distance]
        near[0] = 0
        return indices(reached[by_distance]), near.astype(np.int64) if self.weights.integers else near

    def _by_engine(self) -> Numbers | None:
        """Return distances as float64, inf for unreached nodes; None if a search in networkx's order is better.

        As in BackendGraph.levels, the first search with these weights does without the engine's graph.
        """
        weights, graph = self.weights, self.graph
        nothing = not len(graph.rows.heads) or (self.cutoff is not None and self.cutoff < 0)
        if nothing or len(self.sources) > 1:
            return None
        limit = self.cutoff if self.cutoff is not None and self.cutoff < math.inf else None
        source = int(self.sources[0])
        if weights.one:
            order, begins = graph.levels(source, None if limit is None else int(limit))
            found = np.full(len(graph), math.inf)
            found[order] = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
            return found
        if not weights.searched:
            weights.searched = True
            return None
        engine = graph.weighted(weights)
        if engine.distance_type != np.float64:  # float64 would round sums of such large integers
            return None
        try:
            distances = engine.sssp(source, cutoff=limit).distances
        except OverflowError:  # sums beyond all floats, which are infinite in networkx
            return None
        beyond = weights.integers and (distances[distances < math.inf] >= 2.0**63).any()
        return None if beyond else distances

    def lengths(self) -> dict[Any, Any]:
        """Return distances by node, in ascending order."""
        return self._dict(*self.nearest())

    def lengths_and_paths(self) -> tuple[dict[Any, Any], dict[Any, list[Any]]]:
        order, distances, parents = self.in_order()
        return self._dict(order, distances), _engine.path_dict(self.graph.nodes, order, parents, False)

    def predecessors(self) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
        try:
            order, distances, seen, starts, before = self.graph.rows.dijkstra_predecessors(
                self.weights.values, int(self.sources[0]), self.cutoff
            )
        except ValueError as error:
            raise Inexact(str(error)) from error
        return _engine.list_dict(self.graph.nodes, seen, starts, before), self._dict(order, distances)

    def cells(self) -> dict[Any, set[Any]]:
        """Return for each source the nodes that are nearest to it, and the nodes that no source reaches."""
        order, _, parents = self.in_order()
        nearest = np.arange(len(self.graph), dtype=np.int32)
        nearest[order] = np.where(parents < 0, order, parents)
        while not np.array_equal(further := nearest[nearest], nearest):
            nearest = further
        names = self.graph.names
        cells: dict[Any, set[Any]] = groups(dict(zip(names(order), names(nearest[order]), strict=True)))
        if len(order) < len(self.graph):
            cells["unreachable"] = set(names(np.setdiff1d(np.arange(len(self.graph)), order)))
        return cells


class Relaxation:
    """A search from a node by the Bellman-Ford algorithm, with results as networkx returns them."""

    def __init__(self, graph: BackendGraph, source: int, weight: Any, *, positive: bool = False) -> None:
        weights = graph.weights(weight, positive=positive)
        self.graph = graph
        try:
            self.order, self.distances, self.starts, self.before = graph.rows.bellman_ford(weights.values, source)
        except ValueError as error:
            raise Inexact(str(error)) from error

    def lengths(self) -> dict[Any, Any]:
        return _engine.number_dict(self.graph.nodes, self.order, self.distances, 1)

    def predecessors(self) -> dict[Any, list[Any]]:
        if len(self.graph) == 1:  # networkx does not search such a graph: a self-loop of weight 0 does not count
            return {node: [] for node in self.graph.nodes}
        return _engine.list_dict(self.graph.nodes, self.order, self.starts, self.before)

    def paths(self, target: int | None = None) -> dict[Any, list[Any]]:
        """Return the path to each node, or to the target only. A node's parent is the first of its predecessors.

        Raises Inexact if a node is no farther than its parent, because networkx then looks for other ways back.
        """
        parents = np.full(len(self.graph), -1, dtype=np.int32)
        parents[self.order[1:]] = self.before[self.starts[1:-1]]
        distance = np.full(len(self.graph), -1, dtype=self.distances.dtype)
        distance[self.order] = self.distances
        rest = self.order[1:]
        if (distance[parents[rest]] >= distance[rest]).any():
            raise Inexact("a weight is too small to change a distance")
        nodes = self.order
        if target is not None:
            chain = [target]
            while (parent := int(parents[chain[-1]])) >= 0:
                chain.append(parent)
            nodes = indices(np.array(chain))
        nearest_first = nodes[np.argsort(distance[nodes], kind="stable")]
        found = _engine.path_dict(self.graph.nodes, nearest_first, parents[nearest_first], False)
        wanted = self.order if target is None else one(target)
        return {name: found[name] for name in self.graph.names(wanted)}


def _path(
    graph: BackendGraph, sources: Indices, target: Any, weight: Any, cutoff: float | None, no_path: str
) -> tuple[Any, list[Any]]:
    """Return the distance and path from the nearest source, from a search that ends at the target.

    Raises NetworkXNoPath, TypeError for a target that is not hashable, and Inexact for an unsuitable weight. Reads only
    the weights that the search examines.
    """
    index = graph.index_of(target)
    if index < 0:
        {}.get(target)  # raises the error of dicts if it is not hashable
        raise nx.NetworkXNoPath(no_path)
    path = graph.rows.path_by_dicts(graph.dicts(), graph.nodes, weight, graph.is_multigraph(), sources, index, cutoff)
    if isinstance(path, str):
        raise Inexact(path)
    if path is None:
        raise nx.NetworkXNoPath(no_path)
    return path


def _several(graph: BackendGraph, sources: Iterable[Any]) -> Indices:
    if not sources:
        raise ValueError("sources must not be empty")
    given = list(sources)
    for source in given:
        require(graph, source, f"Node {source} not found in graph")
    return np.array([graph.index_of(source) for source in dict.fromkeys(given)], dtype=np.int32)


def multi_source_dijkstra(
    G: BackendGraph, sources: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    starts = _several(G, sources)
    if target in sources:
        return 0, [target]
    if target is None:
        return Search(G, starts, weight, cutoff).lengths_and_paths()
    return _path(G, starts, target, weight, cutoff, f"No path to {target}.")


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


def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    start = require(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    return _path(G, one(start), target, weight, None, f"Node {target} not reachable from {source}")[0]


def dijkstra_predecessor_and_distance(
    G: BackendGraph, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    start = require(G, source, f"Node {source} is not found in the graph")
    return Search(G, one(start), weight, cutoff).predecessors()


def bidirectional_dijkstra(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> tuple[Any, list[Any]]:
    start = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    if start == end:
        return 0, [source]
    path = G.rows.both_ends_by_dicts(
        G.columns, G.dicts(), G.dicts(against=True), G.nodes, weight, G.is_multigraph(), start, end
    )
    if isinstance(path, str):
        raise Inexact(path)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


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
    """Search from each node. Reads the weights once."""
    known = known_weights(graph, weight)
    return ((node, search(node, known)) for node in graph.nodes)


def known_weights(graph: BackendGraph, weight: Any) -> Weights | None:
    """Return the weights, to be given instead of the attribute's name in further calls."""
    return None if weight is None else graph.weights(weight)


def _bellman_ford_source(graph: BackendGraph, source: Any) -> int:
    """Return a node's index. Raises networkx's errors: TypeError for an object that is not hashable."""
    {}.get(source)
    return require(graph, source, f"Source {source} not in G")


def single_source_bellman_ford(G: BackendGraph, source: Any, target: Any = None, weight: Any = "weight") -> Any:
    if source == target:
        require(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    found = Relaxation(G, _bellman_ford_source(G, source), weight, positive=True)
    lengths = found.lengths()
    if target is None:
        return lengths, found.paths()
    if target not in lengths:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    (path,) = found.paths(G.index_of(target)).values()
    return lengths[target], path


def single_source_bellman_ford_path(G: BackendGraph, source: Any, weight: Any = "weight") -> dict[Any, list[Any]]:
    paths: dict[Any, list[Any]] = single_source_bellman_ford(G, source, weight=weight)[1]
    return paths


def single_source_bellman_ford_path_length(G: BackendGraph, source: Any, weight: Any = "weight") -> dict[Any, Any]:
    """Return distances by node. With integers, uses Dijkstra's algorithm. With floats, takes networkx's own steps, to
    get its distances in its order: rounded sums may be equal, after which networkx leaves out relaxations."""
    start, weights = _bellman_ford_source(G, source), G.weights(weight)
    return (Search(G, one(start), weights) if weights.integers else Relaxation(G, start, weights)).lengths()


def bellman_ford_path(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    return single_source_bellman_ford(G, source, target, weight)[1]


def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source == target:
        require(G, source, f"Node {source} not found in graph")
        return 0
    lengths = Relaxation(G, _bellman_ford_source(G, source), weight).lengths()
    if target not in lengths:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return lengths[target]


def bellman_ford_predecessor_and_distance(
    G: BackendGraph, source: Any, target: Any = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    found = Relaxation(G, require(G, source, f"Node {source} is not found in the graph"), weight)
    return found.predecessors(), found.lengths()


def all_pairs_bellman_ford_path(G: BackendGraph, weight: Any = "weight") -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_bellman_ford_path(G, node, known))


def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: Any = "weight") -> Iterator[tuple[Any, Any]]:
    return _from_each(G, weight, lambda node, known: single_source_bellman_ford_path_length(G, node, known))


def _all_predecessors(graph: BackendGraph, source: Any, weight: Any, method: str) -> dict[Any, list[Any]]:
    if weight is None or method == "unweighted":
        return _unweighted.predecessors_of(graph, require(graph, source, f"Source {source} not in G"))[0]
    if method not in {"dijkstra", "bellman-ford"}:
        raise ValueError(f"method not supported: {method}")
    if method == "dijkstra":
        return dijkstra_predecessor_and_distance(graph, source, weight=weight)[0]
    return bellman_ford_predecessor_and_distance(graph, source, weight=weight)[0]


def all_shortest_paths(
    G: BackendGraph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    before = _all_predecessors(G, source, weight, method)  # raises networkx's error for an unknown source
    paths: Iterator[list[Any]] = _build_paths_from_predecessors({source}, target, before)
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


def all_pairs_all_shortest_paths(
    G: BackendGraph, weight: Any = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    return _from_each(G, weight, lambda node, known: dict(_paths_of_each(G, node, known, method)))


def voronoi_cells(G: BackendGraph, center_nodes: Any, weight: Any = "weight") -> dict[Any, set[Any]]:
    starts = _several(G, center_nodes)
    None in center_nodes  # noqa: B015  networkx looks for its target None, which raises TypeError in a string
    return Search(G, starts, weight).cells()


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
        inside = G.names(Search(G, _several(G, {n}), distance, radius).in_order()[0])
    found: nx.Graph[Any] = G.graph().subgraph(inside).copy()
    if not center:
        found.remove_node(n)
    return found
