#include "io/binary/packed_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

void pack_edges(const EdgeList& list, std::uint64_t first, std::span<PackedEdge> packed, std::span<float> weights) {
  std::vector<Edge> edges(packed.size(), Edge{no_label, no_label});
  list.read(first, edges, weights);
  std::ranges::transform(edges, packed.begin(), PackedEdge::pack);
}

std::string weights_path(const std::string& path) { return path + ".weights"; }

namespace {
/// Opens a packed file, which has 12 bytes per tuple (PackedEdge) and nothing else. The edges stay in the file, and
/// each rank has a consecutive part of them. Throws AgreedError if the size is not a multiple of 12, or if the number
/// of weights differs. Collective.
GraphFile read_packed(const std::string& path, const FileKind& kind, const ReadOptions&, const Context& context) {
  const Communicator& ranks = context.ranks;
  GraphFile graph{.path = path, .kind = kind};
  require_same_file(weights_path(path), ranks);
  run_together(ranks, [&] {
    auto file = std::make_shared<const MappedFile>(path);
    if (file->size() % sizeof(PackedEdge) != 0) {
      fail("'{}' is truncated or not a packed file: its size of {} bytes is not a multiple of {}", path, file->size(),
           sizeof(PackedEdge));
    }
    if (file->size() == 0) fail("'{}' has no edges", path);
    graph.edge_count = file->size() / sizeof(PackedEdge);
    const IndexRange share = own_share(graph.edge_count, ranks);
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

/// Writes the values that copy(first, values) produces for each block of tuples, in rank order. Collective.
template <class Value, class Copy>
void write_values(const SharedOutputFile& file, const EdgeList& edges, const Context& context, Copy&& copy) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::uint64_t before = context.ranks.sum_before(edges.size());
  run_together(context.ranks, [&] {
    parallel_blocks(context.threads, edges.size(), block, [&](IndexRange range, int) {
      std::vector<Value> values(range.size());
      copy(range.begin, std::span(values));
      file.write_at((before + range.begin) * sizeof(Value), std::as_bytes(std::span(values)));
    });
    edges.check_unchanged();
  });
}

void write_packed(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  std::shared_ptr<SharedOutputFile> weights;
  if (graph.weighted) {
    weights = std::make_shared<SharedOutputFile>(weights_path(file.path()), context.ranks);
    write_values<float>(*weights, *graph.edges, context, [&](std::uint64_t first, std::span<float> values) {
      std::ranges::copy(EdgeBlock(*graph.edges, first, values.size(), true).weights, values.begin());
    });
  }
  write_values<PackedEdge>(file, *graph.edges, context, [&](std::uint64_t first, std::span<PackedEdge> packed) {
    pack_edges(*graph.edges, first, packed);
  });
  if (weights) {
    weights->sync();
    file.before_commit([weights] { weights->commit(); });
    return;
  }
  file.before_commit([&ranks = context.ranks, path = weights_path(file.path())] {
    run_together(ranks, [&] {  // the weights of an older file would be taken for this one's
      if (ranks.rank() == 0) std::filesystem::remove(path);
    });
  });
}
}  // namespace

const GraphFormat& graph_formats::packed() {
  static const GraphFormat format{.name = "packed",
                                  .endings = {".g500"},
                                  .first_number = 0,
                                  .missing_weights = "put them into '{}.weights'",
                                  .read = read_packed,
                                  .write = write_packed};
  return format;
}

}  // namespace breadth
