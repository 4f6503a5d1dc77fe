"""Graphs of networkx, and comparisons of the backend's answers with those of networkx.

A test module that imports this one is skipped if networkx is older than the backend needs.
"""

import networkx as nx
import pytest
from _breadth_networkx import OLDEST
from breadth import _networkx as backend
from hypothesis import strategies as st

pytest.importorskip("networkx", minversion=".".join(map(str, OLDEST)))

KINDS = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]


def outcome(function, *args, **kwargs):
    """Returns the result of a call, with its order, or the exception."""
    try:
        return ordered(function(*args, **kwargs))
    except Exception as error:
        return type(error), str(error)


def ordered(result):
    if isinstance(result, dict):
        return [(key, ordered(value)) for key, value in result.items()]
    if isinstance(result, nx.Graph):
        return type(result), result.graph, list(result.nodes(data=True)), list(result.edges(data=True))
    if isinstance(result, list | tuple) or hasattr(result, "__next__"):
        return [ordered(value) for value in result]
    return type(result), result


def by_name(outcome):
    """Returns an outcome sorted, because networkx promises no order of dicts."""
    return sorted(outcome, key=repr) if isinstance(outcome, list) else outcome


def both(function, *args, **kwargs):
    refused = backend.can_run(function.__name__, args, kwargs)
    assert refused is True, refused
    expected = outcome(function, *args, backend="networkx", **kwargs)
    found = outcome(function, *args, backend="breadth", **kwargs)
    return found, expected


def require_same(function, *args, **kwargs):
    found, expected = both(function, *args, **kwargs)
    assert found == expected or repr(found) == repr(expected)  # a NaN equals no other NaN


def require_same_unordered(function, *args, **kwargs):
    found, expected = both(function, *args, **kwargs)
    assert by_name(found) == by_name(expected)


@st.composite
def graphs(draw, weights=None, kinds=KINDS):
    kind = draw(st.sampled_from(kinds))
    labels = draw(st.sampled_from([range(10), "jihgfedcba", [3, 1, 2, 0], [10**12, -5, 7], [(0, 1), "x", 2.5, 9]]))
    graph = kind()
    graph.add_nodes_from(draw(st.lists(st.sampled_from(list(labels)), min_size=1)))
    ends = st.tuples(st.sampled_from(list(labels)), st.sampled_from(list(labels)))
    for tail, head in draw(st.lists(ends, max_size=30)):
        attributes = {} if weights is None else {"weight": draw(weights)}
        graph.add_edge(tail, head, **attributes)
    return graph


def nodes_of(graph):
    return st.sampled_from([*graph, "missing"])
