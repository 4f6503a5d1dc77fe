// Shortest paths as the textbook has them.
#pragma once

#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "core/policy/directedness.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

/// The tree of shortest paths from `source` by label, straight from the edge list, with Dijkstra's algorithm and a
/// heap: what ShortestPathSearch must agree with, distance for distance. `edges` is the whole list, with weights of at
/// least 0, and its labels and the source are below `vertex_count` (else Error). Vertices farther away than
/// `max_distance` count as unreached. One thread. O((n + m) log n).
ShortestPathTree serial_sssp(const EdgeList& edges, Directedness directedness, std::uint64_t vertex_count, Label source,
                             float max_distance = std::numeric_limits<float>::infinity());

}  // namespace breadth
