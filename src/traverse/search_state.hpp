// What a search keeps for each vertex of its rank, and its frontier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
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
template <class Neighbour>
struct alignas(64) Tally {
  /// A vertex whose parent's label this rank does not know (graph/label_lookup.hpp).
  struct Unnamed {
    std::uint32_t vertex;
    Neighbour parent;
  };
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;
  std::vector<std::uint32_t> queue;  ///< the claimed vertices, in a push level
  std::vector<Unnamed> unnamed;
};

/// Visited vertices with the labels of their parents (one more than there are, which is never visited), and the
/// frontier: a queue of own vertices for push, a bitmap over the positions of all ranks for pull.
template <class Neighbour>
class SearchState {
 public:
  SearchState(const Partition& partition, const Context& context)
      : context_(context),
        visited_(partition.local_count() + 1),
        next_(partition.local_count()),
        parents_(partition.local_count() + 1),
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
  [[nodiscard]] Tally<Neighbour>& tally(int thread) noexcept { return tallies_[static_cast<std::size_t>(thread)]; }

  /// Forgets everything of the search before.
  void clear() {
    std::fill(visited_.words().begin(), visited_.words().end(), 0);
    queue_.clear();
    for (Tally<Neighbour>& tally : tallies_) tally.unnamed.clear();
  }

  /// Gives a vertex its parent and queues it unless it has one, whatever threads ask for it.
  void push_to(std::uint32_t vertex, Neighbour parent_label, Tally<Neighbour>& tally) {
    if (!visited_.insert_atomic(vertex)) return;
    parents_[vertex] = parent_label;
    ++tally.claimed;
    tally.queue.push_back(vertex);
  }

  /// Sums what the threads did since the last call; their queues become the queue.
  Tally<Neighbour> end_level() {
    Tally<Neighbour> sum;
    queue_.clear();
    for (Tally<Neighbour>& tally : tallies_) {
      sum.edges_examined += std::exchange(tally.edges_examined, 0);
      sum.claimed += std::exchange(tally.claimed, 0);
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

  /// About how many edges the queue's vertices have: exact for a short queue, from every sixteenth vertex of a long
  /// one. It decides a direction, and to look at each would cost as much as a pull.
  [[nodiscard]] std::uint64_t queue_edges(const Adjacency<Neighbour>& rows) const {
    constexpr std::size_t short_queue = 4096;
    const std::size_t stride = queue_.size() <= short_queue ? 1 : 16;
    return stride * sum_blocks(queue_.size() / stride, vertices_per_block,
                               [&](std::size_t i) { return rows.degree(LocalVertex{queue_[i * stride]}); });
  }
  /// The edges of the vertices that are not visited.
  [[nodiscard]] std::uint64_t unvisited_edges(const Adjacency<Neighbour>& rows) const {
    return sum_blocks(next_.words().size(), words_per_block, [&](std::size_t word) {
      std::uint64_t sum = 0;
      for_each_set_bit(unvisited(word), word * bits_per_word, [&](std::size_t vertex) {
        sum += rows.degree(LocalVertex{static_cast<std::uint32_t>(vertex)});
      });
      return sum;
    });
  }
  /// The vertices of one word that exist and are not visited.
  [[nodiscard]] std::uint64_t unvisited(std::size_t word) const {
    const std::size_t count = next_.size() - word * bits_per_word;
    const std::uint64_t present = count >= bits_per_word ? ~std::uint64_t{0} : bit_in_word(count) - 1;
    return ~visited_.words()[word] & present;
  }

 private:
  static constexpr std::size_t words_per_block = 1024;
  static constexpr std::size_t vertices_per_block = 4096;

  template <class Term>
  [[nodiscard]] std::uint64_t sum_blocks(std::size_t count, std::size_t grain, Term&& term) const {
    return parallel_reduce(
        context_.threads, count, grain, std::uint64_t{0},
        [&](IndexRange range) {
          std::uint64_t sum = 0;
          for (std::size_t i = range.begin; i < range.end; ++i) sum += term(i);
          return sum;
        },
        std::plus<>());
  }

  const Context& context_;
  Bitmap visited_;
  Bitmap next_;
  Buffer<Neighbour> parents_;
  Buffer<std::uint64_t> frontier_bits_;
  std::vector<std::uint32_t> queue_;
  std::vector<Tally<Neighbour>> tallies_;
  std::vector<std::size_t> word_counts_;  ///< words of `next` on each rank
  std::vector<std::size_t> word_places_;  ///< where they lie in frontier_bits_
};

}  // namespace breadth
