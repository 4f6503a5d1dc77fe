// The directions of a search, and the choice between them. In core, because processors and GPUs use the same rule.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/words.hpp"

namespace breadth {

/// How a level finds the next frontier: `push` goes from the frontier along its edges, `pull` from the unvisited
/// vertices back to the frontier (top-down and bottom-up in Beamer's terms).
enum class Direction { push, pull };
constexpr auto words_of(Direction) { return word_list<Direction>({"push", "pull"}); }

/// The directions that a search may take: only one, or at each level the one that looks cheaper (direction-optimising,
/// Beamer et al. 2012).
enum class DirectionPolicy { automatic, push, pull };
constexpr auto words_of(DirectionPolicy) { return word_list<DirectionPolicy>({"auto", "push", "pull"}); }

/// The directions that a search may take, and when it changes direction.
struct DirectionRule {
  DirectionPolicy policy = DirectionPolicy::automatic;
  /// If both directions are allowed: pull once the frontier's edges exceed the unvisited vertices' edges divided by
  /// alpha, or on processors by alpha / 2 where rows have similar lengths (rows_are_alike).
  static constexpr Range<double> alphas{1, 1e9, "alpha"};
  double alpha = 20;
  /// Push again once the frontier is smaller than all vertices divided by this.
  static constexpr Range<double> betas{1, 1e9, "beta"};
  double beta = 64;

  /// Calls check(number, its range) for each number.
  template <class Check>
  constexpr void check_numbers(Check check) const {
    check(alpha, alphas);
    check(beta, betas);
  }

  [[nodiscard]] constexpr bool may_push() const { return policy != DirectionPolicy::pull; }
  [[nodiscard]] constexpr bool may_pull() const { return policy != DirectionPolicy::push; }
  [[nodiscard]] constexpr bool may_choose() const { return policy == DirectionPolicy::automatic; }
};

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

  /// Calls pays(), a closer estimate, before it changes from push to pull, and changes only if that returns true. With
  /// pays() it also considers a pull if the frontier has stopped growing but is not small yet.
  template <class Pays = std::true_type>
  constexpr Direction choose(const SearchProgress& progress, Pays pays = {}) {
    if (!rule_.may_pull()) return Direction::push;
    if (!rule_.may_push()) return Direction::pull;
    constexpr bool looks_closer = !std::is_same_v<Pays, std::true_type>;
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

}  // namespace breadth
