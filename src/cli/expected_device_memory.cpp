#include "cli/expected_device_memory.hpp"

#include <algorithm>

#include "gpu/views.hpp"
#include "graph500/device_run.hpp"
#include "model/kronecker_size.hpp"

namespace breadth::cli {

gpu::MemoryPlan expected_device_memory(int scale, std::uint64_t edgefactor, Kernels kernels) {
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  const ExpectedHubs longer = expected_hubs(scale, edgefactor, gpu::piece_edges);
  const std::uint64_t entries_in_pieces = longer.light_to_hub + longer.hub_to_hub;
  // The last piece of a row is half full.
  const gpu::DeviceGraphSize size{.vertices = graph.connected_vertices,
                                  .entries = 2 * graph.edges,
                                  .labels = graph.labels,
                                  .long_rows = longer.count,
                                  .pieces = entries_in_pieces / gpu::piece_edges + longer.count / 2,
                                  .weighted = includes_sssp(kernels)};
  return includes_sssp(kernels) ? gpu::plan_paths_memory(size) : gpu::plan_memory(size);
}

gpu::RunPlan expected_run_memory(int scale, std::uint64_t edgefactor, EdgeListPlace edge_list) {
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  const std::uint64_t held =
      edge_list == EdgeListPlace::memory ? graph.tuples : std::min(graph.tuples, device_block_tuples);
  return {.edges = gpu::edge_bytes(held, false),
          .construction = gpu::construction_bytes(graph.labels, 2 * graph.tuples),
          .searches = expected_device_memory(scale, edgefactor, Kernels::bfs),
          .validation = gpu::tree_check_bytes(graph.labels)};
}

}  // namespace breadth::cli
