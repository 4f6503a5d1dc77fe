"""Functions of networkx that count edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from ._graph import BackendGraph, Integers, Rows
from ._order import Frontier, Tree, meet


def limit_of(cutoff: float | None) -> int | None:
    """Return the deepest level of networkx's `while cutoff > level`; None for no limit."""
    if cutoff is None or cutoff == math.inf:
        return None
    return math.ceil(cutoff) if cutoff > 0 else 0


def require(graph: BackendGraph, node: Any, message: str) -> int:
    if node not in graph:
        raise nx.NodeNotFound(message)
    return graph.index[node]


def _neighbour(graph: BackendGraph, node: Any) -> int:
    """Return a node's index, with the error of G.neighbors."""
    if node not in graph:
        raise nx.NetworkXError(f"The node {node} is not in the {'digraph' if graph.is_directed() else 'graph'}.")
    return graph.index[node]


def one(index: int) -> Integers:
    return np.array([index], dtype=np.int32)


def names(graph: BackendGraph, indices: Integers) -> list[Any]:
    found: list[Any] = graph.labels[indices].tolist()
    return found


def by_level(levels: Integers) -> Integers:
    """Return the reached nodes, nearer ones first."""
    deepest = int(levels.max())
    if deepest >= np.iinfo(np.uint16).max:
        reached = np.flatnonzero(levels >= 0)
        return reached[np.argsort(levels[reached], kind="stable")]
    order = np.argsort((levels + 1).astype(np.uint16), kind="stable")
    return order[np.count_nonzero(levels < 0) :]


def _lengths(graph: BackendGraph, source: int, cutoff: float | None, *, against: bool = False) -> dict[Any, int]:
    engine = graph.backward if against else graph.forward
    levels = engine.bfs(source, max_depth=limit_of(cutoff), parents=False).levels
    order = by_level(levels)
    return dict(zip(names(graph, order), levels[order].tolist(), strict=True))


