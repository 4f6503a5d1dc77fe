#include "core/data/edge_list.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

void EdgeList::report_change() const { fail("the edge list changed while it was read"); }

void parallel_edge_blocks(ThreadTeam& threads, const EdgeList& list, std::uint64_t first, std::uint64_t last,
                          bool with_weights, EdgeBlockBody body) {
  struct Block {
    std::vector<Edge> edges = std::vector<Edge>(edge_block_size, Edge{no_label, no_label});
    std::vector<float> weights;
  };
  std::vector<Block> blocks(static_cast<std::size_t>(threads.size()));
  if (with_weights) {
    for (Block& block : blocks) block.weights.resize(edge_block_size);
  }
  parallel_blocks(threads, last - first, edge_block_size, [&](IndexRange range, int thread) {
    Block& block = blocks[static_cast<std::size_t>(thread)];
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
    std::vector<Edge> edges(std::min(edge_block_size, share.size()), Edge{no_label, no_label});
    std::vector<float> weights(with_weights ? edges.size() : 0);
    for (std::size_t first = share.begin; first < share.end; first += edge_block_size) {
      if (failed.load(std::memory_order_relaxed)) return;
      if (thread == 0) threads.checkpoint();
      const std::size_t count = std::min(edge_block_size, share.end - first);
      const std::span some_edges = std::span(edges).first(count);
      const std::span some_weights = std::span(weights).first(with_weights ? count : 0);
      list.read(first, some_edges, some_weights);
      body(some_edges, some_weights, thread);
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
