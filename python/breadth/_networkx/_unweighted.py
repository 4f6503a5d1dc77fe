"""Functions of networkx for graphs without weights."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NoReturn

import networkx as nx
import numpy as np
from _breadth_networkx import CENTROID

from .. import _engine
from .._engine import Rows
from .._options import NO_LIMIT
from ._graph import BackendGraph, Indices, Places, entries_of

_WARNS_OF_PREDECESSORS = CENTROID == "centroid"  # in networkx 3.7 and later


def limit_of(cutoff: float | None) -> int | None:
    """Return the deepest level that networkx's loop `while cutoff > level` visits; None for no limit."""
    if cutoff is None or cutoff == math.inf:
        return None
    return min(math.ceil(cutoff), NO_LIMIT) if cutoff > 0 else 0


def require(graph: BackendGraph, node: Any, message: str) -> int:
    index = graph.index_of(node)
    if index < 0:
        raise nx.NodeNotFound(message)
    return index


def _neighbour(graph: BackendGraph, node: Any) -> int:
    """Return a node's index, with the errors of G.neighbors."""
    index = graph.index_of(node)
    if index < 0:
        {node}  # noqa: B018 - if it is not hashable, the error is that of sets
        raise nx.NetworkXError(f"The node {node} is not in the {'digraph' if graph.is_directed() else 'graph'}.")
    return index


def raise_missing(graph: BackendGraph, node: Any) -> NoReturn:
    """Raise the error of networkx's own dicts for an unknown node. The dicts of views have another message."""
    graph.graph()._adj[node]
    raise RuntimeError("the graph changed after it was converted")


def one(index: int) -> Indices:
    return np.array([index], dtype=np.int32)


class Tree:
    """The nodes that a search visits in networkx's order, their parents (-1 for sources), and where levels begin."""

    __slots__ = ("begins", "nodes", "parents")

    def __init__(self, rows: Rows, sources: Indices, limit: int | None) -> None:
        self.nodes, self.parents, self.begins = rows.bfs(sources, NO_LIMIT if limit is None else limit)

    def depth_of_each(self, count: int) -> Places:
        """Return the level of every node of the graph, -1 for unreached nodes."""
        depths = np.full(count, -1, dtype=np.int64)
        depths[self.nodes] = np.repeat(np.arange(len(self.begins) - 1), np.diff(self.begins))
        return depths


def _lengths(graph: BackendGraph, source: int, cutoff: float | None, *, against: bool = False) -> dict[Any, int]:
    return _engine.level_dict(graph.nodes, *graph.levels(source, limit_of(cutoff), against=against))