def single_source_shortest_path_length(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    return _lengths(G, require(G, source, f"Source {source} is not in G"), cutoff)


def within(graph: BackendGraph, source: Any, radius: float | None) -> list[Any]:
    """Return the nodes up to a distance, in the order of networkx's search."""
    start = require(graph, source, f"Source {source} is not in G")
    return names(graph, Tree(graph.rows, one(start), limit_of(radius)).nodes)


def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict[Any, int]:
    return _lengths(G, require(G, target, f"Target {target} is not in G"), cutoff, against=True)


def all_pairs_shortest_path_length(
    G: BackendGraph, cutoff: float | None = None
) -> Iterator[tuple[Any, dict[Any, int]]]:
    for index, node in enumerate(G.nodes):
        yield node, _lengths(G, index, cutoff)


def _paths(
    graph: BackendGraph,
    source: int,
    cutoff: float | None,
    join: Callable[[list[Any], list[Any]], list[Any]],
    *,
    against: bool = False,
) -> dict[Any, list[Any]]:
    tree = Tree(graph.columns if against else graph.rows, one(source), limit_of(cutoff))
    start = graph.nodes[source]
    paths = {start: [start]}
    for node, parent in zip(names(graph, tree.nodes[1:]), names(graph, tree.parents[1:]), strict=True):
        paths[node] = join(paths[parent], [node])
    return paths


def _after(path: list[Any], step: list[Any]) -> list[Any]:
    return path + step


def _before(path: list[Any], step: list[Any]) -> list[Any]:
    return step + path


def single_source_shortest_path(G: BackendGraph, source: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    return _paths(G, require(G, source, f"Source {source} not in G"), cutoff, _after)


def single_target_shortest_path(G: BackendGraph, target: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    return _paths(G, require(G, target, f"Target {target} not in G"), cutoff, _before, against=True)


def all_pairs_shortest_path(G: BackendGraph, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for index, node in enumerate(G.nodes):
        yield node, _paths(G, index, cutoff, _after)


def bidirectional_shortest_path(G: BackendGraph, source: Any, target: Any) -> list[Any]:
    start = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    if start == end:
        return [source]
    path = meet(G.rows, G.columns, start, end)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.nodes[index] for index in path]


def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    return hops(G, source, target) is not None


def hops(graph: BackendGraph, source: Any, target: Any) -> int | None:
    """Return the number of edges on a shortest path, None where there is none."""
    start = require(graph, source, f"Source {source} is not in G")
    end = require(graph, target, f"Target {target} is not in G")
    path = graph.forward.shortest_path(start, end)
    return None if path is None else len(path) - 1


def predecessors_of(
    graph: BackendGraph, source: int, cutoff: float | None = None
) -> tuple[dict[Any, list[Any]], dict[Any, int]]:
    """Return networkx's dict of predecessors in the order of its search, and the levels."""
    limit = limit_of(cutoff) if cutoff and not math.isnan(cutoff) else None
    tree = Tree(graph.rows, one(source), None if limit is None else max(1, limit))
    depths = tree.depth_of_each(len(graph))
    where, counts = graph.rows.entries_of(tree.nodes)
    heads = graph.rows.heads[where]
    tails = np.repeat(tree.nodes, counts)
    down = depths[heads] == depths[tails] + 1
    pred: dict[Any, list[Any]] = {node: [] for node in names(graph, tree.nodes)}
    for head, tail in zip(names(graph, heads[down]), names(graph, tails[down]), strict=True):
        pred[head].append(tail)
    return pred, dict(zip(pred, depths[tree.nodes].tolist(), strict=True))


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


def _edges(graph: BackendGraph, rows: Rows, source: Any, depth_limit: float | None) -> Iterator[tuple[Any, Any]]:
    tree = Tree(rows, one(_neighbour(graph, source)), limit_of(depth_limit))
    yield from zip(names(graph, tree.parents[1:]), names(graph, tree.nodes[1:]), strict=True)


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
    search = Frontier(G.rows, np.array([G.index[source] for source in layer], dtype=np.int32))
    while layer:
        yield layer
        search.advance()
        layer = names(G, search.level)


def bfs_labeled_edges(G: BackendGraph, sources: Any) -> Iterator[tuple[Any, Any, str]]:
    if sources in G:
        sources = [sources]
    starts = [G.index[source] for source in dict.fromkeys(sources)]
    tree = Tree(G.rows, np.array(starts, dtype=np.int32), None)
    depths = tree.depth_of_each(len(G))
    ranks = np.empty(len(G), dtype=np.int64)
    ranks[tree.nodes] = np.arange(len(tree.nodes))
    parents = np.full(len(G), -1, dtype=np.int64)
    parents[tree.nodes] = tree.parents
    where, counts = G.rows.entries_of(tree.nodes)
    tails, heads = np.repeat(tree.nodes, counts), G.rows.heads[where]
    down = depths[heads] - depths[tails]
    kinds = np.where(down == 1, np.where(parents[heads] == tails, 0, 1), np.where(down == 0, 2, 3))
    if not G.is_directed():
        once = (down > 0) | ((down == 0) & (ranks[heads] >= ranks[tails]))
        tails, heads, kinds = tails[once], heads[once], kinds[once]
    words = ("tree", "forward", "level", "reverse")
    yield from zip(names(G, tails), names(G, heads), map(words.__getitem__, kinds.tolist()), strict=True)


def descendants_at_distance(G: BackendGraph, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if distance < 0 or distance != math.floor(distance):
        return set()
    levels = G.forward.bfs(G.index[source], max_depth=int(distance), parents=False).levels
    return set(names(G, np.flatnonzero(levels == distance)))


def descendants(G: BackendGraph, source: Any) -> set[Any]:
    levels = G.forward.bfs(_neighbour(G, source), parents=False).levels
    return set(names(G, np.flatnonzero(levels > 0)))


def ancestors(G: BackendGraph, source: Any) -> set[Any]:
    levels = G.backward.bfs(_neighbour(G, source), parents=False).levels
    return set(names(G, np.flatnonzero(levels > 0)))
