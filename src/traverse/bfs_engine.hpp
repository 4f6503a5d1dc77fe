// What carries out the runs of a breadth-first search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"

namespace breadth {

class BreadthFirstSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual BfsResult run(Label source, LabelArray& parents) = 0;
  [[nodiscard]] virtual CommunicationRecord communication() const = 0;
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const = 0;
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

/// The local id of a label on the rank that owns it, if it has edges there; else no_local_vertex.
inline LocalVertex own_vertex(const Graph& graph, Label label) {
  const Partition& partition = graph.partition();
  const bool own = graph.distribution().owner(label) == partition.rank();
  return own ? partition.local(label) : no_local_vertex;
}

/// How long ranks waited in each level, the shortest, the longest and on average; after the search, since it takes
/// telling. Collective.
inline void share_idle_times(std::vector<LevelStatistics>& levels, const Communicator& ranks) {
  std::vector<double> longest;
  std::vector<double> sums;
  for (const LevelStatistics& level : levels) {
    longest.push_back(level.seconds.wait);
    longest.push_back(-level.seconds.wait);
    sums.push_back(level.seconds.wait);
  }
  ranks.all_reduce(std::span<double>(longest), Reduction::maximum);
  ranks.all_reduce(std::span<double>(sums), Reduction::sum);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i].idle = {-longest[2 * i + 1], sums[i] / ranks.size(), longest[2 * i]};
  }
}

/// A timed search: start(), then visit_level(frontier) for its statistics until a level claims nothing or there were
/// max_depth of them, then write(), which leaves the result in `parents`. Collective.
template <class Start, class VisitLevel, class Write>
BfsResult search_levels(std::int64_t max_depth, const LabelArray& parents, const Communicator& ranks, Start&& start,
                        VisitLevel&& visit_level, Write&& write) {
  ranks.barrier();
  const Stopwatch stopwatch;
  std::vector<LevelStatistics> levels;
  std::uint64_t reached = 1;
  std::uint64_t frontier = 1;
  start();
  for (std::int64_t depth = 0; frontier > 0 && depth < max_depth; ++depth) {
    levels.push_back(visit_level(frontier));
    frontier = levels.back().claimed;
    reached += frontier;
  }
  write();
  const double seconds = ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
  share_idle_times(levels, ranks);
  return {parents, std::move(levels), {}, seconds, reached};
}

}  // namespace breadth
