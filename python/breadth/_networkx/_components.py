"""Functions of networkx on connected components, and on graphs with two sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from ._graph import BackendGraph
from ._unweighted import raise_missing


def _is_one(graph: BackendGraph) -> bool:
    """Whether the first node is connected with all others. The graph must have nodes."""
    if graph.is_directed():
        return len(graph.both_ways.connected_components()) == 1
    return len(graph.levels(0)[0]) == len(graph)


def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    if not len(G):
        return
    found = G.both_ways.connected_components()
    labels = G.names(np.argsort(found.of_vertex, kind="stable"))
    ends = np.cumsum(found.sizes).tolist()
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        yield set(labels[begin:end])


weakly_connected_components = connected_components


def number_connected_components(G: BackendGraph) -> int:
    return len(G.both_ways.connected_components()) if len(G) else 0


number_weakly_connected_components = number_connected_components


def is_connected(G: BackendGraph) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _is_one(G)


is_weakly_connected = is_connected


def is_strongly_connected(G: BackendGraph) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return all(len(G.levels(0, against=against)[0]) == len(G) for against in (False, True))


def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    index = G.index_of(n)
    if index < 0:
        raise_missing(G, *{n})
    return set(G.names(G.levels(index)[0]))


def color(G: BackendGraph) -> dict[Any, int]:
    found = G.rows.two_colors(G.columns if G.is_directed() else None)
    if found is None:
        raise nx.NetworkXError("Graph is not bipartite.")
    nodes, colors = found
    return dict(zip(G.names(nodes), colors.tolist(), strict=True))


def is_bipartite(G: BackendGraph) -> bool:
    return G.rows.two_colors(G.columns if G.is_directed() else None) is not None


def sets(G: BackendGraph, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G) - top
    if not is_connected(G):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = color(G)
    return {node for node in colors if colors[node]}, {node for node in colors if not colors[node]}
