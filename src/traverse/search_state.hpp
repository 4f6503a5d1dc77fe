// What a search keeps for each vertex of its rank, and its frontier.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/label_lookup.hpp"
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

/// Visited vertices with the labels of their parents, and the frontier: for push a queue of own vertices, for pull a
/// bitmap over the positions of all ranks. That bitmap holds all visited vertices, not only those of the last level: a
/// vertex that is not visited has no neighbour among the others.
template <class Neighbour>
class SearchState {
 public:
  /// Pull finds vertices with local ids below `searched` only, on every rank.
  SearchState(const Partition& partition, std::size_t searched, const Context& context)
      : context_(context),
        vertices_(partition.local_count()),
        visited_(partition.local_count()),
        parents_(partition.local_count()),
        frontier_bits_(partition.code().bound() / bits_per_word),
        tallies_(static_cast<std::size_t>(context.threads.size()) + 1) {
    for (const std::size_t count : context.ranks.all_gather(partition.local_count())) {
      word_places_.push_back(word_counts_.size() * partition.code().stride() / bits_per_word);
      word_counts_.push_back(words_for_bits(std::min(count, searched)));
    }
    const auto rank = static_cast<std::size_t>(context.ranks.rank());
    shared_words_ = word_counts_[rank];
    own_frontier_ = frontier_bits_.data() + word_places_[rank];
    // Pages are taken now, and not in the first search.
    parallel_fill(context.threads, visited_.words(), std::uint64_t{0});
    parallel_fill(context.threads, parents_.span(), Neighbour{0});
    parallel_fill(context.threads, frontier_bits_.span(), std::uint64_t{0});
  }

