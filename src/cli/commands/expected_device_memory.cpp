#include "cli/commands/expected_device_memory.hpp"

#include <algorithm>

#include "core/data/bitmap.hpp"
#include "gpu/phases/views.hpp"
#include "graph500/run_prediction.hpp"
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

gpu::MemoryPlan expected_part_memory(int scale, std::uint64_t edgefactor, const HubChoice& choice, Kernels kernels,
                                     DeviceTransport transport, int ranks) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  const ExpectedHubs hubs = expected_hubs(choice, scale, edgefactor, ranks);
  const std::uint64_t hub_bits = words_for_bits(hubs.count) * bits_per_word;
  const double between_lights =
      hubs.count == 0 ? 2.0 * static_cast<double>(graph.edges) : static_cast<double>(hubs.light_to_light);
  const double edges_between = between_lights * (ranks - 1) / ranks;
  const double ghosts = std::min(expected_group_pairs(scale, edgefactor, ranks), edges_between) / ranks;
  const ExpectedHubs longer = expected_hubs(scale, edgefactor, gpu::piece_edges * parts);
  const std::uint64_t long_rows = std::min(longer.count, hubs.count);
  const std::uint64_t entries_in_pieces = long_rows == 0 ? 0 : (longer.light_to_hub + longer.hub_to_hub) / parts;
  // The last piece of a row is half full.
  const gpu::DeviceGraphSize size{.vertices = hub_bits + (graph.connected_vertices - hubs.count) / parts,
                                  .entries = 2 * graph.edges / parts,
                                  .labels = graph.labels / parts,
                                  .long_rows = long_rows,
                                  .pieces = entries_in_pieces / gpu::piece_edges + long_rows / 2,
                                  .weighted = includes_sssp(kernels),
                                  .own_ends = true};
  const gpu::PartSize part{.connected_labels = graph.connected_vertices / parts,
                           .ghosts = static_cast<std::uint64_t>(ghosts),
                           .incoming = static_cast<std::uint64_t>(ghosts),
                           .hub_bits = hub_bits,
                           .ranks = parts,
                           .transport = transport};
  return includes_sssp(kernels) ? gpu::plan_part_paths_memory(size, part) : gpu::plan_part_memory(size, part);
}

gpu::RunPlan expected_run_memory(int scale, std::uint64_t edgefactor, std::uint64_t held_tuples) {
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  return {.edges = gpu::edge_bytes(std::min(graph.tuples, held_tuples), false),
          .block = gpu::edge_bytes(std::min(graph.tuples, gpu::default_block_tuples), false),
          .construction = gpu::construction_bytes(graph.labels, 2 * graph.tuples),
          .searches = expected_device_memory(scale, edgefactor, Kernels::bfs),
          .validation = gpu::tree_check_bytes(graph.labels)};
}

gpu::RunPlan expected_paths_memory(int scale, std::uint64_t edgefactor, std::uint64_t held_tuples, Kernels kernels) {
  const GraphSize graph = expected_kronecker_size(scale, edgefactor, false);
  return {.edges = gpu::edge_bytes(std::min(graph.tuples, held_tuples), true),
          .block = gpu::edge_bytes(std::min(graph.tuples, gpu::default_block_tuples), true),
          .searches = expected_device_memory(scale, edgefactor, kernels),
          .validation = gpu::result_check_bytes(graph.labels, true)};
}

gpu::RunPlan most_run_memory(const GraphSize& size, const BenchmarkOptions& benchmark, int ranks) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const std::uint64_t entries = 2 * size.edges / parts;
  const std::uint64_t most_long_rows = entries / gpu::piece_edges;
  const bool weighted = includes_sssp(benchmark.kernels);
  const gpu::DeviceGraphSize graph{.vertices = size.connected_vertices / parts,
                                   .entries = entries,
                                   .labels = size.labels / parts,
                                   .long_rows = most_long_rows,
                                   .pieces = 2 * most_long_rows,
                                   .weighted = weighted,
                                   .own_ends = ranks > 1};
  const std::uint64_t ghosts = ranks == 1 ? 0 : std::min(size.connected_vertices, entries);
  const gpu::PartSize part{.connected_labels = graph.vertices,
                           .ghosts = ghosts,
                           .incoming = ghosts,
                           .hub_bits = 0,
                           .ranks = parts,
                           .transport = benchmark.bfs.device_transport};
  gpu::RunPlan plan{.edges = gpu::edge_bytes(std::min(size.tuples, device_tuples(benchmark, ranks)), weighted),
                    .block = gpu::edge_bytes(std::min(size.tuples, benchmark.device_block), weighted),
                    .construction = gpu::construction_bytes(size.labels, 2 * size.tuples),
                    .validation = gpu::tree_check_bytes(size.labels)};
  if (ranks == 1) {
    plan.searches = weighted ? gpu::plan_paths_memory(graph) : gpu::plan_memory(graph);
  } else {
    plan.searches = weighted ? gpu::plan_part_paths_memory(graph, part) : gpu::plan_part_memory(graph, part);
  }
  return plan;
}

}  // namespace breadth::cli
