"""The description of the backend `breadth` that networkx reads when it is imported.

This package is separate from the package `breadth`, so that `import networkx` loads neither numpy nor the engine.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

_SUMS = "Weights are integers of 64 bits or floats, all of one kind and at least 0; others go to networkx."
_ANY_SHORTEST = (
    "Weights are integers of 64 bits or floats, all of one kind and above 0; others go to networkx. Of several "
    "shortest paths it returns the one that dijkstra_path returns."
)
_LEVELS = "Nodes are in the order of the graph in each level."
_ALL_FROM_EACH = "64 searches at a time without weights, one from each node with them."
_UNWEIGHTED = "With weights it goes to networkx."

OLDEST = (3, 6)
"""The oldest version of networkx that the backend supports."""

_major, _minor = map(int, re.findall(r"\d+", version("networkx"))[:2])
TOO_OLD = (_major, _minor) < OLDEST
CENTROID = "centroid" if (_major, _minor) >= (3, 7) else "barycenter"
"""networkx's function for the nodes with the least sum of distances: up to 3.6, `centroid` was for trees."""

FUNCTIONS: dict[str, str] = {
    CENTROID: f"{_ALL_FROM_EACH} Without attr and sp; trees go to networkx. {_SUMS}",
    "all_pairs_all_shortest_paths": _SUMS,
    "all_pairs_bellman_ford_path": _ANY_SHORTEST,
    "all_pairs_bellman_ford_path_length": _SUMS,
    "all_pairs_dijkstra": _SUMS,
    "all_pairs_dijkstra_path": _SUMS,
    "all_pairs_dijkstra_path_length": _SUMS,
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": _LEVELS,
    "all_shortest_paths": _SUMS,
    "ancestors": "",
    "average_shortest_path_length": f"{_ALL_FROM_EACH} {_SUMS}",
    "bellman_ford_path": _ANY_SHORTEST,
    "bellman_ford_path_length": _SUMS,
    "bellman_ford_predecessor_and_distance": f"{_ANY_SHORTEST} Lists of predecessors are in the order of distances.",
    "betweenness_centrality": f"From several nodes at a time, and added up in their order. {_UNWEIGHTED}",
    "betweenness_centrality_subset": f"Sources and targets are collections, not iterators. {_UNWEIGHTED}",
    "bfs_edges": "sort_neighbors goes to networkx.",
    "bfs_labeled_edges": "",
    "bfs_layers": "",
    "bfs_predecessors": "sort_neighbors goes to networkx.",
    "bfs_successors": "sort_neighbors goes to networkx.",
    "bfs_tree": "sort_neighbors goes to networkx.",
    "bidirectional_dijkstra": _SUMS,
    "bidirectional_shortest_path": "",
    "bipartite_closeness_centrality": "64 searches at a time.",
    "center": f"{_ALL_FROM_EACH} Without e and usebounds; trees go to networkx. {_SUMS}",
    "closeness_centrality": f"{_ALL_FROM_EACH} Without sp. {_SUMS}",
    "color": "",
    "connected_components": "",
    "descendants": "",
    "descendants_at_distance": "",
    "diameter": f"{_ALL_FROM_EACH} Without e and usebounds. {_SUMS}",
    "dijkstra_path": _SUMS,
    "dijkstra_path_length": _SUMS,
    "dijkstra_predecessor_and_distance": _SUMS,
    "eccentricity": f"{_ALL_FROM_EACH} Without sp, for all nodes or one. {_SUMS}",
    "edge_betweenness_centrality": f"As betweenness_centrality; not for parallel edges. {_UNWEIGHTED}",
    "edge_betweenness_centrality_subset": (
        f"Sources and targets are collections, not iterators; not for parallel edges. {_UNWEIGHTED}"
    ),
    "edge_bfs": "Without orientation; not for parallel edges.",
    "edge_load_centrality": "",
    "efficiency": "",
    "ego_graph": f"Without undirected=True. {_SUMS}",
    "girth": "",
    "global_efficiency": _ALL_FROM_EACH,
    "global_reaching_centrality": f"{_ALL_FROM_EACH} {_UNWEIGHTED}",
    "group_betweenness_centrality": _UNWEIGHTED,
    "group_closeness_centrality": _SUMS,
    "gutman_index": f"64 searches at a time. {_UNWEIGHTED}",
    "harmonic_centrality": f"{_ALL_FROM_EACH} {_UNWEIGHTED}",
    "harmonic_diameter": f"{_ALL_FROM_EACH} Without sp. {_SUMS}",
    "has_path": "",
    "hyper_wiener_index": f"{_ALL_FROM_EACH} {_SUMS}",
    "is_bipartite": "",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "local_reaching_centrality": f"Without paths. {_UNWEIGHTED}",
    "multi_source_dijkstra": _SUMS,
    "multi_source_dijkstra_path": _SUMS,
    "multi_source_dijkstra_path_length": _SUMS,
    "newman_betweenness_centrality": f"All nodes are integers, strings, or tuples of one of them. {_UNWEIGHTED}",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_weakly_connected_components": "",
    "percolation_centrality": f"States are integers or floats. {_UNWEIGHTED}",
    "periphery": f"{_ALL_FROM_EACH} Without e and usebounds. {_SUMS}",
    "predecessor": "",
    "radius": f"{_ALL_FROM_EACH} Without e and usebounds. {_SUMS}",
    "schultz_index": f"64 searches at a time. {_UNWEIGHTED}",
    "sets": "",
    "shortest_path": _SUMS,
    "shortest_path_length": _SUMS,
    "single_source_all_shortest_paths": _SUMS,
    "single_source_bellman_ford": _ANY_SHORTEST,
    "single_source_bellman_ford_path": _ANY_SHORTEST,
    "single_source_bellman_ford_path_length": _SUMS,
    "single_source_dijkstra": _SUMS,
    "single_source_dijkstra_path": _SUMS,
    "single_source_dijkstra_path_length": _SUMS,
    "single_source_shortest_path": "",
    "single_source_shortest_path_length": _LEVELS,
    "single_target_shortest_path": "",
    "single_target_shortest_path_length": _LEVELS,
    "transitive_closure": "Other values of reflexive than False go to networkx.",
    "voronoi_cells": _SUMS,
    "weakly_connected_components": "",
    "wiener_index": f"{_ALL_FROM_EACH} {_SUMS}",
}
"""The functions of networkx that this backend has, each with notes for its users."""

if (_major, _minor) >= (3, 7):
    # It takes other steps from 3.7 on, and so other roundings, than the backend, which has those of 3.6.
    del FUNCTIONS["group_betweenness_centrality"]


def get_info() -> dict[str, Any]:
    """Return the description of the backend for networkx's documentation."""
    return {
        "backend_name": "breadth",
        "project": "breadth",
        "package": "breadth",
        "short_summary": "Breadth-first search and shortest paths by a parallel engine.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in FUNCTIONS.items()},
    }
