// Counting the edges of trees, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "validate/lanes.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {

/// Counts the edges inside the trees of at most `searches` searches, as EdgePass shows them. The levels of labels are
/// just 0 in the tree and none outside it.
template <std::size_t searches>
class EdgeCount {
 public:
  using Tuple = Edge;
  using Levels = LevelLanes<std::uint8_t, searches>;

  EdgeCount(std::span<const SearchResult> results, const Context& context)
      : searches_(results.size()),
        levels_(results.front().parents.size(), context.pool),
        counts_(static_cast<std::size_t>(context.threads.size())) {
    parallel_blocks(context.threads, levels_.size(), labels_per_block, [&](IndexRange range, int) {
      for (std::size_t s = 0; s < results.size(); ++s) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
          levels_[i].levels[Levels::first_lane + s] = results[s].parents[i] == no_label ? Levels::none : 0;
        }
      }
    });
  }
  /// For each search, on every rank. Collective.
  [[nodiscard]] std::vector<std::uint64_t> totals(const Communicator& ranks) const {
    std::vector<std::uint64_t> totals(searches_);
    for (std::size_t s = 0; s < searches_; ++s) {
      for (const Count& count : counts_) totals[s] += count.edges.total(Levels::first_lane + s);
    }
    ranks.all_reduce(std::span(totals), Reduction::sum);
    return totals;
  }

  // As EdgePass wants it (EdgeVisitor).
  [[nodiscard]] Levels levels(std::size_t own) const { return levels_[own]; }
  void prefetch(std::size_t own) const { __builtin_prefetch(levels_.data() + own); }
  void meet(std::size_t, const Edge&, bool) {}
  void check(const Edge&, const Levels& source, const Levels& target, int thread) {
    counts_[static_cast<std::size_t>(thread)].edges.add(
        [&](std::size_t lane) { return (source.levels[lane] | target.levels[lane]) == 0 ? 1 : 0; });
  }
  void miss(const Edge&, int) {}

 private:
  static constexpr std::size_t labels_per_block = std::size_t{1} << 12;

  struct alignas(64) Count {
    LaneCounts<Levels::count> edges;
  };
  std::size_t searches_;
  Buffer<Levels> levels_;
  std::vector<Count> counts_;
};

}  // namespace breadth
