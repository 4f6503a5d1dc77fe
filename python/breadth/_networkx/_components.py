"""Functions of networkx on connected components, and on graphs with two sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from ._graph import BackendGraph
from ._unweighted import names


def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    if not len(G):
        return
    found = G.forward.connected_components()
    order = np.argsort(found.of_vertex, kind="stable")
    labels = names(G, order)
    ends = np.cumsum(found.sizes).tolist()
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        yield set(labels[begin:end])


weakly_connected_components = connected_components


def number_connected_components(G: BackendGraph) -> int:
    return len(G.forward.connected_components()) if len(G) else 0


number_weakly_connected_components = number_connected_components


def is_connected(G: BackendGraph) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


is_weakly_connected = is_connected


def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    levels = G.forward.bfs(G.index[n], parents=False).levels
    return set(names(G, np.flatnonzero(levels >= 0)))


def color(G: BackendGraph) -> dict[Any, int]:
    degrees = np.diff(G.rows.starts)
    starting = np.flatnonzero(degrees)
    if not len(starting):
        return dict.fromkeys(G.nodes, 0)
    component = G.forward.connected_components().of_vertex
    _, first = np.unique(component[starting], return_index=True)
    levels = G.both_ways.multi_source_bfs(starting[first].tolist()).levels
    if (levels[G.rows.tails()] % 2 == levels[G.rows.heads] % 2).any():
        raise nx.NetworkXError("Graph is not bipartite.")
    colors = np.where(levels >= 0, 1 - levels % 2, 0)
    return dict(zip(G.nodes, colors.tolist(), strict=True))


def is_bipartite(G: BackendGraph) -> bool:
    try:
        color(G)
    except nx.NetworkXError:
        return False
    return True


def sets(G: BackendGraph, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G) - top
    if not is_connected(G):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = color(G)
    return {node for node in colors if colors[node]}, {node for node in colors if not colors[node]}
