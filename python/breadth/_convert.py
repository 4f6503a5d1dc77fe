"""Conversion of other libraries' graphs from and to columns of indices."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._blocks import as_list, blocks_of, by_blocks
from ._columns import Array
from ._optional import library

_ROWS = 1 << 14  # rows of a matrix that are sorted at once

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import pandas as pd
    import scipy.sparse


@contextmanager
def errors_with_edges(name_of: Callable[[int], str]) -> Iterator[None]:
    """Let errors for a weight name its edge instead of a row, because the user has given a graph and no columns."""
    try:
        yield
    except ValueError as error:
        found = re.match(r"weights\[(\d+)\] (.*)", str(error), re.DOTALL)
        if not found:
            raise
        raise ValueError(f"the weight of {name_of(int(found[1]))} {found[2]}") from None


def columns_of_scipy(matrix: Any) -> tuple[Array, Array, Array, int]:
    """Return rows, columns and values of a sparse matrix's entries, and its size."""
    if not hasattr(matrix, "tocsr"):
        kind = type(matrix).__name__
        raise TypeError(
            f"a sparse matrix or array of scipy is needed, not {kind}: scipy.sparse.csr_array(matrix) makes one"
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix must be square, not {' x '.join(map(str, matrix.shape))}")
    rows = matrix.tocsr()
    if matrix.format == "bsr":  # stored zeros fill its blocks
        rows.eliminate_zeros()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
    count = rows.shape[0]
    sources = np.repeat(np.arange(count, dtype=rows.indices.dtype), np.diff(rows.indptr))
    return sources, rows.indices, rows.data, count


def scipy_of(sources: Array, targets: Array, weights: Array | None, count: int) -> scipy.sparse.csr_array:
    """Return the adjacency matrix of edges between indices below count: their weights, or True.

    The edges from one vertex are given one after the other.
    """
    sparse = library("scipy.sparse", "to_scipy()")
    values = np.ones(len(sources), dtype=np.bool_) if weights is None else weights
    begins = np.flatnonzero(np.append(True, sources[1:] != sources[:-1])[: len(sources)])  # of rows
    row_of = np.full(count, len(begins))  # a vertex without edges has the last one, which is empty
    row_of[sources[begins]] = np.arange(len(begins))
    starts = np.append(begins, [len(sources)] * 2)
    rows = sparse.csr_array((values, targets, starts), shape=(len(begins) + 1, count))
    parts = [rows[row_of[first : first + _ROWS]].sorted_indices() for first in range(0, max(count, 1), _ROWS)]
    matrix: scipy.sparse.csr_array = sparse.vstack(parts, format="csr")
    return matrix


def pandas_of(labels: Array, sources: Array, targets: Array, weights: Array | None) -> pd.DataFrame:
    """Return a DataFrame of edges between indices of labels."""
    pandas = library("pandas", "to_pandas()")
    known = pandas.Series(labels)  # made once, because pandas takes long to turn labels into a column of strings
    columns: dict[str, Any] = {
        name: pandas.concat([known.take(block) for block in blocks_of(indices)], ignore_index=True)
        for name, indices in (("source", sources), ("target", targets))
    }
    frame: pd.DataFrame = pandas.DataFrame(columns if weights is None else {**columns, "weight": weights})
    return frame


def is_view(graph: nx.Graph[Any]) -> bool:
    """Whether the graph is a view of another graph, filtered or reversed, and so has no dicts of its own."""
    return not isinstance(getattr(graph, "_adj", None), dict)


def adjacency_of(graph: nx.Graph[Any], *, against: bool = False) -> Mapping[Any, Mapping[Any, Any]]:
    """Return networkx's neighbours of each node or, with `against` and in a directed graph, its predecessors."""
    view = is_view(graph)
    found: Mapping[Any, Mapping[Any, Any]]
    if against and graph.is_directed():
        found = graph.pred if view else graph._pred
    else:
        found = graph.adj if view else graph._adj
    return found


def plain_rows(graph: nx.Graph[Any], *, against: bool = False) -> list[Any]:
    """Return the neighbours of each node with their edges as dicts, which are made anew for a view."""
    rows = list(adjacency_of(graph, against=against).values())
    if not is_view(graph):
        return rows
    if graph.is_multigraph():
        return [{head: dict(edges) for head, edges in row.items()} for row in rows]
    return [dict(row) for row in rows]


def columns_of_networkx(graph: nx.Graph[Any], weight: str | None) -> tuple[Array, Array, Any, list[Hashable]]:
    """Return indices of both ends of every edge, weights if wanted, and the nodes. Undirected edges appear twice."""
    if not hasattr(graph, "adj") or not hasattr(graph, "is_directed"):
        raise TypeError(f"a graph of networkx is needed, not {type(graph).__name__}")
    if callable(weight):
        raise TypeError(f"weight is {weight!r}; it must be the name of an attribute of edges")
    nodes = list(graph)
    rows = plain_rows(graph)
    first, places = _engine.integer_nodes(nodes) or (0, None)
    read = None if places is None else _engine.read_rows(rows, first, places, None)
    if read is None:
        index = {node: i for i, node in enumerate(nodes)}
        read = _engine.read_rows([dict.fromkeys(row) for row in rows], 0, None, index)
    assert read is not None
    tails = np.repeat(np.arange(len(nodes), dtype=np.int64), np.diff(read.starts))
    weights: Any = None
    if weight is not None:
        weights = _engine.read_weights(rows, weight, graph.is_multigraph())
        if isinstance(weights, str):  # weights of several types, or of others than int and float
            weights = list(_any_weights(rows, weight, graph.is_multigraph()))
        elif (weights == 1).all():
            _require_attribute(rows, weight, graph.is_multigraph())
    return tails, read.heads, weights, nodes


def networkx_of(
    labels: list[Any], sources: Array, targets: Array, weights: Array | None, directed: bool
) -> nx.Graph[Any]:
    """Return a networkx graph of edges between indices of labels, with the attribute weight if weights are given."""
    networkx = library("networkx", "to_networkx()")
    graph: nx.Graph[Any] = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(labels)
    ends = [[labels[index] for index in as_list(indices)] for indices in (sources, targets)]
    if weights is None:
        graph.add_edges_from(zip(*ends, strict=True))
    else:
        graph.add_weighted_edges_from(zip(*ends, as_list(weights), strict=True))
    return graph


def _any_weights(rows: list[Any], weight: str, parallel: bool) -> Iterator[Any]:
    for edges in chain.from_iterable(row.values() for row in rows):
        yield min(edge.get(weight, 1) for edge in edges.values()) if parallel else edges.get(weight, 1)


def _require_attribute(rows: list[Any], name: Any, parallel: bool) -> None:
    """Raise ValueError for an attribute that no edge has. The message has one of similar spelling, or all there are."""
    edges = chain.from_iterable(row.values() for row in rows)
    known: dict[Any, None] = {}
    none = True
    for attributes in chain.from_iterable(edge.values() for edge in edges) if parallel else edges:
        if name in attributes:
            return
        known |= dict.fromkeys(attributes)
        none = False
    if none:
        return
    near = difflib.get_close_matches(str(name), filter(lambda other: isinstance(other, str), known), n=1, cutoff=0.75)
    hint = f"is {near[0]!r} meant?" if near else f"they have {', '.join(map(repr, known)) or 'none'}"
    raise ValueError(f"no edge has the attribute {name!r}; {hint}")


def column_of_pandas(frame: pd.DataFrame, name: Hashable) -> Any:
    """Return a column of a DataFrame.

    Raises KeyError, with the names of all columns, if there is none of this name, ValueError if there are several.
    """
    try:
        column = frame[name]
    except (KeyError, IndexError, TypeError, ValueError):
        if not hasattr(frame, "columns"):
            raise TypeError(f"a DataFrame of pandas is needed, not {type(frame).__name__}") from None
        known = ", ".join(map(repr, frame.columns))
        raise KeyError(f"the frame has no column {name!r}, only {known}") from None
    if len(getattr(column, "columns", ())) > 1:
        raise ValueError(f"the frame has {len(column.columns)} columns {name!r}; each name must be unique")
    return column


def columns_of_igraph(
    graph: igraph.Graph, weights: str | None
) -> tuple[Array, Array, list[Any] | None, list[Hashable] | None]:
    """Return both ends of every edge, weights if wanted, and the vertices' names if they have any."""
    if not hasattr(graph, "get_edgelist"):
        raise TypeError(f"a graph of igraph is needed, not {type(graph).__name__}")
    pairs = graph.get_edgelist()
    edges = by_blocks(lambda some: np.array(some, dtype=np.int64).reshape(-1, 2), pairs)
    if weights is not None and weights not in graph.es.attributes():
        raise ValueError(f"edges have no attribute {weights!r}, only {graph.es.attributes()}")
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return edges[:, 0], edges[:, 1], None if weights is None else graph.es[weights], names
