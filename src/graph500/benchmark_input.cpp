#include "graph500/benchmark_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "core/parallel/parallel.hpp"
#include "generate/generators.hpp"
#include "graph/graph.hpp"
#include "graph500/kernels.hpp"
#include "graph500/search_keys.hpp"
#include "io/binary/packed_file.hpp"
#include "io/files/input_file.hpp"
#include "io/graph_file.hpp"

namespace breadth {

// An edge list in a file.

namespace {
std::uint64_t bytes_of(const EdgeList& list) {
  return list.size() * (sizeof(PackedEdge) + (list.weighted() ? sizeof(float) : 0));
}

/// Throws AgreedError if the disk has too little room for the data of all ranks of a node. Collective.
void require_disk_space(std::uint64_t own_bytes, const std::string& folder, const Communicator& ranks) {
  const std::uint64_t needed = ranks.node().all_reduce(own_bytes, Reduction::sum);
  run_together(ranks, [&] {
    std::error_code unknown;
    const std::filesystem::space_info disk = std::filesystem::space(folder, unknown);
    if (unknown || needed <= disk.available) return;
    fail(
        "too little room for the edge list in '{}': it takes {}, {} are free on its disk; choose another folder with "
        "--edge-folder",
        folder, bytes_text(needed), bytes_text(disk.available));
  });
}

/// The environment variable TMPDIR, the default folder; nullptr if it is not set.
const char* folder_variable() { return std::getenv("TMPDIR"); }

/// Makes a file without a name in the folder, which no other process can open.
FileDescriptor make_nameless(const std::string& folder) {
  std::string path = folder + "/breadth-edges-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    const std::string reason = std::strerror(errno);
    const bool by_variable = folder_variable() != nullptr && folder == folder_variable();
    fail("cannot make a file for the edge list in '{}'{}: {}; choose another folder with --edge-folder", folder,
         by_variable ? " (from TMPDIR)" : "", reason);
  }
  FileDescriptor file(descriptor, path);
  if (::unlink(path.c_str()) != 0) fail("cannot remove '{}': {}", path, std::strerror(errno));
  return file;
}

/// Writes the tuples in the order of the list, then their weights.
void write(const EdgeList& list, const FileDescriptor& file, ThreadTeam& threads) {
  const std::uint64_t weights_at = list.size() * sizeof(PackedEdge);
  constexpr std::size_t block = std::size_t{1} << 16;
  parallel_blocks(threads, list.size(), block, [&](IndexRange range, int) {
    std::vector<PackedEdge> packed(range.size());
    std::vector<float> weights(list.weighted() ? range.size() : 0);
    pack_edges(list, range.begin, packed, weights);
    file.write_at(range.begin * sizeof(PackedEdge), std::as_bytes(std::span(packed)));
    file.write_at(weights_at + range.begin * sizeof(float), std::as_bytes(std::span(weights)));
  });
}
}  // namespace

std::string edge_folder(const BenchmarkOptions& options) {
  if (!options.edge_folder.empty()) return options.edge_folder;
  const char* folder = folder_variable();
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

bool is_in_memory(const std::string& folder) {
  struct statfs system {};
  if (::statfs(folder.c_str(), &system) != 0) return false;
  return system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC;
}

std::unique_ptr<EdgeList> keep_in_file(const EdgeList& made, const std::string& folder, const Context& context) {
  require_disk_space(bytes_of(made), folder, context.ranks);
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    if (made.size() == 0) return std::make_unique<MemoryEdgeList>();
    const FileDescriptor file = make_nameless(folder);
    write(made, file, context.threads);
    const auto mapped = std::make_shared<const MappedFile>(fmt::format("/proc/self/fd/{}", file.get()));
    auto list = std::make_unique<MappedEdgeList>(mapped, 0, made.size(), Writers::this_process);
    if (made.weighted()) list->add_weights(mapped, made.size() * sizeof(PackedEdge));
    return list;
  });
}