def single_source_shortest_path_length(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    return _lengths(G, require(G, source, f"Source {source} is not in G"), cutoff)


def within(graph: BackendGraph, source: Any, radius: float | None) -> list[Any]:
    """Return the nodes up to a distance, in the order of networkx's search."""
    start = require(graph, source, f"Source {source} is not in G")
    return graph.names(Tree(graph.rows, one(start), limit_of(radius)).nodes)


def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict[Any, int]:
    return _lengths(G, require(G, target, f"Target {target} is not in G"), cutoff, against=True)


def all_pairs_shortest_path_length(
    G: BackendGraph, cutoff: float | None = None
) -> Iterator[tuple[Any, dict[Any, int]]]:
    for index, node in enumerate(G.nodes):
        yield node, _lengths(G, index, cutoff)


def _paths(graph: BackendGraph, source: int, cutoff: float | None, *, against: bool = False) -> dict[Any, list[Any]]:
    tree = Tree(graph.columns if against else graph.rows, one(source), limit_of(cutoff))
    return _engine.path_dict(graph.nodes, tree.nodes, tree.parents, against)


def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    return _paths(G, require(G, source, f"Source {source} not in G"), cutoff)


def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    return _paths(G, require(G, target, f"Target {target} not in G"), cutoff, against=True)


def all_pairs_shortest_path(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for index, node in enumerate(G.nodes):
        yield node, _paths(G, index, cutoff)


def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list[Any]:
    start = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    if start == end:
        return [source]
    path = G.rows.meeting_path(G.columns, start, end)
    if not path:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.nodes[index] for index in path]


def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    return hops(G, source, target) is not None


def hops(graph: BackendGraph, source: Any, target: Any) -> int | None:
    """Return the number of edges on a shortest path, None if there is no path."""
    start = require(graph, source, f"Source {source} is not in G")
    end = require(graph, target, f"Target {target} is not in G")
    if start == end:
        return 0
    path = graph.rows.meeting_path(graph.columns, start, end)
    return len(path) - 1 if path else None


def levels_before(cutoff: float | None) -> int:
    """Return the deepest level of networkx's search for predecessors, which visits at least one level."""
    limit = limit_of(cutoff) if cutoff and not math.isnan(cutoff) else None
    return NO_LIMIT if limit is None else max(1, limit)


def predecessors_of(
    graph: BackendGraph, source: int, cutoff: float | None = None
) -> tuple[dict[Any, list[Any]], dict[Any, int]]:
    """Return networkx's dict of predecessors in the order of its search, and the levels."""
    nodes, begins, starts, before = graph.rows.bfs_predecessors(source, levels_before(cutoff))
    pred = _engine.list_dict(graph.nodes, nodes, starts, before)
    return pred, _engine.level_dict(graph.nodes, nodes, begins)


def predecessor(
    G: BackendGraph,
    source: Any,
    target: Any = None,
    cutoff: float | None = None,
    return_seen: bool | None = None,
) -> Any:
    pred, seen = predecessors_of(G, require(G, source, f"Source {source} not in G"), cutoff)
    if target is not None:
        known = target in pred
        if return_seen:
            return (pred[target], seen[target]) if known else ([], -1)
        return pred[target] if known else []
    return (pred, seen) if return_seen else pred


def bfs_edges(
    G: BackendGraph, source: Any, reverse: bool = False, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, Any]]:
    return _edges(G, G.columns if reverse else G.rows, source, depth_limit)


def edge_bfs(G: BackendGraph, source: Any = None, orientation: None = None) -> Iterator[tuple[Any, Any]]:
    return _edges_in_order(G, source, G.graph())


def _edges_in_order(graph: BackendGraph, source: Any, kept: nx.Graph[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the edges from some nodes on. Keeps networkx's graph alive, because the caller may have dropped it."""
    given = dict.fromkeys(kept.nbunch_iter(source))
    tails, heads = _all_edges(graph, np.array([graph.index_of(node) for node in given], dtype=np.int32))
    yield from zip(graph.names(tails), graph.names(heads), strict=True)


def _all_edges(graph: BackendGraph, sources: Indices) -> tuple[Indices, Indices]:
    """Return both ends of each edge that a search examines, also of edges that lead to a visited node."""
    nodes = Tree(graph.rows, sources, None).nodes
    where, counts = entries_of(graph.rows, nodes)
    tails, heads = np.repeat(nodes, counts), graph.rows.heads[where]
    if not graph.is_directed():
        ranks = np.empty(len(graph), dtype=np.int64)
        ranks[nodes] = np.arange(len(nodes))
        once = ranks[heads] >= ranks[tails]
        tails, heads = tails[once], heads[once]
    return tails, heads


def transitive_closure(G: BackendGraph, reflexive: bool = False) -> nx.Graph[Any]:
    closure: nx.Graph[Any] = G.graph().copy()
    for index, node in enumerate(G.nodes):
        reached = dict.fromkeys(G.names(_all_edges(G, one(index))[1]))
        known = closure._adj[node]
        closure.add_edges_from([(node, other) for other in reached if other not in known])
    return closure


def _edges(graph: BackendGraph, rows: Rows, source: Any, depth_limit: float | None) -> Iterator[tuple[Any, Any]]:
    tree = Tree(rows, one(_neighbour(graph, source)), limit_of(depth_limit))
    yield from zip(graph.names(tree.parents[1:]), graph.names(tree.nodes[1:]), strict=True)


def bfs_tree(
    G: BackendGraph, source: Any, reverse: bool = False, depth_limit: float | None = None, sort_neighbors: None = None
) -> nx.DiGraph[Any]:
    tree: nx.DiGraph[Any] = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(bfs_edges(G, source, reverse, depth_limit))
    return tree


def bfs_predecessors(
    G: BackendGraph, source: Any, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, Any]]:
    if _WARNS_OF_PREDECESSORS:
        warnings.warn("networkx 3.9 has no bfs_predecessors: use bfs_edges", DeprecationWarning, stacklevel=2)
    for parent, node in bfs_edges(G, source, depth_limit=depth_limit):
        yield node, parent


def bfs_successors(
    G: BackendGraph, source: Any, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, list[Any]]]:
    parent = source
    children: list[Any] = []
    for before, node in bfs_edges(G, source, depth_limit=depth_limit):
        if before != parent:
            yield parent, children
            parent, children = before, []
        children.append(node)
    yield parent, children


