// The state of a search on one rank: visited bits, parents and the frontier.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/partition.hpp"
#include "simd/frontier.hpp"
#include "simd/kernels.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/replicated_frontier.hpp"

namespace breadth {

/// The results of one thread in one level.
template <class Neighbour>
struct alignas(64) Tally {
  /// A vertex with the global id of its parent, if this rank does not know the parent's label (graph/partition.hpp).
  struct UnknownParent {
    std::uint32_t vertex;
    Neighbour parent;
  };
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;
  std::vector<std::uint32_t> found;  ///< the vertices that a push level claimed
  std::vector<UnknownParent> unknown_parents;
};

/// The visited vertices, the labels of their parents, and the frontier: for a push a queue of own vertices, for a pull
/// bits of what all ranks have visited.
template <class Neighbour>
class SearchState {
 public:
  /// Pulls find only vertices with local ids below `searched`, on every rank.
  SearchState(const Partition& partition, std::size_t searched, const FrontierOptions& options, const Context& context)
      : context_(context),
        vertices_(partition.local_count()),
        visited_(partition.local_count()),
        parents_(partition.local_count()),
        replicated_(make_replicated_frontier(partition, searched, options, context)),
        tallies_(static_cast<std::size_t>(context.threads.size()) + 1) {
    // Touch the pages now and not in the first search.
    parallel_fill(context.threads, visited_.words(), std::uint64_t{0});
    parallel_fill(context.threads, parents_.span(), Neighbour{0});
  }

  /// Bytes for so many vertices without the replicated frontier: parents, two bitmaps, and two lists of half of the
  /// vertices (found and queue).
  static constexpr std::uint64_t bytes_for(std::uint64_t vertices) {
    return vertices * (sizeof(Neighbour) + sizeof(std::uint32_t)) + 2 * vertices / 8;
  }

  [[nodiscard]] Bitmap& visited() noexcept { return visited_; }
  [[nodiscard]] const Bitmap& visited() const noexcept { return visited_; }
  [[nodiscard]] std::span<Neighbour> parents() noexcept { return parents_.span(); }
  /// The frontier of a push level, which take_queue() filled.
  [[nodiscard]] const std::vector<std::uint32_t>& queue() const noexcept { return queue_; }
  /// What all ranks had visited when they last shared it. Stays at the same address.
  [[nodiscard]] const ReplicatedFrontier& replicated() const noexcept { return *replicated_; }
  [[nodiscard]] Tally<Neighbour>& tally(int thread) noexcept { return tallies_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] std::span<const Tally<Neighbour>> tallies() const noexcept { return tallies_; }
  /// The tally of visits that other ranks asked for, whichever thread carries them out.
  [[nodiscard]] Tally<Neighbour>& tally_of_queries() noexcept { return tallies_.back(); }
  [[nodiscard]] int threads() const noexcept { return context_.threads.size(); }

  /// Touches pages of the lists of found vertices, for half of so many vertices together. Otherwise the first large
  /// push would spend more time on page faults than on work.
  void make_room(std::size_t vertices) {
    const std::size_t found = vertices / 2;
    const auto touch = [](std::vector<std::uint32_t>& list, std::size_t size) {
      list.resize(size);
      list.clear();
    };
    touch(queue_, found);
    const auto threads = static_cast<std::size_t>(context_.threads.size());
    context_.threads.run([&](int thread) { touch(tally(thread).found, found / threads); });
  }

  /// Clears everything for a new search. Collective.
  void clear() {
    visited_.clear();
    replicated_->clear();
    forget_found();
    for (Tally<Neighbour>& tally : tallies_) tally.unknown_parents.clear();
  }

  /// Visits a source, which is its own parent.
  void visit_source(std::uint32_t vertex, Neighbour label) {
    visited_.insert(vertex);
    parents_[vertex] = label;
    tallies_.front().found.push_back(vertex);
  }

  /// Visits a hub that another rank found. That rank has the parent. Lists the hub if a push may follow.
  void visit_replica(std::uint32_t hub, bool listed) {
    visited_.insert(hub);
    if (listed) tallies_.front().found.push_back(hub);
  }

  /// The least number of vertices for which vector instructions are faster (benchmarks/results/ablation.md, "Kernel by
  /// kernel", claim_unvisited in rows of 8 and 16).
  static constexpr std::size_t fewest_for_vectors = 16;

