// The last step of a search for shortest paths: its tree in the order of the original labels.
#pragma once

#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Writes the distance and the parent of every label of this rank's block. Returns how many of its vertices have a
/// distance. One walk over the block in label order.
template <class Neighbour>
std::uint64_t write_tree(TentativeTree<Neighbour>& found, const Graph& graph, ShortestPathTree& tree,
                         ThreadTeam& threads);

}  // namespace breadth