// The edge list of a run.

namespace {
std::unique_ptr<EdgeList> in_memory(const EdgeList& edges, bool weighted, const Context& context) {
  return run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    return std::make_unique<MemoryEdgeList>(copy_to_memory(edges, weighted, context.threads));
  });
}

std::unique_ptr<EdgeList> generate(const BenchmarkOptions& options, const Context& context) {
  const Kronecker kronecker({options.scale, options.edgefactor, options.seed});
  const IndexRange mine = own_share(kronecker.edge_count(), context.ranks);
  const bool weighted = have_weights(options.kernels);
  auto made_anew = std::make_unique<KroneckerEdgeList>(kronecker, mine.begin, mine.end, weighted);
  if (host_keeps_edges(options, context.ranks.size())) return in_memory(*made_anew, weighted, context);
  if (!makes_edge_file(options)) return made_anew;
  return keep_in_file(*made_anew, edge_folder(options), context);
}

/// Whether an edge list equals the Kronecker graph's, including weights if `weighted`. Collective; reads the whole
/// list.
bool is_kronecker(const EdgeList& edges, const Kronecker& kronecker, bool weighted, const Context& context) {
  const std::uint64_t first = context.ranks.sum_before(edges.size());
  std::atomic<bool> same{context.ranks.all_reduce(edges.size(), Reduction::sum) == kronecker.edge_count()};
  if (same) {
    run_together(context.ranks, [&] {
      const KroneckerEdgeList expected(kronecker, first, first + edges.size(), weighted);
      parallel_blocks(context.threads, edges.size(), edge_block_size, [&](IndexRange range, int) {
        if (!same) return;
        const EdgeBlock found(edges, range.begin, range.size(), weighted);
        const EdgeBlock made(expected, range.begin, range.size(), weighted);
        if (found.edges != made.edges || found.weights != made.weights) same = false;
      });
      edges.check_unchanged();
    });
  }
  return context.ranks.all(same);
}

BenchmarkInput read_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context) {
  const bool weighted = have_weights(options.kernels);
  const ReadOptions how{.weights = weighted ? WeightUse::lengths : WeightUse::optional};
  GraphFile file = read_graph(options.input, how, context);
  const std::uint64_t vertices = discover_vertex_count(*file.edges, context);
  admit(largest_size(vertices, file.edge_count, file.weighted, Directedness::undirected, options.layout,
                     options.bfs.summary));
  BenchmarkInput input{.edges = std::move(file.edges), .scale = options.scale};
  if (input.scale == 0) input.scale = min_scale(vertices);
  const std::uint64_t labels = std::uint64_t{1} << input.scale;
  if (vertices > labels) {
    fail<AgreedError>("{} has label {}; scale {} has labels 0 to {}", options.input, vertices - 1, input.scale,
                      labels - 1);
  }
  input.edgefactor = static_cast<double>(file.edge_count) / static_cast<double>(labels);
  const std::uint64_t whole_edgefactor = file.edge_count / labels;
  input.from_generator = false;
  if (whole_edgefactor >= 1 && whole_edgefactor * labels == file.edge_count && input.scale <= Kronecker::max_scale) {
    const Kronecker kronecker({input.scale, whole_edgefactor, options.seed});
    input.from_generator = is_kronecker(*input.edges, kronecker, weighted, context);
  }
  if (host_keeps_edges(options, context.ranks.size()) && !file.kind.is_text()) {
    input.edges = in_memory(*input.edges, weighted, context);
  }
  return input;
}
}  // namespace

BenchmarkInput prepare_input(const BenchmarkOptions& options, const AdmitGraph& admit, const Context& context) {
  if (!options.input.empty()) return read_input(options, admit, context);
  return {.edges = generate(options, context),
          .scale = options.scale,
          .edgefactor = static_cast<double>(options.edgefactor)};
}

}  // namespace breadth
