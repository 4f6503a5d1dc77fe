"""Checks of calls: whether results are exactly networkx's, and whether a conversion is worth its time."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np
from _breadth_networkx import CENTROID, OLDEST, TOO_OLD
from networkx.utils.backends import _registered_algorithms

from .._convert import is_view
from ._betweenness import percolation_states
from ._graph import BackendGraph, Numbers, is_converted, not_positive, read_weights, refuse_our_own, shows_another

SMALL = 5000
"""Number of nodes below which networkx's own search takes less time than a conversion (measured with three edges per
node)."""

TINY = 1000
"""Number of nodes below which networkx's own search takes less time than one without conversion in networkx's order."""

PATIENCE = 10
"""Number of searches of a part of a graph after which the graph is converted for further searches."""

_BELLMAN_FORD_PATHS = {
    "all_pairs_bellman_ford_path",
    "bellman_ford_path",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
}
"""Functions that follow each node's first predecessor back, which leads to the source if weights are positive."""

_TO_A_TARGET = {
    "bidirectional_dijkstra",
    "dijkstra_path",
    "dijkstra_path_length",
    "multi_source_dijkstra",
    "shortest_path",
    "shortest_path_length",
    "single_source_dijkstra",
}
"""Functions that end at a target if one is given, and read only the weights that their search examines."""

_UNWEIGHTED = {
    "betweenness_centrality": "weight",
    "betweenness_centrality_subset": "weight",
    "edge_betweenness_centrality": "weight",
    "edge_betweenness_centrality_subset": "weight",
    "global_reaching_centrality": "weight",
    "group_betweenness_centrality": "weight",
    "gutman_index": "weight",
    "harmonic_centrality": "distance",
    "local_reaching_centrality": "weight",
    "newman_betweenness_centrality": "weight",
    "percolation_centrality": "weight",
    "schultz_index": "weight",
}
"""Functions that this backend has for graphs without weights only, with their names of the argument for weights."""

_WEIGHTED = {
    CENTROID,
    "all_pairs_all_shortest_paths",
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "all_shortest_paths",
    "average_shortest_path_length",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "bidirectional_dijkstra",
    "center",
    "closeness_centrality",
    "diameter",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "eccentricity",
    "ego_graph",
    "group_closeness_centrality",
    "harmonic_diameter",
    "hyper_wiener_index",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "periphery",
    "radius",
    "shortest_path",
    "shortest_path_length",
    "single_source_all_shortest_paths",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "voronoi_cells",
    "wiener_index",
}
"""Functions that this backend has for graphs with weights."""

_HIDDEN = {name for name in _WEIGHTED if "dijkstra" in name or "bellman_ford" in name or name == "voronoi_cells"}
"""Functions in which weight=None does not count edges: networkx reads an attribute called None."""

Arguments = Mapping[str, Any]


def _a_number(value: Any) -> bool:
    """Whether numpy compares a limit as Python does. It rounds floats of other types, and integers beyond 2^53."""
    if isinstance(value, np.integer):
        return abs(int(value)) <= 2**53
    return value is None or isinstance(value, int | float)


def _sorted(arguments: Arguments) -> str | None:
    return "sort_neighbors chooses an order of its own" if arguments["sort_neighbors"] is not None else None


def _one_way(arguments: Arguments) -> str | None:
    if arguments["G"].is_multigraph():
        return "parallel edges have keys"
    return "orientation is given: edges say how they were passed" if arguments["orientation"] is not None else None


def _all_but_trivial(arguments: Arguments) -> str | None:
    return "reflexive chooses another order of edges" if arguments["reflexive"] is not False else None


def _searched(arguments: Arguments) -> str | None:
    return "sp is given: nothing is searched" if arguments.get("sp") is not None else None


def _bounded(arguments: Arguments) -> str | None:
    if len(arguments["G"]) == 0:
        return "the graph has no nodes, and versions of networkx raise different errors for that"
    if arguments["e"] is not None:
        return "e is given: nothing is searched"
    return "usebounds chooses searches of its own" if arguments["usebounds"] else None


