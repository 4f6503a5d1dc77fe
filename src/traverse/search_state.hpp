// What a search keeps for each vertex of its rank, and its frontier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// What one thread did in one level.
struct alignas(64) Tally {
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;
  std::uint64_t claimed_edges = 0;   ///< of the claimed vertices
  std::vector<std::uint32_t> queue;  ///< the claimed vertices, in a push level
};

/// Visited vertices with the positions of their parents, and the frontier: a queue of own vertices for push, a bitmap
/// over the positions of all ranks for pull.
template <class Neighbour>
class SearchState {
 public:
  SearchState(const Partition& partition, const Context& context)
      : partition_(partition),
        context_(context),
        visited_(partition.local_count()),
        next_(partition.local_count()),
        parents_(partition.local_count()),
        frontier_bits_(partition.code().bound() / bits_per_word),
        tallies_(static_cast<std::size_t>(context.threads.size())) {
    for (const std::size_t count : context.ranks.all_gather(partition.local_count())) {
      word_places_.push_back(word_counts_.size() * partition.code().stride() / bits_per_word);
      word_counts_.push_back(words_for_bits(count));
    }
  }

  [[nodiscard]] Bitmap& visited() noexcept { return visited_; }
  [[nodiscard]] Bitmap& next() noexcept { return next_; }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }
  [[nodiscard]] std::vector<std::uint32_t>& queue() noexcept { return queue_; }
  [[nodiscard]] std::span<const std::uint64_t> frontier_bits() const noexcept { return frontier_bits_.span(); }
  [[nodiscard]] Tally& tally(int thread) noexcept { return tallies_[static_cast<std::size_t>(thread)]; }

  /// Forgets everything of the search before.
  void clear() {
    std::fill(visited_.words().begin(), visited_.words().end(), 0);
    queue_.clear();
  }

  /// Gives a vertex its parent unless it has one, whatever thread asks; returns whether it was given.
  bool claim(std::uint32_t vertex, std::uint64_t parent) noexcept {
    if (!visited_.insert_atomic(vertex)) return false;
    parents_[vertex] = static_cast<Neighbour>(parent);
    return true;
  }

  /// The sum of what the threads did since the last call, which their queues are part of: they become the queue.
  Tally end_level() {
    Tally sum;
    queue_.clear();
    for (Tally& tally : tallies_) {
      sum.edges_examined += std::exchange(tally.edges_examined, 0);
      sum.claimed += std::exchange(tally.claimed, 0);
      sum.claimed_edges += std::exchange(tally.claimed_edges, 0);
      queue_.insert(queue_.end(), tally.queue.begin(), tally.queue.end());
      tally.queue.clear();
    }
    return sum;
  }

  /// Puts the vertices that the last pull level found into the queue.
  void next_to_queue() {
    parallel_blocks(context_.threads, next_.words().size(), words_per_block, [&](IndexRange range, int thread) {
      auto& queue = tally(thread).queue;
      for (std::size_t word = range.begin; word < range.end; ++word) {
        for_each_set_bit(next_.words()[word], word * bits_per_word,
                         [&](std::size_t vertex) { queue.push_back(static_cast<std::uint32_t>(vertex)); });
      }
    });
    end_level();
  }
  /// Makes `next` hold the queue's vertices, as after a pull level.
  void queue_to_next() {
    std::fill(next_.words().begin(), next_.words().end(), 0);
    for (const std::uint32_t vertex : queue_) next_.insert(vertex);
  }
  /// Brings every rank's `next` into every rank's frontier bits (Cui et al. 2012, section II). Collective. Returns the
  /// bytes that this rank sent.
  std::uint64_t share_next() {
    const std::span<const std::uint64_t> mine = next_.words();
    context_.ranks.all_gather(mine, frontier_bits_.span(), word_counts_, word_places_);
    return mine.size_bytes() * static_cast<std::size_t>(context_.ranks.size() - 1);
  }

 private:
  static constexpr std::size_t words_per_block = 1024;

  const Partition& partition_;
  const Context& context_;
  Bitmap visited_;
  Bitmap next_;
  Buffer<Neighbour> parents_;
  Buffer<std::uint64_t> frontier_bits_;
  std::vector<std::uint32_t> queue_;
  std::vector<Tally> tallies_;
  std::vector<std::size_t> word_counts_;  ///< words of `next` on each rank
  std::vector<std::size_t> word_places_;  ///< where they lie in frontier_bits_
};

}  // namespace breadth
