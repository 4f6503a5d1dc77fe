// The levels of a search in indexed rows.
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
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/bfs/fused_levels.hpp"
#include "traverse/bfs/level_followers.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/mixed_levels.hpp"
#include "traverse/bfs/pull.hpp"
#include "traverse/bfs/push.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/visited_copies.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Carries out levels where every row can be looked up: in an Adjacency or a compressed one. Pushes start from a queue
/// of frontier vertices, pulls from the head: columns of each vertex's first neighbours.
template <class Rows, class Exchange>
class RowLevels {
 public:
  using Neighbour = typename Rows::Neighbour;
  static constexpr bool can_start_from_several = true;
  static constexpr bool is_alone = std::is_same_v<Exchange, NoExchange<Neighbour>>;  ///< there are no other ranks
  /// Whether a search can find the first of the nearest sources, and keep depths (LevelFollowers).
  static constexpr bool can_follow = is_alone;
  /// Whether a level can both pull and push: in rows whose parts a push finds.
  static constexpr bool can_mix = is_alone && std::is_same_v<Rows, Adjacency<Neighbour>>;

  /// All arguments except the options outlive the levels.
  RowLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
            const BfsOptions& options, const Context& context)
      : state_(state),
        adjacencies_(adjacencies),
        finder_(adjacencies.push_rows()),
        partition_(graph.partition()),
        push_strategy_(push_strategy(graph, options, context.threads)),
        alpha_(options.direction.alpha),
        threads_(context.threads),
        pull_(state, adjacencies.pull_rows(), adjacencies.head, find_rows_end(graph, adjacencies),
              {state.replicated().view(), {state.replicated().bits().data()}}, RestOfRow{adjacencies.head.size()},
              graph.contents().labels, context.threads),
        followers_(state, adjacencies, graph, threads_) {
    if (is_alone && options.adaptive_levels && threads_.size() > 1) one_or_all_.emplace(push_strategy_.edges_for_one);
    if (is_alone && options.fuse_levels && push_strategy_.by_degree && threads_.size() > 1) {
      OneOrAll* const one_or_all = one_or_all_ ? &*one_or_all_ : nullptr;
      fused_.emplace(state, adjacencies, push_strategy_.edges_for_one, one_or_all, alpha_, threads_);
    }
    if (is_alone && VisitedCopies::suit(graph.layout().order, threads_.size())) {
      copies_.emplace(partition_.local_count(), threads_);
    }
    if constexpr (can_mix) {
      mixed_.emplace(state, adjacencies, partition_, pull_.rows_end(), push_strategy_, options, threads_);
    }
    if (can_follow && options.keep_depths) followers_.keep_depths();
  }

  /// Begins a search. Its sources are visited and listed.
  void start() {
    is_listed_ = true;
    unvisited_edges_ = adjacencies_.edges();
    count_frontier_edges();
  }
  [[nodiscard]] LevelFollowers<Rows>& followers() requires can_follow { return followers_; }

  /// Turns the frontier into the queue that a push needs.
  void prepare_push() {
    if (!is_listed_) {
      state_.list_found(state_.replicated().own());
      unvisited_edges_ = edges_of_unvisited(state_, adjacencies_.push_rows(), partition_.local_count(), threads_);
      count_frontier_edges();
      unvisited_edges_ += frontier_edges_;
      is_listed_ = true;
    }
    state_.take_queue();
  }
  /// Visits the frontier's neighbours with local ids below `end`. Those of other ranks are visited when the exchange is
  /// finished.
  void push(std::size_t end, Exchange& exchange) {
    PushLevel level(state_, finder_, partition_, push_strategy_, end, exchange);
    const auto run = [&] { level.run(frontier_edges_, copies(), threads_); };
    if (!one_or_all_) return run();
    const auto run_alone = [&] { level.run_alone(); };
    one_or_all_->run(frontier_edges_, run_alone, run);
  }

  /// Carries out push levels as long as they can be fused, at most so many, and adds their statistics to `levels`.
  /// Returns whether there were any. Never fuses levels right after a pull.
  bool push_fused(std::size_t end, Exchange& exchange, std::int64_t max_levels, std::vector<LevelStatistics>& levels) {
    if constexpr (is_alone) {
      if (!fused_ || !is_listed_) return false;
      PushLevel push(state_, finder_, partition_, push_strategy_, end, exchange);
      if (!fused_->run(push, followers_, frontier_edges_, unvisited_edges_, max_levels, levels)) return false;
      count_frontier_edges();
      return true;
    } else {
      return false;
    }
  }

  /// Whether a pull of the first so many vertices takes less time than a push.
  [[nodiscard]] bool pull_pays(std::size_t vertices) const requires can_mix {
    return mixed_->pull_pays(frontier_size(), vertices);
  }

  /// Visits those of `vertices` that have a neighbour in the frontier bits. May leave short rows to a push.
  void pull(IndexRange vertices) {
    IndexRange pushed = MixedLevels<Neighbour>::none;
    if constexpr (can_mix) {
      if (is_listed_) pushed = mixed_->left_to_push(frontier_size(), vertices);
    }
    if (pushed.size() > 0) state_.take_queue();
    state_.forget_found();
    is_listed_ = false;
    pull_.visit_level(vertices, pushed.begin);
    if constexpr (can_mix) {
      if (pushed.size() > 0) mixed_->push_to(pushed);
    }
  }
  /// Pulls without frontier bits: asks the owners of neighbours by message. All pulls of a search are of the same kind.
  /// Collective.
  void pull(IndexRange vertices, MessagePull<Neighbour>& messages) {
    unvisited_edges_ -= std::min(frontier_edges_, unvisited_edges_);
    state_.forget_found();
    messages.visit_rows(adjacencies_.pull_rows(), vertices);
  }
  /// Visits those of the leaves [begin, end) whose only neighbour is in the frontier bits.
  void visit_leaves(std::size_t begin, std::size_t end) {
    followers_.start_leaves({begin, end});
    pull_.visit_leaves(begin, end);
    followers_.end_leaves({begin, end});
  }

  /// Ends a level: the vertices that it claimed are the frontier now. Edges are counted only after push levels, because
  /// after a pull level the frontier's size alone decides the direction.
  void end_level(Direction direction, std::uint64_t edges_examined) {
    followers_.end_level(direction);
    if (direction == Direction::push) unvisited_edges_ -= std::min(edges_examined, unvisited_edges_);
    count_frontier_edges();
  }

  /// About how many edges this rank's frontier has.
  [[nodiscard]] std::uint64_t frontier_edges() const { return frontier_edges_; }
  /// About how many edges this rank's unvisited vertices and its frontier have.
  [[nodiscard]] std::uint64_t unvisited_edges() const { return unvisited_edges_; }

 private:
  [[nodiscard]] VisitedCopies* copies() { return copies_ ? &*copies_ : nullptr; }
  [[nodiscard]] FrontierSize frontier_size() const { return {state_.found_count(), frontier_edges_, unvisited_edges_}; }

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
  std::optional<MixedLevels<Neighbour>> mixed_;  ///< where a level can mix
  std::optional<VisitedCopies> copies_;
  std::optional<OneOrAll> one_or_all_;
  std::optional<FusedLevels<Rows>> fused_;
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;
  bool is_listed_ = true;  ///< the tallies list the frontier; after a pull there are only bits
};

}  // namespace breadth
