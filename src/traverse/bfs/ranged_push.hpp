// A push level in which each thread visits its own range of vertices.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// Pushes on one rank from a queue of few vertices with many neighbours. Divides the target vertices into ranges of
/// whole cache lines of the visited bitmap, one thread each, so that nothing is atomic. Rows are sorted, so that each
/// holds its neighbours in a range side by side.
template <class Neighbour>
class RangedPush {
 public:
  /// Ignores neighbours outside `targets`.
  RangedPush(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, const Partition& partition,
             IndexRange targets)
      : state_(state),
        rows_(rows),
        partition_(partition),
        targets_{targets.begin, std::min(targets.end, partition.local_count())} {}

  /// Whether finding the ranges in each row is little work compared with the edges.
  static bool pays(std::size_t queued, std::size_t edges, const ThreadTeam& threads) {
    constexpr std::size_t edges_per_range = 64;
    return edges > queued * ranges_for(threads) * edges_per_range;
  }

  void run(ThreadTeam& threads) {
    const std::vector<std::size_t> bounds = cut(ranges_for(threads));
    parallel_blocks(threads, bounds.size() - 1, 1, [&](IndexRange range, int thread) {
      push_into({bounds[range.begin], bounds[range.begin + 1]}, state_.tally(thread));
    });
  }

 private:
  /// As many ranges as threads, because finding a range in a row costs some cache misses.
  static std::size_t ranges_for(const ThreadTeam& threads) { return static_cast<std::size_t>(threads.size()); }

  /// Bounds of ranges with about equally many neighbours in the queue's longest row.
  [[nodiscard]] std::vector<std::size_t> cut(std::size_t ranges) const {
    constexpr std::size_t bits_per_line = 512;
    const auto& queue = state_.queue();
    const auto degree_of = [this](std::uint32_t vertex) { return rows_.degree(LocalVertex{vertex}); };
    const std::uint32_t longest = *std::ranges::max_element(queue, {}, degree_of);
    const auto row = part_of_row(LocalVertex{longest}, targets_);
    std::vector<std::size_t> bounds = {targets_.begin};
    for (std::size_t i = 1; i < ranges && !row.empty(); ++i) {
      const std::size_t bound = row[row.size() * i / ranges] / bits_per_line * bits_per_line;
      if (bound > bounds.back() && bound < targets_.end) bounds.push_back(bound);
    }
    bounds.push_back(targets_.end);
    return bounds;
  }

  /// The part of a vertex's row with local ids in this range.
  [[nodiscard]] std::span<const Neighbour> part_of_row(LocalVertex vertex, IndexRange range) const {
    const auto row = rows_.row(vertex);
    const auto begin =
        range.begin == 0 ? row.begin() : std::lower_bound(row.begin(), row.end(), static_cast<Neighbour>(range.begin));
    return {begin, std::lower_bound(begin, row.end(), static_cast<Neighbour>(range.end))};
  }

  /// Binary searches in a few rows, interleaved because each step waits for memory.
  class RowSearches {
   public:
    static constexpr std::size_t most = 32;

    void add(std::span<const Neighbour> row) {
      first_[count_] = row.data();
      left_[count_] = row.size();
      ++count_;
    }
    /// Finds in each row the first neighbour not below `bound`.
    void run(std::size_t bound) {
      for (bool open = true; open;) {
        open = false;
        for (std::size_t i = 0; i < count_; ++i) {
          if (left_[i] == 0) continue;
          const std::size_t half = (left_[i] + 1) / 2;
          first_[i] += first_[i][half - 1] < bound ? half : 0;
          left_[i] -= half;
          open = open || left_[i] > 0;
        }
      }
    }
    [[nodiscard]] const Neighbour* found(std::size_t i) const { return first_[i]; }

   private:
    std::size_t count_ = 0;
    std::array<const Neighbour*, most> first_;
    std::array<std::size_t, most> left_;
  };

  void push_into(IndexRange range, Tally<Neighbour>& tally) {
    std::span<const std::uint32_t> queue = state_.queue();
    while (!queue.empty()) {
      const auto some = queue.first(std::min(queue.size(), RowSearches::most));
      push_into(range, some, tally);
      queue = queue.subspan(some.size());
    }
  }

  /// Pushes from a few of the queue's vertices into a range.
  void push_into(IndexRange range, std::span<const std::uint32_t> vertices, Tally<Neighbour>& tally) {
    for (const std::uint32_t vertex : vertices) {
      rows_.prefetch_index(LocalVertex{vertex});
      __builtin_prefetch(partition_.offset_of_local().data() + vertex);
    }
    RowSearches begins;
    RowSearches ends;
    for (const std::uint32_t vertex : vertices) {
      const auto row = rows_.row(LocalVertex{vertex});
      begins.add(range.begin == 0 ? row.first(0) : row);
      ends.add(row);
    }
    begins.run(range.begin);
    ends.run(range.end);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const auto label = static_cast<Neighbour>(partition_.label(LocalVertex{vertices[i]}).value);
      const std::span<const Neighbour> targets(begins.found(i), ends.found(i));
      tally.edges_examined += targets.size();
      state_.visit_alone(targets, label, tally);
    }
  }

  SearchState<Neighbour>& state_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  IndexRange targets_;
};

}  // namespace breadth
