// What carries out the runs of a breadth-first search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
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

}  // namespace breadth