def _not_a_tree(arguments: Arguments) -> str | None:
    graph = arguments["G"]
    edges = int(graph.rows.starts[-1]) // 2 if isinstance(graph, BackendGraph) else graph.number_of_edges()
    if not graph.is_directed() and len(graph) > 0 and edges == len(graph) - 1:
        return "networkx finds a tree's center without searches from each node"
    return _bounded(arguments)


def _all_or_one(arguments: Arguments) -> str | None:
    node = arguments["v"]
    if node is None or node in arguments["G"]:
        return _searched(arguments) or _bounded({**arguments, "e": None, "usebounds": False})
    return "v is a group of nodes"


def _no_attribute(arguments: Arguments) -> str | None:
    if arguments["attr"] is not None:
        return "attr is given: nodes of the graph are changed"
    return _searched(arguments) or _not_a_tree({**arguments, "e": None, "usebounds": False})


def _as_networkx(graph: Any) -> Any:
    return graph.graph() if isinstance(graph, BackendGraph) else graph


def _no_attribute_of_none(arguments: Arguments) -> str | None:
    """Refuse edges with an attribute called None: networkx reads it as the weight, 1 if an edge does not have it."""
    graph = arguments["G"]
    if arguments["weight"] is None:
        values = read_weights(_as_networkx(graph), None)
        if isinstance(values, str) or (values != 1).any():
            return "edges have an attribute called None"
    return _searched(arguments)


def _filtered_by_key(arguments: Arguments) -> str | None:
    graph = _as_networkx(arguments["G"])
    if is_view(graph) and graph.is_multigraph():
        return "networkx counts a neighbour in a view even if the view has none of its edges"
    return None


def _degrees_by_node(arguments: Arguments) -> str | None:
    return "networkx replaces the degree of a node called weight" if "weight" in arguments["G"] else None


def _states(arguments: Arguments) -> str | None:
    known = percolation_states(_as_networkx(arguments["G"]), arguments["attribute"], arguments["states"])
    return known if isinstance(known, str) else None


def _no_paths(arguments: Arguments) -> str | None:
    if arguments["v"] is None:
        return "v=None is not a node"
    return "paths are given: nothing is searched" if arguments["paths"] is not None else None


def _both_ends(arguments: Arguments) -> str | None:
    return None if _point_to_point(arguments) else "a source or target of None stands for all nodes"


def _two_nodes(arguments: Arguments) -> str | None:
    return _both_ends({"source": arguments["u"], "target": arguments["v"]})


def _single_edges(arguments: Arguments) -> str | None:
    graph = arguments["G"]
    if graph.is_multigraph():
        return "parallel edges have keys"
    pairs = [node for node in graph if isinstance(node, tuple) and len(node) == 2]
    if pairs and isinstance(graph, BackendGraph):
        graph = graph.graph()
    return "a node has the same name as an edge" if any(graph.has_edge(*pair) for pair in pairs) else None


def _collections(arguments: Arguments) -> str | None:
    if all(isinstance(arguments[given], Collection) for given in ("sources", "targets")):
        return None
    return "sources or targets are not a collection: networkx may read them more than once"


def _collections_of_single_edges(arguments: Arguments) -> str | None:
    return _single_edges(arguments) or _collections(arguments)


def _several_sources(arguments: Arguments) -> str | None:
    sources = arguments["sources"] if "sources" in arguments else arguments["center_nodes"]
    return "sources are an iterator, which networkx reads more than once" if isinstance(sources, Iterator) else None


def _in_an_order(arguments: Arguments) -> str | None:
    """Refuse nodes of several types: networkx adds up in the sorted order of nodes, which is certain for one type."""
    kinds = {type(node) for node in arguments["G"]}
    if kinds == {tuple}:
        kinds = {type(part) for node in arguments["G"] for part in node}
    return None if kinds <= {int} or kinds <= {str} else "nodes are not all integers, strings, or tuples of one of them"


def _both_ways(arguments: Arguments) -> str | None:
    return "undirected=True makes another graph" if arguments["undirected"] else None


def _one_search(arguments: Arguments) -> str | None:
    known = {None, "unweighted", "dijkstra", "bellman-ford"}
    return None if arguments["method"] in known else "another method than a search from each node"


