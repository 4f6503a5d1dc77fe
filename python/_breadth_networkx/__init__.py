"""What networkx reads about its backend `breadth` when networkx is imported.

It stands beside the package `breadth`, so that `import networkx` loads neither numpy nor the engine.
"""

from __future__ import annotations

from typing import Any

_ANY_SHORTEST = "Of several shortest paths it returns the one that dijkstra_path returns."
_TIES = "Where several paths are shortest, networkx's own function chooses."
_POSITIVE = "Weights are integers or 32-bit floats, all of one kind and above 0; others go to networkx."
_EXACT = "Weights are integers or 32-bit floats, all of one kind and at least 0; others go to networkx."
_SETS = "Nodes are in the order of the graph in each level."
_ALL_FROM_EACH = "One search from each node."

FUNCTIONS: dict[str, str] = {
    "all_pairs_bellman_ford_path": f"{_POSITIVE} {_ANY_SHORTEST}",
    "all_pairs_bellman_ford_path_length": _EXACT,
    "all_pairs_dijkstra": _POSITIVE,
    "all_pairs_dijkstra_path": _POSITIVE,
    "all_pairs_dijkstra_path_length": _EXACT,
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": _SETS,
    "all_shortest_paths": _POSITIVE,
    "ancestors": "",
    "average_shortest_path_length": f"{_ALL_FROM_EACH} {_EXACT}",
    "bellman_ford_path": f"{_POSITIVE} {_ANY_SHORTEST}",
    "bellman_ford_path_length": _EXACT,
    "bellman_ford_predecessor_and_distance": f"{_POSITIVE} Lists of predecessors are in the order of distances.",
    "bfs_edges": "sort_neighbors goes to networkx.",
    "bfs_labeled_edges": "",
    "bfs_layers": "",
    "bfs_predecessors": "sort_neighbors goes to networkx.",
    "bfs_successors": "sort_neighbors goes to networkx.",
    "bfs_tree": "sort_neighbors goes to networkx.",
    "bidirectional_dijkstra": f"{_POSITIVE} {_TIES}",
    "bidirectional_shortest_path": "",
    "center": f"{_ALL_FROM_EACH} Without e and usebounds; trees go to networkx. {_EXACT}",
    "closeness_centrality": f"{_ALL_FROM_EACH} {_EXACT}",
    "color": "",
    "connected_components": "",
    "descendants": "",
    "descendants_at_distance": "",
    "diameter": f"{_ALL_FROM_EACH} Without e and usebounds. {_EXACT}",
    "dijkstra_path": _POSITIVE,
    "dijkstra_path_length": _EXACT,
    "dijkstra_predecessor_and_distance": _POSITIVE,
    "eccentricity": f"{_ALL_FROM_EACH} Without sp, for all nodes or one. {_EXACT}",
    "ego_graph": f"Without undirected=True. {_EXACT}",
    "has_path": "",
    "is_bipartite": "",
    "is_connected": "",
    "is_weakly_connected": "",
    "multi_source_dijkstra": _POSITIVE,
    "multi_source_dijkstra_path": _POSITIVE,
    "multi_source_dijkstra_path_length": _EXACT,
    "node_connected_component": "",
    "number_connected_components": "",
    "number_weakly_connected_components": "",
    "periphery": f"{_ALL_FROM_EACH} Without e and usebounds. {_EXACT}",
    "predecessor": "",
    "radius": f"{_ALL_FROM_EACH} Without e and usebounds. {_EXACT}",
    "sets": "",
    "shortest_path": f"{_POSITIVE} {_TIES}",
    "shortest_path_length": _EXACT,
    "single_source_all_shortest_paths": _POSITIVE,
    "single_source_bellman_ford": f"{_POSITIVE} {_ANY_SHORTEST}",
    "single_source_bellman_ford_path": f"{_POSITIVE} {_ANY_SHORTEST}",
    "single_source_bellman_ford_path_length": _EXACT,
    "single_source_dijkstra": _POSITIVE,
    "single_source_dijkstra_path": _POSITIVE,
    "single_source_dijkstra_path_length": _EXACT,
    "single_source_shortest_path": "",
    "single_source_shortest_path_length": _SETS,
    "single_target_shortest_path": "",
    "single_target_shortest_path_length": _SETS,
    "voronoi_cells": _POSITIVE,
    "weakly_connected_components": "",
}
"""The functions of networkx that this backend has, each with what its users should know."""


def get_info() -> dict[str, Any]:
    """Return what networkx shows in its documentation of the backend."""
    return {
        "backend_name": "breadth",
        "project": "breadth",
        "package": "breadth",
        "short_summary": "Breadth-first search and shortest paths by a parallel engine.",
        "functions": {name: {"additional_docs": docs} if docs else {} for name, docs in FUNCTIONS.items()},
    }
