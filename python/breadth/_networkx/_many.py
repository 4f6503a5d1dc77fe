"""Functions of networkx that search from each node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from ._components import is_connected
from ._graph import BackendGraph
from ._weighted import known_weights, lengths_from, single_source_dijkstra_path_length


def _eccentricities(graph: BackendGraph, nodes: list[Any], weight: Any) -> Iterator[Any]:
    known = known_weights(graph, weight)
    for node in nodes:
        lengths = lengths_from(graph, node, known)
        if len(lengths) != len(graph):
            raise nx.NetworkXError(
                "Found infinite path length because the digraph is not strongly connected"
                if graph.is_directed()
                else "Found infinite path length because the graph is not connected"
            )
        yield max(lengths.values())


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


def average_shortest_path_length(G: BackendGraph, weight: Any = None, method: str | None = None) -> float:
    chosen = method or "dijkstra"
    count = len(G)
    if count == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if count == 1:
        return 0
    _require_connected(G)
    used = None if method == "unweighted" else known_weights(G, weight)
    total = sum(length for node in G.nodes for length in lengths_from(G, node, used, chosen).values())
    average: float = total / (count * (count - 1))
    return average


def _require_connected(graph: BackendGraph) -> None:
    if not graph.is_directed():
        if not is_connected(graph):
            raise nx.NetworkXError("Graph is not connected.")
    elif any(engine.bfs(0, parents=False).reached < len(graph) for engine in (graph.forward, graph.backward)):
        raise nx.NetworkXError("Graph is not strongly connected.")


def closeness_centrality(G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:
    graph = G.turned()
    distance = known_weights(graph, distance)
    if u is not None:
        return _closeness(graph, u, distance, wf_improved)
    return {node: _closeness(graph, node, distance, wf_improved) for node in graph.nodes}


def _closeness(graph: BackendGraph, node: Any, distance: Any, wf_improved: bool) -> float:
    if distance is None:
        lengths = lengths_from(graph, node, None)
    else:
        lengths = single_source_dijkstra_path_length(graph, node, weight=distance)
    total = sum(lengths.values())
    if not (total > 0.0 and len(graph) > 1):
        return 0.0
    closeness: float = (len(lengths) - 1.0) / total
    return closeness * ((len(lengths) - 1.0) / (len(graph) - 1)) if wf_improved else closeness
