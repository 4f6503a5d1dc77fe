#include "cli/commands/expected_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "gpu/phases/views.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/kernels.hpp"
#include "graph500/run_prediction.hpp"
#include "model/graph_size.hpp"

namespace breadth::cli {

// Refusal of runs that cannot fit.

void require_memory(const MemoryPrediction& prediction, const Communicator& ranks,
                    const std::function<std::string(std::uint64_t available)>& more) {
  const auto ranks_here = static_cast<std::uint64_t>(ranks.node().size());
  const std::uint64_t needed = prediction.peak_bytes / static_cast<std::uint64_t>(ranks.size()) * ranks_here;
  // The free memory that one rank sees counts for all ranks of its machine, because they start at the same time.
  const std::uint64_t available = available_memory_bytes();
  std::optional<std::string> failure;
  if (needed > available) {
    failure = fmt::format(
        "too little memory: {} needed on this machine for its {} of {} ranks, {} available; all ranks together need {} "
        "for the edge list, {} for the graph and {} for the rest{}",
        bytes_text(needed), ranks_here, ranks.size(), bytes_text(available), bytes_text(prediction.edge_list_bytes),
        bytes_text(prediction.graph_bytes),
        bytes_text(prediction.peak_bytes - prediction.edge_list_bytes - prediction.graph_bytes), more(available));
  }
  if (failure && ranks.size() == 1) throw OutOfMemory(*failure);
  agree_on_failure(ranks, failure, FailureKind::out_of_memory);
}

// The memory of a GPU.

namespace {
/// The memory of the kernel that needs most, for a rank with this part of the graph.
gpu::MemoryPlan max_memory(const Kernels& kernels, gpu::DeviceGraphSize size, const gpu::PartSize& part) {
  gpu::MemoryPlan most;
  for (const KernelKind kind : kernels.kinds()) {
    const KernelType& type = kernel_type(kind);
    size.weighted = about(kind).weighted;
    const gpu::MemoryPlan one = part.ranks == 1 ? type.device_memory(size) : type.part_memory(size, part);
    if (one.bytes() > most.bytes()) most = one;
  }
  return most;
}
}  // namespace

gpu::MemoryPlan expected_device_memory(const BenchmarkOptions& benchmark, int ranks) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const GraphSize graph = expected_kronecker_size(benchmark.scale, benchmark.edgefactor, false);
  const ExpectedHubs hubs = expected_hubs(benchmark.layout.hubs, benchmark.scale, benchmark.edgefactor, ranks);
  const std::uint64_t hub_bits = words_for_bits(hubs.count) * bits_per_word;
  const double between_lights =
      hubs.count == 0 ? 2.0 * static_cast<double>(graph.edges) : static_cast<double>(hubs.light_to_light);
  const double edges_between = between_lights * (ranks - 1) / ranks;
  const double ghosts =
      std::min(expected_group_pairs(benchmark.scale, benchmark.edgefactor, ranks), edges_between) / ranks;
  const ExpectedHubs longer = expected_hubs(benchmark.scale, benchmark.edgefactor, gpu::piece_edges * parts);
  const std::uint64_t long_rows = ranks == 1 ? longer.count : std::min(longer.count, hubs.count);  // of hubs alone
  const std::uint64_t entries_in_pieces = long_rows == 0 ? 0 : (longer.light_to_hub + longer.hub_to_hub) / parts;
  // The last piece of a row is half full.
  const gpu::DeviceGraphSize size{.vertices = hub_bits + (graph.connected_vertices - hubs.count) / parts,
                                  .entries = 2 * graph.edges / parts,
                                  .labels = graph.labels / parts,
                                  .long_rows = long_rows,
                                  .pieces = entries_in_pieces / gpu::piece_edges + long_rows / 2,
                                  .own_ends = ranks > 1};
  const gpu::PartSize part{.connected_labels = graph.connected_vertices / parts,
                           .ghosts = static_cast<std::uint64_t>(ghosts),
                           .incoming = static_cast<std::uint64_t>(ghosts),
                           .hub_bits = hub_bits,
                           .ranks = parts,
                           .transport = benchmark.bfs.device.transport};
  return max_memory(benchmark.kernels, size, part);
}

gpu::RunPlan expected_run_memory(const BenchmarkOptions& benchmark, int ranks) {
  const bool stays = stays_on_device(benchmark, ranks);
  const GraphSize graph = expected_kronecker_size(benchmark.scale, benchmark.edgefactor, false);
  return {.edges = gpu::edge_bytes(std::min(graph.tuples, device_tuples(benchmark, ranks)), !stays),
          .block = gpu::edge_bytes(std::min(graph.tuples, gpu::default_block_tuples), !stays),
          .construction = stays ? gpu::construction_bytes(graph.labels, 2 * graph.tuples) : 0,
          .searches = expected_device_memory(benchmark, ranks),
          .validation = stays ? gpu::tree_check_bytes(graph.labels) : gpu::result_check_bytes(graph.labels, true)};
}

