// Levels on rows that an index leads to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/direction.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/bfs/fused_levels.hpp"
#include "traverse/bfs/level_followers.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/one_or_all.hpp"
#include "traverse/bfs/pull.hpp"
#include "traverse/bfs/push.hpp"
#include "traverse/bfs/ranged_push.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/visited_copies.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// How a search carries out its levels where every row can be looked up, in an Adjacency or compressed: pushes start
/// from a queue, pulls from the columns of leading neighbours.
template <class Rows, class Exchange>
class RowLevels {
 public:
  using Neighbour = typename Rows::Neighbour;
  /// Whether a search from several sources may follow them: without other ranks.
  static constexpr bool can_follow = std::is_same_v<Exchange, NoExchange<Neighbour>>;

  /// Whether threads can go from level to level without other ranks.
  static constexpr bool can_fuse = std::is_same_v<Exchange, NoExchange<Neighbour>>;
  /// Whether a level can both pull and push: on one rank, in rows of which a push finds a part.
  static constexpr bool can_mix = can_fuse && std::is_same_v<Rows, Adjacency<Neighbour>>;

  /// All of them outlive the levels.
  RowLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
            const BfsOptions& options, const Context& context)
      : state_(state),
        adjacencies_(adjacencies),
        finder_(adjacencies.push_rows()),
        partition_(graph.partition()),
        push_strategy_(push_strategy(graph, options, context.threads)),
        alpha_(options.direction.alpha),
        threads_(context.threads),
        pull_(state, adjacencies.pull_rows(), adjacencies.leading, find_rows_end(graph, adjacencies),
              {state.replicated().view(), {state.replicated().bits().data()}}, RestOfRow{adjacencies.leading.size()},
              graph.contents().labels, context.threads),
        followers_(state, adjacencies, graph, threads_),
        short_rows_(find_short_rows(pull_.rows_end(), adjacencies, push_strategy_, options)) {
    if (can_fuse && options.fuse_levels && push_strategy_.by_degree && threads_.size() > 1) {
      fused_.emplace(state, adjacencies, push_strategy_.edges_for_one, alpha_, threads_);
    }
    if (can_fuse && VisitedCopies::suit(graph.layout().order, threads_.size())) {
      copies_.emplace(partition_.local_count(), threads_);
    }
    if constexpr (can_mix) sampled_rows_.emplace(adjacencies.pull_rows());
    if (can_follow && options.keep_depths) followers_.keep_depths();
    if (can_fuse && options.adaptive_levels && threads_.size() > 1) one_or_all_.emplace();
  }

  /// A search begins: its sources are visited and queued.
  void start() {
    is_listed_ = true;
    unvisited_edges_ = adjacencies_.edges();
    count_frontier_edges();
  }
  [[nodiscard]] LevelFollowers<Rows>& followers() requires can_follow { return followers_; }

  /// Brings the frontier into the form that push needs.
  void prepare_push() {
    if (!is_listed_) {
      state_.list_found();
      unvisited_edges_ = edges_of_unvisited(state_, adjacencies_.push_rows(), partition_.local_count(), threads_);
      count_frontier_edges();
      unvisited_edges_ += frontier_edges_;
      is_listed_ = true;
    }
    state_.take_queue();
  }
  /// Visits the frontier's neighbours with local ids below `end`, those on other ranks once the exchange is finished.
  void push(std::size_t end, Exchange& exchange) {
    PushLevel level(state_, finder_, partition_, push_strategy_, end, exchange);
    if (!is_narrow()) {
      level.run(frontier_edges_, copies(), threads_);
      return;
    }
    const Stopwatch stopwatch;
    one_or_all_->is_alone() ? level.run_alone() : level.run(frontier_edges_, copies(), threads_);
    one_or_all_->add(frontier_edges_, stopwatch.seconds());
  }

  /// The same, level after level, for as long as threads may go on together: at most so many, which are added to
  /// `levels`. Returns whether there was any: none is after a pull.
  bool push_fused(std::size_t end, Exchange& exchange, std::int64_t most_levels, std::vector<LevelStatistics>& levels) {
    if constexpr (can_fuse) {
      if (!fused_ || !is_listed_ || frontier_edges_ <= push_strategy_.edges_for_one) return false;
      const bool is_tried = is_narrow();
      if (is_tried && one_or_all_->is_alone()) return false;
      if (is_tried) most_levels = std::min(most_levels, one_or_all_->levels_left());
      const std::size_t before = levels.size();
      PushLevel push(state_, finder_, partition_, push_strategy_, end, exchange);
      if (!fused_->run(push, followers_, unvisited_edges_, most_levels, levels)) return false;
      followers_.end_fused(levels.size() - before);
      for (const LevelStatistics& level : std::span(levels).subspan(is_tried ? before : levels.size())) {
        one_or_all_->add(level.edges_examined, level.seconds.compute);
      }
      count_frontier_edges();
      return true;
    } else {
      return false;
    }
  }

  /// Whether a pull of the first so many vertices takes less time than a push, where some of their rows can tell.
  [[nodiscard]] bool pull_pays(std::size_t vertices) const requires can_mix {
    constexpr double pull_edges_for_push_edge = 1.2;
    if (frontier_edges_ > unvisited_edges_ / 2 || left_to_push({0, vertices}).size() > 0) return true;
    const std::uint64_t pull_edges = sampled_rows_->edges_of_pull(state_, vertices);
    return static_cast<double>(pull_edges) < pull_edges_for_push_edge * static_cast<double>(frontier_edges_);
  }

  /// Visits those of `vertices` that have a neighbour in the frontier bits. A pull may leave short rows to a push.
  void pull(IndexRange vertices) {
    const IndexRange pushed = left_to_push(vertices);
    if (pushed.size() > 0) state_.take_queue();
    state_.forget_found();
    is_listed_ = false;
    pull_.visit_level(vertices, pushed.begin);
    if constexpr (can_mix) {
      if (pushed.size() == 0) return;
      RangedPush(state_, adjacencies_.push_rows(), partition_, pushed).run(threads_);
      state_.forget_found();
    }
  }
  /// The same without such bits, by asking. The levels of a search pull in one of these ways alone. Collective.
  void pull(IndexRange vertices, MessagePull<Neighbour>& messages) {
    unvisited_edges_ -= std::min(frontier_edges_, unvisited_edges_);
    state_.forget_found();
    messages.visit_rows(adjacencies_.pull_rows(), vertices);
  }
  /// Visits those of vertices [begin, end) whose only neighbour is in the frontier bits.
  void visit_leaves(std::size_t begin, std::size_t end) {
    followers_.start_leaves({begin, end});
    pull_.visit_leaves(begin, end);
    followers_.end_leaves({begin, end});
  }

  /// What a level claimed has become the frontier. The edges that decide the direction are counted after push levels
  /// only: after a pull level the frontier's size decides.
  void end_level(Direction direction, std::uint64_t edges_examined) {
    followers_.end_level(direction);
    if (direction == Direction::push) unvisited_edges_ -= std::min(edges_examined, unvisited_edges_);
    count_frontier_edges();
  }

  /// Edges of this rank's frontier, about.
  [[nodiscard]] std::uint64_t frontier_edges() const { return frontier_edges_; }
  /// Edges of this rank's vertices that are not visited, and of the frontier, about.
  [[nodiscard]] std::uint64_t unvisited_edges() const { return unvisited_edges_; }

 private:
  /// Whether it may turn out that one thread is faster than all.
  [[nodiscard]] bool is_narrow() const {
    constexpr std::uint64_t edges_of_narrow = std::uint64_t{1} << 14;  // some 40 microseconds' work
    return one_or_all_ && frontier_edges_ > push_strategy_.edges_for_one && frontier_edges_ <= edges_of_narrow;
  }

  [[nodiscard]] VisitedCopies* copies() { return copies_ ? &*copies_ : nullptr; }

  /// Those of a pull's vertices whose rows, beyond the columns, it leaves to a push; often none.
  [[nodiscard]] IndexRange left_to_push([[maybe_unused]] IndexRange vertices) const {
    if constexpr (can_mix) {
      const IndexRange rows{std::max(short_rows_.begin, vertices.begin), std::min(short_rows_.end, vertices.end)};
      const FrontierSize frontier{state_.found_count(), frontier_edges_, unvisited_edges_};
      if (is_listed_ && RangedPush<Neighbour>::pays_beside_pull(frontier, adjacencies_.pull_rows(), rows, threads_)) {
        return rows;
      }
    }
    return {SIZE_MAX, SIZE_MAX};
  }

  void count_frontier_edges() {
    const std::uint64_t few = push_strategy_.by_degree ? too_few_to_pull(unvisited_edges_, alpha_) : 0;
    frontier_edges_ = edges_of_found(state_, adjacencies_.push_rows(), partition_.hubs().end(), few);
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  RowFinder<Rows> finder_;
  const Partition& partition_;
  PushStrategy push_strategy_;
  double alpha_;
  ThreadTeam& threads_;
  Pull<Rows> pull_;
  LevelFollowers<Rows> followers_;
  IndexRange short_rows_;                               ///< which a push may visit in a pull
  std::optional<SampledRows<Neighbour>> sampled_rows_;  ///< where a level can mix
  std::optional<VisitedCopies> copies_;
  std::optional<FusedLevels<Rows>> fused_;
  std::optional<OneOrAll> one_or_all_;
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;
  bool is_listed_ = true;  ///< the frontier is, vertex by vertex, and not only in bits
};

}  // namespace breadth