  /// Visits the unvisited ones of some vertices, all different, from a parent with this label. No other thread may
  /// visit the same words of bits.
  void visit_alone(std::span<const Neighbour> vertices, Neighbour label, Tally<Neighbour>& tally) {
    constexpr std::size_t at_a_time = 1024;
    if (vertices.size() < fewest_for_vectors) {
      for (const Neighbour vertex : vertices) visit_alone(static_cast<std::uint32_t>(vertex), label, tally);
      return;
    }
    std::array<Neighbour, at_a_time + max_lanes> claimed;
    while (!vertices.empty()) {
      const auto some = vertices.first(std::min(at_a_time, vertices.size()));
      const std::size_t count = claim_unvisited(some, label, visited_.words().data(), parents_.data(), claimed.data());
      tally.found.insert(tally.found.end(), claimed.begin(), claimed.begin() + static_cast<std::ptrdiff_t>(count));
      tally.claimed += count;
      vertices = vertices.subspan(some.size());
    }
  }

  /// Sets the parent of a vertex by global id. If this rank does not know the parent's label, it is looked up at the
  /// end of the search.
  template <class Labels>
  void set_parent(std::uint32_t vertex, Neighbour global_id, const Labels& labels, Tally<Neighbour>& tally) {
    if (labels.contains(global_id)) {
      parents_[vertex] = static_cast<Neighbour>(labels.label(global_id).value);
    } else {
      tally.unknown_parents.push_back({vertex, global_id});
    }
  }

  /// Moves the counts of all threads into the level's statistics.
  void end_level(LevelStatistics& level) {
    for (Tally<Neighbour>& tally : tallies_) {
      level.edges_examined += std::exchange(tally.edges_examined, 0);
      level.claimed += std::exchange(tally.claimed, 0);
    }
  }

  /// Makes the found vertices the queue. Copies them, so that each list keeps its memory.
  void take_queue() {
    queue_.clear();
    for (Tally<Neighbour>& tally : tallies_) {
      queue_.insert(queue_.end(), tally.found.begin(), tally.found.end());
      tally.found.clear();
    }
  }
  /// How many vertices the threads have listed as found.
  [[nodiscard]] std::size_t found_count() const {
    std::size_t count = 0;
    for (const Tally<Neighbour>& tally : tallies_) count += tally.found.size();
    return count;
  }
  /// Clears the lists of found vertices before a pull, which needs only bits.
  void forget_found() {
    for (Tally<Neighbour>& tally : tallies_) tally.found.clear();
  }

  /// Lists the vertices that are visited now and are not in `before`, as a push level does.
  void list_found(std::span<const std::uint64_t> before) {
    parallel_blocks(context_.threads, before.size(), words_per_block, [&](IndexRange range, int thread) {
      auto& found = tally(thread).found;
      for (std::size_t word = range.begin; word < range.end; ++word) {
        for_each_set_bit(visited_.words()[word] & ~before[word], word * bits_per_word,
                         [&](std::size_t vertex) { found.push_back(static_cast<std::uint32_t>(vertex)); });
      }
    });
  }
  /// Shares the visited bits of all ranks for a pull. Collective.
  void share_visited(LevelStatistics& level, Stopwatch& stopwatch) {
    level.traffic = replicated_->share(visited_);
    level.seconds.communicate = stopwatch.lap();
  }

  /// The bits of the unvisited vertices in one word.
  [[nodiscard]] std::uint64_t unvisited(std::size_t word) const {
    return ~visited_.words()[word] & bits_below(vertices_, word);
  }
  /// Sets the values of all unvisited vertices.
  template <class Value>
  void fill_unvisited(std::span<Value> values, Value value) const {
    parallel_for(context_.threads, visited_.words().size(), words_per_block, [&](std::size_t word) {
      for_each_set_bit(unvisited(word), word * bits_per_word, [&](std::size_t vertex) { values[vertex] = value; });
    });
  }

 private:
  void visit_alone(std::uint32_t vertex, Neighbour label, Tally<Neighbour>& tally) {
    if (visited_.contains(vertex)) return;
    visited_.insert(vertex);
    parents_[vertex] = label;
    ++tally.claimed;
    tally.found.push_back(vertex);
  }

  static constexpr std::size_t words_per_block = 1024;

  const Context& context_;
  std::size_t vertices_;
  Bitmap visited_;
  Buffer<Neighbour> parents_;
  std::unique_ptr<ReplicatedFrontier> replicated_;
  std::vector<std::uint32_t> queue_;
  std::vector<Tally<Neighbour>> tallies_;
};

}  // namespace breadth
