// What carries out breadth-first searches, whichever way they go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/level_sums.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// What one search is asked for: all that its sources reach, or no more than it takes to find its targets, if any.
struct BfsQuery {
  std::span<const Label> sources;
  NearestSource nearest = NearestSource::any;
  std::span<const Label> targets = {};
};

/// The source of a query for an engine that knows no other queries. Throws Error if there are targets or more sources.
inline Label only_source(const BfsQuery& query) {
  if (!query.targets.empty()) {
    fail("a search to targets runs on processors, without --subgraphs apart and without a grid (--partition)");
  }
  if (query.sources.size() != 1 || query.nearest != NearestSource::any) {
    fail("a search from several sources is for processors, graphs with --adjacency rows or compressed, and no grid");
  }
  return query.sources.front();
}

/// Carries out the searches of one graph, in one of several ways.
class BreadthFirstSearch::Engine {
 public:
  virtual ~Engine() = default;
  /// Throws Error for a query that this engine does not know. Collective.
  virtual BfsResult run(const BfsQuery& query, LabelArray& parents) = 0;
  /// Writes the depths that the last search kept; false if it kept none.
  virtual bool write_depths(std::span<std::int64_t> /*depths*/) { return false; }
  [[nodiscard]] virtual CommunicationRecord communication() const { return {}; }
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const { return 0; }
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

using BfsEnginePointer = std::unique_ptr<BreadthFirstSearch::Engine>;

/// What follows the levels of a search.
struct SearchEnd {
  LeafPass leaves = {};
  Traffic settled = no_traffic;                      ///< for the owners of hubs to have their parents
  std::optional<SettledLights> settled_lights = {};  ///< this rank's part
};

/// Vertices in the frontier that the level after these starts from.
inline std::uint64_t frontier_after(const std::vector<LevelStatistics>& levels) {
  return levels.empty() ? 1 : levels.back().claimed;
}

/// A timed search: start(), then visit(levels, most), which carries out one level or several, at most so many, and
/// adds their statistics, until one claims nothing, there were max_depth of them or is_found() says that they are
/// enough, then finish(), which visits the leaves that levels left, leaves the result in `parents` and returns a
/// SearchEnd. Collective.
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
