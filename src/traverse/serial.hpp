// Breadth-first search and shortest paths as the textbook has them: what the parallel searches must agree with.
#pragma once

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// Breadth-first search.

/// The parents of a search from `source`, by label: its own for the source, no_label where nothing leads. One thread,
/// one queue, no choices: what BreadthFirstSearch must agree with, level for level. The graph must be on one rank, and
/// hold the source (else Error). O(n + m).
LabelArray serial_bfs(const Graph& graph, Label source);

// Shortest paths.

/// The tree of shortest paths from `source` by label, straight from the edge list, with Dijkstra's algorithm and a
/// heap: what ShortestPathSearch must agree with, distance for distance. `edges` is the whole list, with weights of at
/// least 0, and its labels and the source are below `vertex_count` (else Error). Vertices farther away than
/// `max_distance` count as unreached. One thread. O((n + m) log n).
ShortestPathTree serial_sssp(const EdgeList& edges, Directedness directedness, std::uint64_t vertex_count, Label source,
                             float max_distance = std::numeric_limits<float>::infinity());

}  // namespace breadth
