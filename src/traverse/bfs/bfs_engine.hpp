// The interface of the engines that carry out breadth-first searches, and their loop over levels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/level_sums.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Carries out the searches of one graph, in one of several ways.
class BreadthFirstSearch::Engine {
 public:
  virtual ~Engine() = default;
  /// Throws Error for a query that this engine does not support. Collective.
  virtual BfsResult run(const BfsQuery& query, LabelArray& parents) = 0;
  /// Writes the depths that the last search kept. Returns false if it kept none.
  virtual bool write_depths(std::span<std::int64_t> /*depths*/) { return false; }
  [[nodiscard]] virtual CommunicationRecord communication() const { return {}; }
  [[nodiscard]] virtual std::uint64_t bytes_counted_elsewhere() const { return 0; }
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

using BfsEnginePointer = std::unique_ptr<BreadthFirstSearch::Engine>;

/// What is done after the last level of a search.
struct SearchEnd {
  LeafPass leaves = {};
  Traffic settled = no_traffic;                      ///< sent so that the owners of hubs have the hubs' parents
  std::optional<SettledLights> settled_lights = {};  ///< of this rank
};

/// How many vertices the frontier has after these levels.
inline std::uint64_t frontier_after(const std::vector<LevelStatistics>& levels) {
  return levels.empty() ? 1 : levels.back().claimed;
}

/// Carries out and times one search. Calls start(), then visit(levels, most) again and again, which carries out at
/// least one and at most `most` levels and adds their statistics. Stops when a level claims nothing, after max_depth
/// levels, or when is_found() returns true. Then calls finish(), which visits the leaves, writes `parents` and returns
/// a SearchEnd. Collective.
inline BfsResult search_levels(
    std::int64_t max_depth, const LabelArray& parents, const Communicator& ranks, FunctionRef<void()> start,
    FunctionRef<void(std::vector<LevelStatistics>& levels, std::int64_t most)> visit, FunctionRef<SearchEnd()> finish,
    FunctionRef<bool()> is_found = [] { return false; }) {
  ranks.barrier();
  const Stopwatch stopwatch;
  std::vector<LevelStatistics> levels;
  const auto left = [&] { return max_depth - static_cast<std::int64_t>(levels.size()); };
  start();
  while (left() > 0 && frontier_after(levels) > 0 && !is_found()) visit(levels, left());
  const SearchEnd end = finish();
  std::uint64_t reached = 1 + end.leaves.claimed;
  for (const LevelStatistics& level : levels) reached += level.claimed;
  const double seconds = ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
  share_idle_times(levels, ranks);
  return {parents, std::move(levels), end.leaves, end.settled, sum_over(end.settled_lights, ranks), seconds, reached};
}

}  // namespace breadth
