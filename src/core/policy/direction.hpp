// The choice between push and pull. In core, because processors and GPUs use the same rule.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/policy/search.hpp"

namespace breadth {

/// The progress of a search, on which the choice depends; sums over all ranks.
struct SearchProgress {
  std::uint64_t frontier = 0;         ///< vertices found last
  std::uint64_t frontier_edges = 0;   ///< their edges
  std::uint64_t unvisited_edges = 0;  ///< edges of vertices not found yet
  std::uint64_t vertices = 0;         ///< all that have edges
  std::uint64_t unvisited = 0;        ///< vertices not found yet that levels can find
};

/// Chooses the direction of the next level, the same on every rank (Beamer et al. 2012, section V): pull once the
/// frontier has more than 1/alpha of the unvisited vertices' edges, push again once it has fewer than 1/beta of all
/// vertices. If hardly any vertex is left, a pull costs less than building a queue: a search that is about to end goes
/// on pulling for a few levels, and a search with a long tail of small frontiers soon pushes. Host and GPU copy this
/// class byte by byte.
class DirectionChooser {
 public:
  constexpr DirectionChooser() = default;
  explicit constexpr DirectionChooser(const DirectionRule& rule) : rule_(rule) {}

  struct Always {
    constexpr bool operator()() const { return true; }
  };

  /// Calls pays(), a closer estimate, before it changes from push to pull, and changes only if that returns true. With
  /// pays() it also considers a pull if the frontier has stopped growing but is not small yet.
  template <class Pays = Always>
  constexpr Direction choose(const SearchProgress& progress, Pays pays = {}) {
    if (!rule_.may_pull()) return Direction::push;
    if (!rule_.may_push()) return Direction::pull;
    constexpr bool looks_closer = !std::is_same_v<Pays, Always>;
    const bool growing = progress.frontier > last_frontier_;
    const double few = static_cast<double>(progress.vertices) / rule_.beta;
    const bool small = !growing && static_cast<double>(progress.frontier) < few;
    last_frontier_ = progress.frontier;
    if (direction_ == Direction::push) {
      const double share = static_cast<double>(progress.unvisited_edges) / rule_.alpha;
      const bool may_pull = growing || (looks_closer && !small);
      if (may_pull && static_cast<double>(progress.frontier_edges) > share && pays()) direction_ = Direction::pull;
    } else if (small && !about_to_end(progress)) {
      direction_ = Direction::push;
    }
    return direction_;
  }
  /// Notes a push level from so many vertices for which choose() was not called.
  constexpr void pushed_from(std::uint64_t frontier) { last_frontier_ = frontier; }

 private:
  constexpr bool about_to_end(const SearchProgress& progress) {
    constexpr std::uint64_t hardly_any = 256;  // one in so many vertices
    constexpr int max_levels = 3;
    return progress.unvisited <= progress.vertices / hardly_any && last_levels_++ < max_levels;
  }

  DirectionRule rule_;
  std::uint64_t last_frontier_ = 0;
  int last_levels_ = 0;
  Direction direction_ = Direction::push;
};

/// The most frontier edges with which the rule never pulls. `edges` are those of the frontier and of all unvisited
/// vertices together.
constexpr std::uint64_t too_few_to_pull(std::uint64_t edges, double alpha) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / (alpha + 1));
}

}  // namespace breadth