gpu::RunPlan max_run_memory(const GraphSize& size, const BenchmarkOptions& benchmark, int ranks) {
  const auto parts = static_cast<std::uint64_t>(ranks);
  const std::uint64_t entries = 2 * size.edges / parts;
  const std::uint64_t max_long_rows = entries / gpu::piece_edges;
  const bool weighted = have_weights(benchmark.kernels);
  const gpu::DeviceGraphSize graph{.vertices = size.connected_vertices / parts,
                                   .entries = entries,
                                   .labels = size.labels / parts,
                                   .long_rows = max_long_rows,
                                   .pieces = 2 * max_long_rows,
                                   .own_ends = ranks > 1};
  const std::uint64_t ghosts = ranks == 1 ? 0 : std::min(size.connected_vertices, entries);
  const gpu::PartSize part{.connected_labels = graph.vertices,
                           .ghosts = ghosts,
                           .incoming = ghosts,
                           .hub_bits = 0,
                           .ranks = parts,
                           .transport = benchmark.bfs.device.transport};
  gpu::RunPlan plan{.edges = gpu::edge_bytes(std::min(size.tuples, device_tuples(benchmark, ranks)), weighted),
                    .block = gpu::edge_bytes(std::min(size.tuples, benchmark.device_block), weighted),
                    .construction = gpu::construction_bytes(size.labels, 2 * size.tuples),
                    .validation = gpu::tree_check_bytes(size.labels)};
  plan.searches = max_memory(benchmark.kernels, graph, part);
  return plan;
}

// The memory of hosts.

GraphSize generated_size(const BenchmarkOptions& options, const RunPlace& place) {
  GraphSize size = expected_kronecker_size(options.scale, options.edgefactor, have_weights(options.kernels));
  size.layout = options.layout;
  size.hubs = expected_hubs(options.layout.hubs, options.scale, options.edgefactor, place.ranks).count;
  size.frontier = frontier_plan(options.bfs, place.ranks, place.nodes);
  size.distances = distance_plan(options.sssp, place.nodes);
  return size;
}

namespace {
/// The bytes that the machine with most ranks needs.
std::uint64_t machine_bytes(const BenchmarkOptions& options, const RunPlace& place) {
  const auto ranks = static_cast<std::uint64_t>(place.ranks);
  const std::uint64_t ranks_here = (ranks + place.nodes - 1) / place.nodes;
  return predict_generated(options, place).peak_bytes / ranks * ranks_here;
}

/// The part of the advice about the file of the edge list: its disk space, or that its folder is in memory.
std::string file_text(const BenchmarkOptions& options, const RunPlace& place) {
  const std::string folder = edge_folder(options);
  if (is_in_memory(folder))
    return fmt::format(", because {} is in memory: choose a folder on disk with --edge-folder", folder);
  const std::uint64_t bytes = edge_list_bytes(generated_size(options, place));
  return fmt::format(", and {} of disk in {}", bytes_text(bytes / place.nodes), folder);
}

/// "on 2 machines like this one with 1 rank each (9.3 GiB a machine)"; empty if no number of machines is enough.
std::string more_machines(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available) {
  if (options.layout.grid) return "";  // a grid has a fixed number of ranks
  constexpr std::uint64_t max_machines = std::uint64_t{1} << 16;
  const auto ranks_here = static_cast<std::uint64_t>(place.ranks) / place.nodes;
  for (std::uint64_t nodes = 2 * place.nodes; nodes <= max_machines; nodes *= 2) {
    const RunPlace larger{static_cast<int>(ranks_here * nodes), nodes, place.threads};
    const std::uint64_t bytes = machine_bytes(options, larger);
    if (bytes > available) continue;
    return fmt::format("on {} machines like this one with {} rank{} each ({} a machine)", nodes, ranks_here,
                       ranks_here == 1 ? "" : "s", bytes_text(bytes));
  }
  return "";
}
}  // namespace

MemoryPrediction predict_generated(const BenchmarkOptions& options, const RunPlace& place) {
  const bool in_memory =
      host_keeps_edges(options, place.ranks) || (makes_edge_file(options) && is_in_memory(edge_folder(options)));
  return predict_run(generated_size(options, place), options, place.ranks, place.threads, in_memory);
}

std::string what_fits(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available) {
  std::vector<std::string> fits;
  std::vector<std::string> too_large;
  const auto consider = [&](const char* words, const BenchmarkOptions& changed) {
    const std::uint64_t bytes = machine_bytes(changed, place);
    const std::string disk = makes_edge_file(changed) ? file_text(changed, place) : "";
    (bytes <= available ? fits : too_large).push_back(fmt::format("with {} ({}{})", words, bytes_text(bytes), disk));
  };
  BenchmarkOptions in_file = options;
  in_file.edge_list = EdgeListPlace::file;
  BenchmarkOptions compressed = options;
  compressed.layout.adjacency = AdjacencyForm::compressed;
  BenchmarkOptions both = in_file;
  both.layout = compressed.layout;
  const bool may_move = host_keeps_edges(options, place.ranks);
  const bool may_compress = options.kernels.has(KernelKind::bfs) && options.layout.adjacency == AdjacencyForm::rows &&
                            options.layout.neighbours == NeighbourOrder::vertices && !options.layout.grid &&
                            options.bfs.device.kind == Device::cpu &&
                            options.bfs.subgraphs.policy == SubgraphPolicy::together;
  if (may_move) consider("--edge-list file", in_file);
  if (may_compress) consider("--adjacency compressed", compressed);
  if (may_move && may_compress) consider("--edge-list file and --adjacency compressed", both);
  if (const std::string machines = more_machines(options, place, available); !machines.empty()) {
    fits.push_back(machines);
  }
  std::string text = fits.empty() ? "" : fmt::format("; it would fit {}", joined(fits, ", or "));
  if (!too_large.empty()) text += fmt::format("; it would not fit {}", joined(too_large, ", or "));
  return text;
}

}  // namespace breadth::cli
