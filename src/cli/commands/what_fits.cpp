#include "cli/commands/what_fits.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/edge_file.hpp"
#include "graph500/run_prediction.hpp"
#include "model/kronecker_size.hpp"

namespace breadth::cli {

namespace {
GraphSize generated_size(const BenchmarkOptions& options, const RunPlace& place) {
  GraphSize size = expected_kronecker_size(options.scale, options.edgefactor, includes_sssp(options.kernels));
  size.layout = options.layout;
  size.hubs = expected_hubs(options.layout.hubs, options.scale, options.edgefactor, place.ranks).count;
  size.frontier = frontier_plan(options.bfs, place.ranks, place.nodes);
  size.distances = distance_plan(options.sssp, place.nodes);
  return size;
}

/// The most bytes that a machine needs.
std::uint64_t machine_bytes(const BenchmarkOptions& options, const RunPlace& place) {
  const auto ranks = static_cast<std::uint64_t>(place.ranks);
  const std::uint64_t ranks_here = (ranks + place.nodes - 1) / place.nodes;
  return predict_generated(options, place).peak_bytes / ranks * ranks_here;
}

std::string folder_of(const BenchmarkOptions& options) {
  return options.edge_folder.empty() ? temporary_folder() : options.edge_folder;
}

/// What a run that makes a file for its edge list takes beside memory.
std::string file_text(const BenchmarkOptions& options, const RunPlace& place) {
  const std::string folder = folder_of(options);
  if (is_in_memory(folder)) return fmt::format(", as {} is in memory: --edge-folder names another folder", folder);
  const std::uint64_t bytes = edge_list_bytes(generated_size(options, place));
  return fmt::format(", and {} of disk in {}", bytes_text(bytes / place.nodes), folder);
}

/// "on 2 machines like this one with 1 rank each (9.3 GiB a machine)"; empty where no number of them is enough.
std::string more_machines(const BenchmarkOptions& options, const RunPlace& place, std::uint64_t available) {
  if (options.layout.grid) return "";  // which is of so many ranks
  constexpr std::uint64_t most_machines = std::uint64_t{1} << 16;
  const auto ranks_here = static_cast<std::uint64_t>(place.ranks) / place.nodes;
  for (std::uint64_t nodes = 2 * place.nodes; nodes <= most_machines; nodes *= 2) {
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
  const GraphSize size = generated_size(options, place);
  const bool in_memory =
      host_keeps_edges(options, place.ranks) || (makes_edge_file(options) && is_in_memory(folder_of(options)));
  return stays_on_device(options, place.ranks)
             ? predict_beside_device(size, place.threads, in_memory)
             : predict_run(size, options.kernels, place.ranks, place.threads, in_memory);
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
  const bool may_compress = includes_bfs(options.kernels) && options.layout.adjacency == AdjacencyForm::rows &&
                            options.layout.neighbours == NeighbourOrder::vertices && !options.layout.grid &&
                            options.bfs.device == Device::cpu &&
                            options.bfs.subgraphs.policy == SubgraphPolicy::together;
  if (may_move) consider("--edge-list file", in_file);
  if (may_compress) consider("--adjacency compressed", compressed);
  if (may_move && may_compress) consider("both", both);
  if (const std::string machines = more_machines(options, place, available); !machines.empty()) {
    fits.push_back(machines);
  }
  std::string text = fits.empty() ? "" : fmt::format("; it would fit {}", joined(fits, ", or "));
  if (!too_large.empty()) text += fmt::format("; it would not fit {}", joined(too_large, ", or "));
  return text;
}

}  // namespace breadth::cli
