// Push or pull, on each rank and in each subgraph?
#pragma once

#include <cstdint>

#include "traverse/bfs.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// What a level may do in one subgraph of one rank.
struct SubgraphWork {
  std::uint64_t frontier = 0;           ///< vertices that edges lead from
  std::uint64_t unvisited_sources = 0;  ///< vertices that edges lead from, not visited
  std::uint64_t unvisited_targets = 0;  ///< vertices that edges lead to, not visited: a pull looks at each
  std::uint64_t push_edges = 0;         ///< edges of the frontier (FV in the paper)

  /// Nothing can be found.
  [[nodiscard]] bool idle() const { return frontier == 0 || unvisited_targets == 0; }
  /// Edges that a pull may look at (BV): each target looks until it meets the frontier, which each source belongs to
  /// with a probability of frontier / (frontier + unvisited_sources). Of a level that is not idle.
  [[nodiscard]] double pull_edges() const {
    const auto newly = static_cast<double>(frontier);
    return static_cast<double>(unvisited_targets) * (newly + static_cast<double>(unvisited_sources)) / newly;
  }
};

/// The direction of a subgraph, level by level (Pan et al. 2018, section IV-B). Each rank chooses for itself: an edge
/// of such a subgraph is where both its ends are.
class SubgraphDirection {
 public:
  SubgraphDirection(DirectionPolicy policy, const DirectionFactors& factors) : policy_(policy), factors_(factors) {}

  void start() { direction_ = Direction::push; }
  /// Whether the work decides, and has to be known.
  [[nodiscard]] bool depends_on_work() const { return policy_ == DirectionPolicy::automatic; }

  Direction choose(const SubgraphWork& work) {
    if (policy_ == DirectionPolicy::push) return Direction::push;
    if (policy_ == DirectionPolicy::pull) return Direction::pull;
    const auto push_edges = static_cast<double>(work.push_edges);
    if (direction_ == Direction::push) {
      if (push_edges > factors_.pull * work.pull_edges()) direction_ = Direction::pull;
    } else if (push_edges < factors_.push * work.pull_edges()) {
      direction_ = Direction::push;
    }
    return direction_;
  }

 private:
  DirectionPolicy policy_;
  DirectionFactors factors_;
  Direction direction_ = Direction::push;
};

}  // namespace breadth
