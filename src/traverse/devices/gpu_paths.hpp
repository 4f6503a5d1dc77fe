// Shortest paths on a GPU.
#pragma once

#include <cstdint>
#include <memory>

#include "comm/context.hpp"
#include "gpu/search.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

// Shortest paths by several ranks, each on a device.

/// Searches on options.device, not cpu, such a graph as make_gpu_ranks_search does, with weights, with hubs or without.
/// Of the options it looks at device, device_control, device_transport, delta and max_distance. Throws as
/// make_gpu_ranks_search. Collective.
///
/// Buckets are settled as on one device (gpu/sssp/paths_control.hpp), the same bucket on all ranks. After each level
/// ranks exchange the paths that end in the bucket at vertices of others, 12 bytes each, and at hubs, of
/// which all take the shortest. Paths that end beyond it are sent when their bucket has come, if nothing shorter was
/// found.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_ranks_paths(const Graph& graph, const SsspOptions& options,
                                                                 const Context& context);

/// Searches on options.device, not cpu, such a graph as make_gpu_search searches, with weights: else throws Error. Of
/// the options it looks at device_control, delta and max_distance; on several ranks it is make_gpu_ranks_paths.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context);

/// The width of a bucket that is given, or that suits the graph. Collective.
float bucket_width(const Graph& graph, const SsspOptions& options, const Context& context);
/// Vertices with a distance, on this rank.
std::uint64_t count_reached(const ShortestPathTree& tree);

/// The same by what is given, of the same graph.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context,
                                                           std::unique_ptr<gpu::Paths> on_device);

}  // namespace breadth
