#include "core/data/edge_list.hpp"

#include <array>
#include <atomic>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

void EdgeList::report_change() const { fail("the edge list changed while it was read"); }

namespace {
/// Packs tuples one by one. Throws Error for labels that their 48 bits do not hold: they would become others.
void pack_all(std::span<const Edge> edges, PackedEdge* packed) {
  std::uint64_t bits = 0;
  for (const Edge& edge : edges) {
    bits |= edge.source.index() | edge.target.index();
    *packed++ = PackedEdge::pack(edge);
  }
  if (bits < static_cast<std::uint64_t>(label_bound)) return;
  const auto fits = [](Label label) { return label.value >= 0 && label.value < label_bound; };
  for (const auto& [source, target] : edges) {
    if (fits(source) && fits(target)) continue;
    fail("the edge list has label {}: labels are from 0 to 2^48 - 1", (fits(source) ? target : source).value);
  }
}
}  // namespace

MemoryEdgeList::MemoryEdgeList(std::span<const Edge> edges, std::span<const float> weights)
    : edges_(edges.size()), weights_(weights.size()) {
  if (!weights.empty() && weights.size() != edges.size()) {
    fail("the edge list has {} weights for its {} edges", weights.size(), edges.size());
  }
  pack_all(edges, edges_.data());
  std::ranges::copy(weights, weights_.begin());
}

MemoryEdgeList copy_to_memory(const EdgeList& list, bool weighted, ThreadTeam& threads) {
  Buffer<PackedEdge> edges(list.size());
  Buffer<float> weights(weighted ? list.size() : 0);
  parallel_blocks(threads, list.size(), edge_block_size, [&](IndexRange range, int) {
    std::array<Edge, edge_block_size> block;
    const std::span part = std::span(block).first(range.size());
    list.read(range.begin, part, weighted ? weights.span().subspan(range.begin, range.size()) : std::span<float>());
    pack_all(part, edges.data() + range.begin);
  });
  list.check_unchanged();
  return MemoryEdgeList(std::move(edges), std::move(weights));
}

void parallel_edge_blocks(ThreadTeam& threads, const EdgeList& list, std::uint64_t first, std::uint64_t last,
                          bool with_weights, EdgeBlockBody body) {
  std::vector<EdgeBlock> blocks(static_cast<std::size_t>(threads.size()), EdgeBlock(edge_block_size, with_weights));
  parallel_blocks(threads, last - first, edge_block_size, [&](IndexRange range, int thread) {
    EdgeBlock& block = blocks[static_cast<std::size_t>(thread)];
    const std::span edges = std::span(block.edges).first(range.size());
    const std::span weights = std::span(block.weights).first(with_weights ? range.size() : 0);
    list.read(first + range.begin, edges, weights);
    body(edges, weights, thread);
  });
  list.check_unchanged();
}

void edge_blocks_by_thread(ThreadTeam& threads, const EdgeList& list, bool with_weights, EdgeBlockBody body) {
  std::atomic<bool> failed{false};
  const auto read_share = [&](int thread) {
    const IndexRange share =
        even_share(list.size(), static_cast<std::size_t>(thread), static_cast<std::size_t>(threads.size()));
    EdgeBlock block(std::min(edge_block_size, share.size()), with_weights);
    for (std::size_t first = share.begin; first < share.end; first += edge_block_size) {
      if (failed.load(std::memory_order_relaxed)) return;
      if (thread == 0) threads.checkpoint();
      const std::size_t count = std::min(edge_block_size, share.end - first);
      const std::span edges = std::span(block.edges).first(count);
      const std::span weights = std::span(block.weights).first(with_weights ? count : 0);
      list.read(first, edges, weights);
      body(edges, weights, thread);
    }
  };
  threads.run([&](int thread) {
    try {
      read_share(thread);
    } catch (...) {
      failed = true;
      throw;
    }
  });
  list.check_unchanged();
}

}  // namespace breadth