  [[nodiscard]] Bitmap& visited() noexcept { return visited_; }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }
  [[nodiscard]] std::vector<std::uint32_t>& queue() noexcept { return queue_; }
  [[nodiscard]] std::span<const std::uint64_t> frontier_bits() const noexcept { return frontier_bits_.span(); }
  [[nodiscard]] Tally<Neighbour>& tally(int thread) noexcept { return tallies_[static_cast<std::size_t>(thread)]; }
  /// For what other ranks asked for, whatever thread sees to it.
  [[nodiscard]] Tally<Neighbour>& tally_of_answers() noexcept { return tallies_.back(); }

  /// Forgets everything of the search before.
  void clear() {
    std::fill(visited_.words().begin(), visited_.words().end(), 0);
    queue_.clear();
    for (Tally<Neighbour>& tally : tallies_) tally.unnamed.clear();
  }

  /// Queues a vertex unless it is visited, whatever threads ask for it. Returns whether it now needs a parent.
  bool claim(std::uint32_t vertex, Tally<Neighbour>& tally) {
    if (!visited_.insert_atomic(vertex)) return false;
    __builtin_prefetch(&parents_[vertex], 1);
    ++tally.claimed;
    tally.queue.push_back(vertex);
    return true;
  }

  /// The same while no other thread claims.
  bool claim_alone(std::uint32_t vertex, Tally<Neighbour>& tally) {
    if (visited_.contains(vertex)) return false;
    visited_.insert(vertex);
    ++tally.claimed;
    tally.queue.push_back(vertex);
    return true;
  }

  /// Gives a vertex the parent at a position. Its label follows at the end of the search where this rank does not know
  /// it.
  void set_parent(std::uint32_t vertex, Neighbour position, const LabelLookup& labels, Tally<Neighbour>& tally) {
    if (labels.knows(position)) {
      parents_[vertex] = static_cast<Neighbour>(labels.label(position).value);
    } else {
      tally.unnamed.push_back({vertex, position});
    }
  }

  /// Sums what the threads did since the last call; their queues become the queue.
  Tally<Neighbour> end_level() {
    Tally<Neighbour> sum;
    queue_.clear();
    for (Tally<Neighbour>& tally : tallies_) {
      sum.edges_examined += std::exchange(tally.edges_examined, 0);
      sum.claimed += std::exchange(tally.claimed, 0);
      if (queue_.empty()) {
        queue_.swap(tally.queue);
      } else {
        queue_.insert(queue_.end(), tally.queue.begin(), tally.queue.end());
      }
      tally.queue.clear();
    }
    return sum;
  }

  /// Puts the vertices that the last pull level found into the queue.
  void found_to_queue() {
    parallel_blocks(context_.threads, shared_words_, words_per_block, [&](IndexRange range, int thread) {
      auto& queue = tally(thread).queue;
      for (std::size_t word = range.begin; word < range.end; ++word) {
        for_each_set_bit(visited_.words()[word] & ~own_frontier_[word], word * bits_per_word,
                         [&](std::size_t vertex) { queue.push_back(static_cast<std::uint32_t>(vertex)); });
      }
    });
    end_level();
  }
  /// Brings every rank's visited vertices into every rank's frontier bits (Cui et al. 2012, section II). Collective.
  /// Returns the bytes that this rank sent.
  std::uint64_t share_visited() {
    const std::span<const std::uint64_t> mine = std::as_const(visited_).words().first(shared_words_);
    context_.ranks.all_gather(mine, frontier_bits_.span(), word_counts_, word_places_);
    return mine.size_bytes() * static_cast<std::size_t>(context_.ranks.size() - 1);
  }

  /// About how many edges the queue's vertices have: an upper bound where that is at most `few`, exact for a short
  /// queue, from every sixteenth vertex of a long one. It decides a direction; to look at each vertex would cost a
  /// small level a quarter of its time, and a large one as much as a pull.
  template <class Rows>
  [[nodiscard]] std::uint64_t queue_edges(const Rows& rows, std::uint64_t few) const {
    constexpr std::size_t short_queue = 4096;
    if (queue_.empty()) return 0;
    if (queue_.size() <= short_queue) {
      const std::uint64_t bound = queue_.size() * most_edges(rows, *std::min_element(queue_.begin(), queue_.end()));
      if (bound <= few) return bound;
    }
    const std::size_t stride = queue_.size() <= short_queue ? 1 : 16;
    return stride * sum_blocks(queue_.size() / stride, vertices_per_block,
                               [&](std::size_t i) { return rows.degree(LocalVertex{queue_[i * stride]}); });
  }
  /// About how many edges the vertices have that are not visited: those of a word have about as many each.
  template <class Rows>
  [[nodiscard]] std::uint64_t unvisited_edges(const Rows& rows) const {
    return sum_blocks(words_for_bits(vertices_), words_per_block, [&](std::size_t word) {
      const std::size_t first = word * bits_per_word;
      const std::size_t count = std::min(vertices_ - first, bits_per_word);
      const std::uint64_t edges = rows.entries({first, first + count});
      return edges * static_cast<std::uint64_t>(std::popcount(unvisited(word))) / count;
    });
  }
  /// The vertices of one word that exist and are not visited.
  [[nodiscard]] std::uint64_t unvisited(std::size_t word) const {
    return ~visited_.words()[word] & bits_below(vertices_, word);
  }

 private:
  static constexpr std::size_t words_per_block = 1024;
  static constexpr std::size_t vertices_per_block = 4096;

  /// At least as many edges as any vertex has from this one on: bins of degrees (graph/degree_order.hpp) end within a
  /// fifth of where they start.
  template <class Rows>
  static std::uint64_t most_edges(const Rows& rows, std::uint32_t vertex) {
    const std::uint64_t degree = rows.degree(LocalVertex{vertex});
    return degree + degree / 4;
  }

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
  std::size_t vertices_;
  Bitmap visited_;
  Buffer<Neighbour> parents_;
  Buffer<std::uint64_t> frontier_bits_;
  std::vector<std::uint32_t> queue_;
  std::vector<Tally<Neighbour>> tallies_;
  std::vector<std::size_t> word_counts_;  ///< words of each rank's visited vertices that pull needs
  std::vector<std::size_t> word_places_;  ///< where they lie in frontier_bits_
  std::size_t shared_words_;              ///< this rank's word count
  const std::uint64_t* own_frontier_;     ///< this rank's place
};

}  // namespace breadth
