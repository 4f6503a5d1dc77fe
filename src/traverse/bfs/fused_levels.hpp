// Small push levels: on one thread or on all, or fused, with only a barrier between them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/direction.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/bfs/level_followers.hpp"
#include "traverse/bfs/push.hpp"
#include "traverse/bfs/push_visits.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// One thread or all.

/// Chooses between one thread and all for narrow push levels. On a grid, two threads that meet in every level take half
/// of one thread's time if they have the processors for themselves, and several times as long beside other work. So
/// some levels are tried each way. After that all threads are used unless they take much longer for an edge than one
/// thread; while one thread is used, all are tried again from time to time. The measurements continue over searches.
class OneOrAll {
 public:
  /// Levels until the choice is reconsidered: after a change, and otherwise.
  static constexpr std::int64_t levels_to_try = 32;
  static constexpr std::int64_t levels_to_judge = 128;
  /// Levels that are not counted after the choice: they fetch data from the caches of other processors.
  static constexpr std::int64_t levels_to_settle = 16;
  /// Levels on one thread before all are tried again: the first time, and from the fourth time on.
  static constexpr std::int64_t least_alone = 128;
  static constexpr std::int64_t most_alone = 1024;

  OneOrAll() = default;
  /// Levels with at most `edges_for_one` edges always run on one thread and are not measured.
  explicit OneOrAll(std::uint64_t edges_for_one) : edges_for_one_(edges_for_one) {}

  /// Whether one thread may be faster than all in a level with so many edges.
  [[nodiscard]] bool is_narrow(std::uint64_t edges) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 14;  // about 40 microseconds of work
    return edges > edges_for_one_ && edges <= most;
  }
  /// Carries out a level with so many edges: calls one() or all(). Measures narrow levels.
  template <class One, class All>
  void run(std::uint64_t edges, One&& one, All&& all) {
    if (!is_narrow(edges)) return all();
    const Stopwatch stopwatch;
    alone_ ? one() : all();
    add(edges, stopwatch.seconds());
  }

  /// Whether the next narrow level is for one thread.
  [[nodiscard]] bool is_alone() const { return alone_; }
  /// How many narrow levels remain until the choice is reconsidered.
  [[nodiscard]] std::int64_t levels_left() const { return stint_ - levels_; }

  /// Adds the measurement of a level that was carried out as is_alone() said.
  void add(std::uint64_t edges, double seconds) {
    if (++levels_ > levels_to_settle) {
      edges_ += edges;
      seconds_ += seconds;
    }
    if (levels_ < stint_) return;
    seconds_per_edge_[alone_ ? 1 : 0] = seconds_ / static_cast<double>(edges_ + 1);
    levels_ = 0;
    edges_ = 0;
    seconds_ = 0;
    choose();
  }

 private:
  void choose() {
    constexpr double much = 1.5;
    const bool all_are_slow = seconds_per_edge_[0] > much * seconds_per_edge_[1];
    const bool was_alone = alone_;
    if (was_alone) {
      left_alone_ -= stint_;
      alone_ = all_are_slow && left_alone_ > 0;
    } else if (all_are_slow) {  // or one thread has not been tried
      alone_ = true;
      left_alone_ = next_alone_;
      next_alone_ = std::min(2 * next_alone_, most_alone);
    }
    stint_ = alone_ == was_alone ? levels_to_judge : levels_to_try;
  }

  std::uint64_t edges_for_one_ = 0;
  std::array<double, 2> seconds_per_edge_{};  ///< of all threads and of one, at the last measurement
  bool alone_ = false;
  std::int64_t left_alone_ = 0;
  std::int64_t next_alone_ = least_alone;
  std::int64_t stint_ = levels_to_try;  ///< levels from one choice to the next
  std::int64_t levels_ = 0;             ///< levels since the last choice
  std::uint64_t edges_ = 0;
  double seconds_ = 0;
};

// Levels without an exchange of the frontier.

