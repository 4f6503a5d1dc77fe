#include "io/binary/packed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
/// Writes what `convert(first, out)` makes of blocks of the list, as values of a fixed size, in rank order.
template <class Value, class Convert>
void write_values(const SharedOutputFile& file, std::uint64_t at, std::uint64_t size, const Context& context,
                  Convert&& convert) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::vector<std::uint64_t> sizes = context.ranks.all_gather(size);
  const std::uint64_t before = std::accumulate(sizes.begin(), sizes.begin() + context.ranks.rank(), std::uint64_t{0});
  run_together(context.ranks, [&] {
    parallel_blocks(context.threads, size, block, [&](IndexRange range, int) {
      std::vector<Value> values(range.size());
      convert(range.begin, std::span(values));
      file.write_at(at + (before + range.begin) * sizeof(Value), std::as_bytes(std::span(values)));
    });
  });
}
}  // namespace

std::string weights_path(const std::string& path) { return path + ".weights"; }

namespace {
/// 12 bytes a tuple (PackedEdge), nothing else. The edges stay in the file, each rank's a consecutive part. Throws
/// AgreedError for a size that is no multiple of 12, or weights of another number. Collective.
GraphFile read_packed(const std::string& path, const FileKind& kind, const ReadOptions&, const Context& context) {
  const Communicator& ranks = context.ranks;
  GraphFile graph{.path = path, .kind = kind};
  run_together(ranks, [&] {
    auto file = std::make_shared<const MappedFile>(path);
    if (file->size() % sizeof(PackedEdge) != 0) {
      fail("'{}' is truncated or no packed file: its {} bytes are no multiple of {}", path, file->size(),
           sizeof(PackedEdge));
    }
    if (file->size() == 0) fail("'{}' has no edges", path);
    graph.edge_count = file->size() / sizeof(PackedEdge);
    const IndexRange share =
        even_share(graph.edge_count, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
    auto edges = std::make_unique<MappedEdgeList>(std::move(file), share.begin * sizeof(PackedEdge), share.size());
    graph.weighted = std::filesystem::exists(weights_path(path));
    if (graph.weighted) {
      auto weights = std::make_shared<const MappedFile>(weights_path(path));
      if (weights->size() != graph.edge_count * sizeof(float)) {
        fail("'{}' has {} bytes, but the {} edges of '{}' need {}", weights_path(path), weights->size(),
             graph.edge_count, path, graph.edge_count * sizeof(float));
      }
      edges->add_weights(std::move(weights), share.begin * sizeof(float));
    }
    graph.edges = std::move(edges);
  });
  graph.names = VertexNames::range(0, static_cast<std::uint64_t>(label_bound));
  return graph;
}
}  // namespace

void write_packed_edges(const SharedOutputFile& file, std::uint64_t at, const EdgeList& edges, const Context& context) {
  write_values<PackedEdge>(file, at, edges.size(), context, [&](std::uint64_t first, std::span<PackedEdge> packed) {
    std::vector<Edge> block(packed.size(), Edge{no_label, no_label});
    edges.read(first, block, {});
    std::transform(block.begin(), block.end(), packed.begin(), PackedEdge::pack);
  });
  run_together(context.ranks, [&] { edges.check_unchanged(); });
}

void write_packed_weights(const SharedOutputFile& file, std::uint64_t at, const EdgeList& edges,
                          const Context& context) {
  write_values<float>(file, at, edges.size(), context, [&](std::uint64_t first, std::span<float> weights) {
    std::vector<Edge> block(weights.size(), Edge{no_label, no_label});
    edges.read(first, block, weights);
  });
  run_together(context.ranks, [&] { edges.check_unchanged(); });
}

namespace {
void write_packed(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  std::optional<SharedOutputFile> weights;
  if (graph.weighted) {
    weights.emplace(weights_path(file.path()), context.ranks);
    write_packed_weights(*weights, 0, *graph.edges, context);
  }
  write_packed_edges(file, 0, *graph.edges, context);
  file.sync();
  if (weights) {
    weights->commit();
    return;
  }
  run_together(context.ranks, [&] {  // an older file's weights would be taken for this one's
    if (context.ranks.rank() == 0) std::filesystem::remove(weights_path(file.path()));
  });
}
}  // namespace

const GraphFormat& graph_formats::packed() {
  static const GraphFormat format{.name = "packed",
                                  .endings = {".g500"},
                                  .first_number = 0,
                                  .missing_weights = [](const std::string& path) -> std::string {
                                    return fmt::format("they belong into '{}'", weights_path(path));
                                  },
                                  .read = read_packed,
                                  .write = write_packed};
  return format;
}

}  // namespace breadth