_REFUSALS: dict[str, Callable[[Arguments], str | None]] = {
    "average_shortest_path_length": _one_search,
    CENTROID: _no_attribute,
    "betweenness_centrality_subset": _collections,
    "bfs_edges": _sorted,
    "bfs_predecessors": _sorted,
    "bfs_successors": _sorted,
    "bfs_tree": _sorted,
    "center": _not_a_tree,
    "closeness_centrality": _searched,
    "color": _filtered_by_key,
    "diameter": _bounded,
    "eccentricity": _all_or_one,
    "edge_betweenness_centrality": _single_edges,
    "edge_betweenness_centrality_subset": _collections_of_single_edges,
    "edge_bfs": _one_way,
    "efficiency": _two_nodes,
    "ego_graph": _both_ways,
    "gutman_index": _degrees_by_node,
    "harmonic_diameter": _no_attribute_of_none,
    "has_path": _both_ends,
    "local_reaching_centrality": _no_paths,
    "multi_source_dijkstra": _several_sources,
    "multi_source_dijkstra_path": _several_sources,
    "multi_source_dijkstra_path_length": _several_sources,
    "newman_betweenness_centrality": _in_an_order,
    "percolation_centrality": _states,
    "periphery": _bounded,
    "radius": _bounded,
    "schultz_index": _degrees_by_node,
    "sets": _filtered_by_key,
    "transitive_closure": _all_but_trivial,
    "voronoi_cells": _several_sources,
}


@functools.cache
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(_registered_algorithms[name])


@functools.cache
def _unknown_arguments(name: str) -> str | None:
    """Return a message if networkx's function has arguments that the function here does not have, else None."""
    ours = inspect.signature(getattr(sys.modules[__package__], name)).parameters
    theirs = _registered_algorithms[name].orig_func
    unknown = [argument for argument in inspect.signature(theirs).parameters if argument not in ours]
    return f"the backend does not know {', '.join(unknown)} of this version of networkx" if unknown else None


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True if the result is exactly that of networkx, else why it might not be.

    Raises TypeError for a breadth.Graph.
    """
    refuse_our_own(args[0] if args else kwargs.get("G"))
    if TOO_OLD:
        return f"networkx is older than {'.'.join(map(str, OLDEST))}"
    if reason := _unknown_arguments(name):
        return reason
    weighted = name in _WEIGHTED or name in _UNWEIGHTED
    if not weighted and name not in _REFUSALS and not kwargs and len(args) < 3:
        return True
    try:
        bound = _signature(name).bind(*args, **kwargs)
    except TypeError:
        return "the function does not accept these arguments"
    bound.apply_defaults()
    arguments = bound.arguments
    if not all(_a_number(arguments.get(limit)) for limit in ("cutoff", "depth_limit", "radius")):
        return "a limit is not a number"
    reason = _REFUSALS[name](arguments) if name in _REFUSALS else None
    if reason is None and name in _UNWEIGHTED and arguments[_UNWEIGHTED[name]] is not None:
        reason = "the backend has this function only without weights"
    if reason is None and name in _WEIGHTED:
        reason = _unsuitable(name, arguments)
    return reason or True


def _unsuitable(name: str, arguments: Arguments) -> str | None:
    weight = arguments["distance"] if "distance" in arguments else arguments["weight"]
    if callable(weight):
        return "weights are a function"
    if weight is None:
        return "weight=None names no attribute" if name in _HIDDEN else None
    graph = arguments["G"]
    if _ends_at_target(name, arguments) and arguments["target"] in graph:
        return None  # the search checks the weights it reads: reading all takes longer than networkx's search
    values = read_weights(_as_networkx(graph), weight, keep=True)
    if isinstance(values, str):
        return values
    goes_back = name in _BELLMAN_FORD_PATHS or (name == "shortest_path" and arguments["method"] == "bellman-ford")
    reason = not_positive(values) if goes_back else None
    return reason or (_may_be_inexact(values, len(graph), goes_back) if _is_lazy(name, arguments) else None)


def _is_lazy(name: str, arguments: Arguments) -> bool:
    """Whether the result is an iterator that searches when it is read, too late to leave the search to networkx."""
    if name in {"shortest_path", "shortest_path_length"}:
        return arguments["source"] is None and arguments["target"] is None
    return name.startswith("all_pairs") or name == "single_source_all_shortest_paths"


def _may_be_inexact(values: Numbers, nodes: int, goes_back: bool) -> str | None:
    """Return why a search with these weights might turn out inexact after it has begun, None if that cannot happen."""
    if not len(values):
        return None
    farthest = int(values.max()) * nodes if values.dtype.kind == "i" else float(values.max()) * nodes
    if values.dtype.kind == "i":
        return "a distance may be beyond 64 bits" if farthest >= 2**63 else None
    if goes_back and float(values.min()) <= farthest * 2.0**-52:
        return "a weight may be too small to change a distance"
    return None


def _ends_at_target(name: str, arguments: Arguments) -> bool:
    """Whether the call is a search by Dijkstra's algorithm for one target."""
    if name not in _TO_A_TARGET or arguments.get("target") is None:
        return False
    return arguments.get("source", True) is not None and arguments.get("method") != "bellman-ford"


