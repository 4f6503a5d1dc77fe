// Breadth-first search on a GPU.
#pragma once

#include <memory>

#include "comm/context.hpp"
#include "gpu/search.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs_engine.hpp"

namespace breadth {

/// Searches on options.device, not cpu, an undirected graph of one rank in rows of 32 bits, vertices by degree: else
/// throws Error. Of the options it looks at device_control, direction, alpha, beta, leaves_last and max_depth. Throws
/// OutOfMemory where the graph and its search do not fit into the device's memory, Error where there is no such device.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context);

/// What a device wants of such a graph: views of its rows, which outlive what is made of them. A search that ends at a
/// depth, or that is told so, visits leaves in its levels.
gpu::HostGraph host_graph(const Graph& graph, bool leaves_last);

/// The same by the search given, of the same graph.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> on_device);

/// Throws Error unless this program can search on the device, on so many ranks.
void require_device(Device device, int ranks);

}  // namespace breadth
