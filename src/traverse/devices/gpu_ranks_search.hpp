// Breadth-first search by several ranks, each on a device.
#pragma once

#include <memory>

#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"

namespace breadth {

/// Searches on options.device, not cpu, a graph as make_gpu_search does, with hubs or without (Pan et al. 2018): each
/// rank its own part, on the device that its place on the node gives it. Of the options it looks at device,
/// device_control, device_transport, direction, alpha, beta, hub_masks and max_depth, and at replication for its nodes.
/// Throws, the same on all ranks, Error where `options` want the device to lead, or a transport that there is not, or a
/// rank has no device, and OutOfMemory where a part and its search do not fit into its memory. Collective.
///
/// A level goes along all edges between vertices of a rank, hubs' replicas among them, by a push or a pull, all ranks
/// in the same direction; and pushes along those that lead to vertices of other ranks, who are told once of each such
/// vertex in a search: 8 bytes. Then the masks of hubs are combined.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_ranks_search(const Graph& graph, const BfsOptions& options,
                                                                  const Context& context);

}  // namespace breadth
