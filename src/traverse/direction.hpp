// Push or pull?
#pragma once

#include <cstdint>

#include "traverse/bfs.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// What the choice depends on; sums over all ranks.
struct SearchProgress {
  std::uint64_t frontier = 0;         ///< vertices found last
  std::uint64_t frontier_edges = 0;   ///< their edges
  std::uint64_t unvisited_edges = 0;  ///< edges of vertices not found yet
  std::uint64_t vertices = 0;         ///< all that have edges
};

/// The direction of the next level, on every rank the same (Beamer et al. 2012, section V): pull once the frontier's
/// edges outnumber 1/alpha of the unvisited ones, push again once it shrinks below 1/beta of all vertices.
class DirectionChooser {
 public:
  explicit DirectionChooser(const BfsOptions& options) : options_(options) {}

  Direction choose(const SearchProgress& progress) {
    if (options_.direction == DirectionPolicy::push) return Direction::push;
    if (options_.direction == DirectionPolicy::pull) return Direction::pull;
    const bool growing = progress.frontier >= last_frontier_;
    last_frontier_ = progress.frontier;
    if (direction_ == Direction::push) {
      const double share = static_cast<double>(progress.unvisited_edges) / options_.alpha;
      if (growing && static_cast<double>(progress.frontier_edges) > share) direction_ = Direction::pull;
    } else {
      const double few = static_cast<double>(progress.vertices) / options_.beta;
      if (!growing && static_cast<double>(progress.frontier) < few) direction_ = Direction::push;
    }
    return direction_;
  }

 private:
  const BfsOptions& options_;
  Direction direction_ = Direction::push;
  std::uint64_t last_frontier_ = 0;
};

}  // namespace breadth