/// Small push levels on one rank without hubs: frontiers of up to a thousand vertices a thread, with short rows. Road
/// networks and the long tails of web graphs have thousands of such levels. Each thread pushes from the vertices that
/// it found itself in the level before, whose rows, bits and parents are in its caches. A fused level costs one
/// barrier; any other push wakes the team, distributes the queue and collects the found vertices. Threads go on while
/// the frontier is small and they have about equal parts of it.
template <class Rows>
class FusedLevels {
  using Neighbour = typename Rows::Neighbour;

 public:
  using Push = PushLevel<Rows, NoExchange<Neighbour>>;

  /// All arguments outlive this. Vertices are in the order of degrees. Levels are fused from `edges_for_one` edges on;
  /// once awake, threads go on with fewer. Frontiers that `alpha` may pull from are left to the caller. Narrow levels
  /// that `one_or_all`, if there is one, gives to one thread are not fused.
  FusedLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, std::uint64_t edges_for_one,
              OneOrAll* one_or_all, double alpha, ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        edges_for_one_(edges_for_one),
        one_or_all_(one_or_all),
        alpha_(alpha),
        threads_(threads),
        max_found_(PushStrategy::grain / 2 * static_cast<std::size_t>(threads.size())),
        shares_(static_cast<std::size_t>(threads.size())) {}

  /// Carries out levels from the vertices that the state's tallies have found, as long as the levels suit and at most
  /// so many, and adds their statistics to `levels`. Returns whether there were any. Afterwards the tallies hold what
  /// the last level found. Both numbers of edges are estimates; `unvisited_edges`, which includes the frontier's, is
  /// kept up to date.
  bool run(Push& push, LevelFollowers<Rows>& followers, std::uint64_t frontier_edges, std::uint64_t& unvisited_edges,
           std::int64_t max_levels, std::vector<LevelStatistics>& levels) {
    if (frontier_edges <= edges_for_one_) return false;
    const bool is_narrow = one_or_all_ != nullptr && one_or_all_->is_narrow(frontier_edges);
    if (is_narrow && one_or_all_->is_alone()) return false;
    if (is_narrow) max_levels = std::min(max_levels, one_or_all_->levels_left());
    for (Share& share : shares_) share.failure = nullptr;
    if (!is_fit(look_at_all(), unvisited_edges) || !is_fit(deal_out(), unvisited_edges)) return false;
    const std::size_t before = levels.size();
    threads_.run([&](int thread) { push_levels(push, followers, thread, unvisited_edges, max_levels, levels); });
    for (const LevelStatistics& level : std::span(levels).subspan(before)) {
      unvisited_edges -= std::min(level.edges_examined, unvisited_edges);
      if (is_narrow) one_or_all_->add(level.edges_examined, level.seconds.compute);
    }
    followers.end_fused(levels.size() - before);
    return true;
  }

 private:
  /// What one thread, or all together, found in a level.
  struct Result {
    std::size_t found = 0;
    std::size_t max_found = 0;  ///< in a sum: the most that one thread found
    std::uint64_t edges_examined = 0;
    std::uint64_t edges_to_follow = 0;  ///< about an upper bound for the found vertices' edges
    bool is_small = true;               ///< few vertices, with short rows
    bool failed = false;
  };
  struct alignas(64) Share {
    std::vector<std::uint32_t> frontier;
    /// Of this level and the one before, in turns, because a thread may be one level ahead of another that still reads.
    std::array<Result, 2> results;
    std::exception_ptr failure;
  };

