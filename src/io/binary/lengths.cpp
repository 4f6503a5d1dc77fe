#include "io/binary/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"
#include "io/binary/packed_file.hpp"

namespace breadth {

namespace {
std::string what_is_missing(const GraphFile& graph) {
  switch (graph.kind.format) {
    case GraphFormat::text: return "each line needs a third column";
    case GraphFormat::matrix_market: return "its header says pattern, not integer or real";
    case GraphFormat::packed: return fmt::format("they belong into '{}'", weights_path(graph.path));
    case GraphFormat::breadth: break;
  }
  return "it was made from a graph without weights";
}

bool is_length(float weight) { return weight >= 0 && std::isfinite(weight); }

/// The index of this rank's first edge whose weight is no length, or the number of its edges.
std::uint64_t first_without_length(const EdgeList& edges, ThreadTeam& threads) {
  std::atomic<std::uint64_t> first{edges.size()};
  parallel_blocks(threads, edges.size(), edge_block_size, [&](IndexRange range, int) {
    if (range.begin >= first.load(std::memory_order_relaxed)) return;
    std::vector<Edge> block(range.size(), Edge{no_label, no_label});
    std::vector<float> weights(range.size());
    edges.read(range.begin, block, weights);
    const auto bad = std::find_if_not(weights.begin(), weights.end(), is_length);
    if (bad == weights.end()) return;
    const std::uint64_t found = range.begin + static_cast<std::uint64_t>(bad - weights.begin());
    std::uint64_t before = first.load();
    while (found < before && !first.compare_exchange_weak(before, found)) {
    }
  });
  edges.check_unchanged();
  return first;
}

/// An edge whose weight is no length, with its place in the whole file.
struct NoLength {
  std::uint64_t index = std::numeric_limits<std::uint64_t>::max();  ///< that, where there is none
  std::int64_t source = 0;
  std::int64_t target = 0;
  float weight = 0;
};

/// The first on this rank, whose edges begin at `before` in the file.
NoLength first_on_rank(const EdgeList& edges, std::uint64_t before, ThreadTeam& threads) {
  const std::uint64_t at = first_without_length(edges, threads);
  if (at == edges.size()) return {};
  Edge edge{no_label, no_label};
  float weight = 0;
  edges.read(at, {&edge, 1}, {&weight, 1});
  return {before + at, edge.source.value, edge.target.value, weight};
}

/// "from 3 to 7", as the file names them. Collective.
std::string ends_text(const VertexNames& names, const NoLength& edge, const Communicator& ranks) {
  if (names.kind() == NameKind::range) {
    return fmt::format("from {} to {}", edge.source + names.first(), edge.target + names.first());
  }
  const std::array ends{Label{edge.source}, Label{edge.target}};
  const NameList found = names.names_of(ends, ranks);
  return fmt::format("from {} to {}", displayed(names.kind(), found[0]), displayed(names.kind(), found[1]));
}
}  // namespace

void require_lengths(const GraphFile& graph, const Context& context) {
  if (!graph.weighted) {
    throw AgreedError(
        fmt::format("'{}' has no weights, which shortest paths need: {}", graph.path, what_is_missing(graph)));
  }
  if (is_text(graph.kind.format)) return;  // each line was looked at when it was read
  const std::vector<std::uint64_t> sizes = context.ranks.all_gather(graph.edges->size());
  const std::uint64_t before = std::accumulate(sizes.begin(), sizes.begin() + context.ranks.rank(), std::uint64_t{0});
  const NoLength mine =
      run_together(context.ranks, [&] { return first_on_rank(*graph.edges, before, context.threads); });
  const std::vector<NoLength> all = context.ranks.all_gather(mine);
  const NoLength& first =
      *std::min_element(all.begin(), all.end(), [](const NoLength& a, const NoLength& b) { return a.index < b.index; });
  if (first.index == NoLength{}.index) return;
  throw AgreedError(fmt::format("'{}': edge {}, {}, has weight {}; shortest paths need finite weights of at least 0",
                                graph.path, first.index + 1, ends_text(graph.names, first, context.ranks),
                                first.weight));
}

}  // namespace breadth
