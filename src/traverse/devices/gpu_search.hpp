// Breadth-first search on a GPU.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "comm/context.hpp"
#include "gpu/search.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// Breadth-first search by several ranks, each on a device.

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

/// Searches on options.device, not cpu, an undirected graph in rows of 32 bits, vertices by degree: else throws Error.
/// Of the options it looks at device_control, direction, alpha, beta, leaves_last and max_depth; on several ranks it is
/// make_gpu_ranks_search. Throws OutOfMemory where the graph and its search do not fit into the device's memory, Error
/// where there is no such device.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context);

/// The rows of a graph that devices can search; of any other throws Error, which says what they need.
const Adjacency<std::uint32_t>& gpu_rows(const Graph& graph);

/// What a device wants of such a graph on one rank: views of its rows, which outlive what is made of them. A search
/// that ends at a depth, or that is asked to, visits leaves in its levels.
gpu::HostGraph host_graph(const Graph& graph, bool leaves_last);
/// What it wants for shortest paths.
gpu::HostGraph weighted_host_graph(const Graph& graph);

/// The levels as the device has recorded them: `switch` is what was between one and the one before.
std::vector<LevelStatistics> levels_of(const gpu::SearchRecord& record);
LeafPass leaves_of(const gpu::SearchRecord& record);
DeviceSeconds device_seconds_of(const gpu::SearchRecord& record);

/// The same by the search given, of the same graph.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> on_device);

/// Throws Error unless this rank can search on the device.
void require_device(Device device);
/// Throws Error for a device that is to lead a search of several ranks.
void require_control(std::optional<DeviceControl> asked, int ranks);
/// Throws Error for a transport that would have the MPI library read a GPU's memory, if it does not say that it can, or
/// that takes NCCL, where there is none.
void require_transport(Device device, DeviceTransport transport);

}  // namespace breadth