  Result look_at_all() {
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
      shares_[thread].results[0] = result_of(static_cast<int>(thread));
    }
    return sum_of(0);
  }
  /// Gives threads equal parts of the found vertices. Returns the new result, whose bound of the edges may differ.
  Result deal_out() {
    state_.take_queue();
    const std::vector<std::uint32_t>& queue = state_.queue();
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
      const IndexRange part = even_share(queue.size(), thread, shares_.size());
      state_.tally(static_cast<int>(thread)).found.assign(queue.data() + part.begin, queue.data() + part.end);
    }
    return look_at_all();
  }

  /// Carries out one thread's part of all levels.
  void push_levels(Push& push, LevelFollowers<Rows>& followers, int thread, std::uint64_t unvisited_edges,
                   std::int64_t max_levels, std::vector<LevelStatistics>& levels) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    Stopwatch stopwatch;
    std::size_t turn = 0;
    Result frontier = sum_of(turn);
    for (std::int64_t done = 0; done < max_levels && is_even(frontier) && is_fit(frontier, unvisited_edges); ++done) {
      turn = 1 - turn;
      try {
        push_from_own(push, mine, thread);
        followers.follow_fused(mine.frontier, state_.tally(thread).found, done + 1);
      } catch (...) {
        mine.failure = std::current_exception();  // first meet the others at the barrier
      }
      mine.results[turn] = result_of(thread);
      threads_.barrier();
      const Result next = sum_of(turn);
      if (thread == 0) add_level(frontier, next, stopwatch.lap(), levels, mine);
      unvisited_edges -= std::min(next.edges_examined, unvisited_edges);
      frontier = next;
    }
    if (mine.failure) std::rethrow_exception(mine.failure);
  }

  void push_from_own(Push& push, Share& mine, int thread) {
    auto& found = state_.tally(thread).found;
    mine.frontier.swap(found);
    found.clear();
    push.push_vertices(mine.frontier, thread);
  }

  static void add_level(const Result& frontier, const Result& next, double seconds,
                        std::vector<LevelStatistics>& levels, Share& mine) {
    try {
      levels.push_back({.fused = true,
                        .direction = Direction::push,
                        .frontier = frontier.found,
                        .edges_examined = next.edges_examined,
                        .claimed = next.found,
                        .traffic = no_traffic,
                        .seconds = {.compute = seconds}});
    } catch (...) {
      mine.failure = std::current_exception();
    }
  }

  /// What a thread has found since the last call.
  Result result_of(int thread) {
    auto& tally = state_.tally(thread);
    Result result{.found = tally.found.size(),
                  .edges_examined = std::exchange(tally.edges_examined, 0),
                  .failed = shares_[static_cast<std::size_t>(thread)].failure != nullptr};
    tally.claimed = 0;
    if (result.found > max_found_) {
      result.is_small = false;
    } else if (result.found > 0) {
      const std::size_t degree = adjacencies_.total_degree(LocalVertex{least_of(tally.found)});
      result.edges_to_follow = max_edges(result.found, degree);
      result.is_small = degree <= PushStrategy::edges_of_short_row;
    }
    return result;
  }

  [[nodiscard]] Result sum_of(std::size_t turn) const {
    Result sum;
    for (const Share& share : shares_) {
      const Result& one = share.results[turn];
      sum.found += one.found;
      sum.max_found = std::max(sum.max_found, one.found);
      sum.edges_examined += one.edges_examined;
      sum.edges_to_follow += one.edges_to_follow;
      sum.is_small = sum.is_small && one.is_small;
      sum.failed = sum.failed || one.failed;
    }
    return sum;
  }

  /// Whether threads have about equal parts of the frontier.
  [[nodiscard]] bool is_even(const Result& frontier) const {
    constexpr std::size_t negligible = 32;  // vertices
    const std::size_t fair = frontier.found / shares_.size();
    return frontier.max_found <= fair + negligible;
  }
  /// Whether threads that are awake should push from this frontier. All threads get the same answer.
  [[nodiscard]] bool is_fit(const Result& frontier, std::uint64_t unvisited_edges) const {
    constexpr std::uint64_t awake = 4;  // for threads that are awake, a quarter of the edges is enough
    return !frontier.failed && frontier.is_small && frontier.found <= max_found_ &&
           frontier.edges_to_follow > edges_for_one_ / awake &&
           frontier.edges_to_follow <= too_few_to_pull(unvisited_edges, alpha_);
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  std::uint64_t edges_for_one_;
  OneOrAll* one_or_all_;  ///< null: levels are fused whatever their width
  double alpha_;
  ThreadTeam& threads_;
  std::size_t max_found_;  ///< vertices of a small level
  std::vector<Share> shares_;
};

}  // namespace breadth
