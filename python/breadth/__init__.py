"""Breadth-first search and shortest paths on very large graphs.

Examples:
    >>> import breadth
    >>> g = breadth.Graph.from_edges(["Oslo", "Rome", "Bern"], ["Rome", "Bern", "Kyiv"])
    >>> g.bfs("Oslo").path_to("Kyiv")
    ['Oslo', 'Rome', 'Bern', 'Kyiv']
"""

from ._generators import grid, kronecker, small_world, uniform_random
from ._graph import Graph
from ._memory import MemoryPlan, plan
from ._paths import Paths
from ._program import graph500
from ._rank_results import DistributedBfs, DistributedComponents, DistributedNearestSources, DistributedSssp
from ._ranks import DistributedGraph
from ._reading import read
from ._results import BfsResult, Components, NearestSources, SsspResult

__version__ = "0.1.0"

__all__ = [
    "BfsResult",
    "Components",
    "DistributedBfs",
    "DistributedComponents",
    "DistributedGraph",
    "DistributedNearestSources",
    "DistributedSssp",
    "Graph",
    "MemoryPlan",
    "NearestSources",
    "Paths",
    "SsspResult",
    "__version__",
    "graph500",
    "grid",
    "kronecker",
    "plan",
    "read",
    "small_world",
    "uniform_random",
]