def _point_to_point(arguments: Arguments) -> bool:
    return arguments.get("source") is not None and arguments.get("target") is not None


_FROM_EACH = {
    CENTROID,
    "average_shortest_path_length",
    "betweenness_centrality",
    "betweenness_centrality_subset",
    "bipartite_closeness_centrality",
    "center",
    "closeness_centrality",
    "diameter",
    "eccentricity",
    "edge_betweenness_centrality",
    "edge_betweenness_centrality_subset",
    "edge_load_centrality",
    "girth",
    "global_efficiency",
    "global_reaching_centrality",
    "group_betweenness_centrality",
    "gutman_index",
    "harmonic_centrality",
    "harmonic_diameter",
    "hyper_wiener_index",
    "newman_betweenness_centrality",
    "percolation_centrality",
    "periphery",
    "radius",
    "schultz_index",
    "transitive_closure",
    "wiener_index",
}
"""Functions that search from each node, beside which one conversion takes little; all_pairs_* do so, too."""

_FEW = 100
"""Number of nodes below which networkx searches from each node in less time than a conversion takes."""

_SEVERAL = 10
"""Number of sources of one call below which a conversion takes long beside the searches."""

_LOCAL = {"bidirectional_shortest_path", "color", "descendants_at_distance", "efficiency", "has_path", "is_bipartite"}
"""Functions whose search in networkx may end before it has seen much of the graph."""


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True if the search, conversion included, is likely to take less time than networkx's, else why not."""
    graph = args[0] if args else kwargs["G"]
    if (name in _FROM_EACH or name.startswith("all_pairs")) and not _from_few(name, args, kwargs):
        return len(graph) >= _FEW or f"fewer than {_FEW} nodes"
    if is_converted(graph):
        return len(graph) >= TINY or f"fewer than {TINY} nodes"
    if len(graph) < SMALL:
        return f"fewer than {SMALL} nodes, and not converted yet"
    if (name in _LOCAL or _is_limited(name, args, kwargs)) and not _has_come_often(graph):
        return "a search of a part of the graph, which is not converted yet"
    return True


def _from_few(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a search from a subset of nodes has so few sources that a conversion takes long beside it."""
    return name.endswith("_subset") and len(_signature(name).bind(*args, **kwargs).arguments["sources"]) < _SEVERAL


def _is_limited(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a search ends at a target or at a limit of depth or distance."""
    bound = _signature(name).bind(*args, **kwargs)
    bound.apply_defaults()
    arguments = bound.arguments
    if name in {"shortest_path", "shortest_path_length"} and arguments["weight"] is None:
        return _point_to_point(arguments)
    if _ends_at_target(name, arguments):
        return True
    return any(arguments.get(limit) is not None for limit in ("cutoff", "depth_limit", "radius"))


def _has_come_often(graph: Any) -> bool:
    """Count a search of a part of a graph, and return whether so many came that more are likely.

    The count begins anew when the graph changes.
    """
    cache = getattr(graph, "__networkx_cache__", None)
    if cache is None or shows_another(graph):  # conversions of such graphs are not kept
        return False
    cache["breadth searches"] = count = cache.get("breadth searches", 0) + 1
    return bool(count > PATIENCE)