def bfs_layers(G: BackendGraph, sources: Any) -> Iterator[list[Any]]:
    if sources in G:
        sources = [sources]
    layer = list(set(sources))
    for source in layer:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if not layer:
        return
    yield layer
    tree = Tree(G.rows, np.array([G.index_of(source) for source in layer], dtype=np.int32), None)
    for begin, end in pairwise(tree.begins[1:].tolist()):
        yield G.names(tree.nodes[begin:end])


def bfs_labeled_edges(G: BackendGraph, sources: Any) -> Iterator[tuple[Any, Any, str]]:
    return _labeled_edges(G, sources, G.graph())


def _labeled_edges(G: BackendGraph, sources: Any, kept: nx.Graph[Any]) -> Iterator[tuple[Any, Any, str]]:
    """Yield edges with their labels. Keeps networkx's graph alive for error messages."""
    if sources in G:
        sources = [sources]
    given = list(dict.fromkeys(sources))
    found = np.array([G.index_of(source) for source in given], dtype=np.int32)
    bad = next((place for place, index in enumerate(found) if index < 0), None)
    tree = Tree(G.rows, found[found >= 0], None)
    tails_in_order = tree.nodes[:bad]  # networkx searches from the sources before one that is no node
    depths = tree.depth_of_each(len(G))
    ranks = np.empty(len(G), dtype=np.int64)
    ranks[tree.nodes] = np.arange(len(tree.nodes))
    parents = np.full(len(G), -1, dtype=np.int64)
    parents[tree.nodes] = tree.parents
    where, counts = entries_of(G.rows, tails_in_order)
    tails, heads = np.repeat(tails_in_order, counts), G.rows.heads[where]
    down = depths[heads] - depths[tails]
    kinds = np.where(down == 1, np.where(parents[heads] == tails, 0, 1), np.where(down == 0, 2, 3))
    if not G.is_directed():
        once = (down > 0) | ((down == 0) & (ranks[heads] >= ranks[tails]))
        tails, heads, kinds = tails[once], heads[once], kinds[once]
    words = ("tree", "forward", "level", "reverse")
    yield from zip(G.names(tails), G.names(heads), map(words.__getitem__, kinds.tolist()), strict=True)
    if bad is not None:
        raise_missing(G, given[bad])


def descendants_at_distance(G: BackendGraph, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    try:
        depth = int(distance)
    except (TypeError, ValueError, OverflowError):  # no number, NaN, infinite
        return set()
    if depth < 0 or depth != distance:
        return set()
    nodes, begins = G.levels(G.index_of(source), depth)
    return set(G.names(nodes[begins[depth] : begins[depth + 1]])) if depth + 1 < len(begins) else set()


def descendants(G: BackendGraph, source: Any) -> set[Any]:
    nodes, begins = G.levels(_neighbour(G, source))
    return set(G.names(nodes[begins[1] :]))


def ancestors(G: BackendGraph, source: Any) -> set[Any]:
    nodes, begins = G.levels(_neighbour(G, source), against=True)
    return set(G.names(nodes[begins[1] :]))
