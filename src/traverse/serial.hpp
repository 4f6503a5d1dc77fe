// Textbook breadth-first search and shortest paths, as references for the parallel searches.
#pragma once

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// Breadth-first search.

/// Returns the parents of a search from `source`, by label. The source is its own parent; an unreached label has
/// no_label. One thread and one queue: the reference that BreadthFirstSearch must agree with, level for level. The
/// graph must be on one rank and contain the source (else Error). O(n + m).
LabelArray serial_bfs(const Graph& graph, Label source);

// Shortest paths.

/// Returns the tree of shortest paths from `source` by label, computed from the edge list by Dijkstra's algorithm with
/// a heap: the reference that ShortestPathSearch must agree with, distance for distance. `edges` is the whole list.
/// Weights must be at least 0, labels and the source below `vertex_count` (else Error). Vertices farther away than
/// `max_distance` count as unreached. One thread. O((n + m) log n).
ShortestPathTree serial_sssp(const EdgeList& edges, Directedness directedness, std::uint64_t vertex_count, Label source,
                             float max_distance = std::numeric_limits<float>::infinity());

}  // namespace breadth
