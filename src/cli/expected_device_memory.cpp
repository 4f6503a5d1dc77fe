#include "cli/expected_device_memory.hpp"

#include "gpu/views.hpp"
#include "model/kronecker_size.hpp"

namespace breadth::cli {

gpu::MemoryPlan expected_device_memory(int scale, std::uint64_t edgefactor) {
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  const ExpectedHubs longer = expected_hubs(scale, edgefactor, gpu::piece_edges);
  const std::uint64_t entries_in_pieces = longer.light_to_hub + longer.hub_to_hub;
  // The last piece of a row is half full.
  return gpu::plan_memory({.vertices = graph.connected_vertices,
                           .entries = 2 * graph.edges,
                           .labels = graph.labels,
                           .long_rows = longer.count,
                           .pieces = entries_in_pieces / gpu::piece_edges + longer.count / 2});
}

}  // namespace breadth::cli
