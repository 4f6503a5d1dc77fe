"""Graphs of other libraries as columns of indices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Array

if TYPE_CHECKING:
    import igraph
    import networkx as nx


def columns_of_scipy(matrix: Any) -> tuple[Array, Array, Array, int]:
    """Return rows, columns and values of a sparse matrix's entries, and its size."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix is square, not {' x '.join(map(str, matrix.shape))}")
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
    count = rows.shape[0]
    sources = np.repeat(np.arange(count, dtype=rows.indices.dtype), np.diff(rows.indptr))
    return sources, rows.indices, rows.data, count


def columns_of_networkx(
    graph: nx.Graph[Any], weight: str | None
) -> tuple[Array, Array, list[Any] | None, list[Hashable]]:
    """Return indices of both ends of every edge, weights if wanted, and the nodes. Undirected edges are there twice."""
    adjacency: dict[Hashable, dict[Hashable, dict[Any, Any]]] = graph.adj if _is_view(graph) else graph._adj
    nodes = list(graph)
    degrees = np.fromiter((len(row) for row in adjacency.values()), dtype=np.int64, count=len(nodes))
    sources = np.repeat(np.arange(len(nodes), dtype=np.int64), degrees)
    heads: Iterable[Any] = chain.from_iterable(adjacency.values())
    if not all(type(node) is int and node == i for i, node in enumerate(nodes)):
        heads = map({node: i for i, node in enumerate(nodes)}.__getitem__, heads)
    targets = np.fromiter(heads, dtype=np.int64, count=len(sources))
    if weight is None:
        return sources, targets, None, nodes
    rows = chain.from_iterable(row.values() for row in adjacency.values())
    if graph.is_multigraph():
        weights = [min(edge.get(weight, 1) for edge in parallel.values()) for parallel in rows]
    else:
        weights = [edge.get(weight, 1) for edge in rows]
    return sources, targets, weights, nodes


def _is_view(graph: Any) -> bool:
    """Whether the graph shows another one, filtered or turned round, and so has no dicts of its own."""
    return not isinstance(getattr(graph, "_adj", None), dict)


def columns_of_igraph(
    graph: igraph.Graph, weights: str | None
) -> tuple[Array, Array, list[Any] | None, list[Hashable] | None]:
    """Return both ends of every edge, weights if wanted, and the vertices' names if they have any."""
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    if weights is not None and weights not in graph.es.attributes():
        raise ValueError(f"edges have no attribute {weights!r}, only {graph.es.attributes()}")
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return edges[:, 0], edges[:, 1], None if weights is None else graph.es[weights], names
