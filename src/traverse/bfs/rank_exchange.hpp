// What a breadth-first search on several ranks exchanges beside the frontiers of pulls: queries, hubs, and the names of
// parents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/search.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs/level_sums.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/query_exchange.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/hub_replicas.hpp"

namespace breadth {

/// Asks, in one exchange, for the labels of parents that pull levels could not name. Collective.
template <class Neighbour>
void name_parents(SearchState<Neighbour>& state, const Graph& graph, const Context& context) {
  if (graph.contents().labels.complete()) return;
  std::vector<std::uint32_t> vertices;
  std::vector<Neighbour> global_ids;
  for (int thread = 0; thread < context.threads.size(); ++thread) {
    for (const auto& unnamed : state.tally(thread).unnamed) {
      vertices.push_back(unnamed.vertex);
      global_ids.push_back(unnamed.parent);
    }
  }
  std::vector<Neighbour> labels(global_ids.size());
  graph.contents().labels.name(std::span<const Neighbour>(global_ids), std::span(labels), graph.partition(), context);
  for (std::size_t i = 0; i < vertices.size(); ++i) state.parents()[vertices[i]] = labels[i];
}

/// The part of each level of a search that is about other ranks, where edges of a level all go one way. `Levels`
/// (traverse/bfs/row_levels.hpp, traverse/papers/scan_levels.hpp) carry out what this rank does. All members but
/// `communication` are collective.
template <class Neighbour>
class RankExchange {
 public:
  using Exchange = QueryTargets<Neighbour>;

  /// All of them outlive this.
  RankExchange(SearchState<Neighbour>& state, const Graph& graph, const BfsOptions& options, const Context& context)
      : state_(state),
        graph_(graph),
        context_(context),
        hubs_(graph.partition(), options.hub_masks, nodes()),
        strategy_(exchange_strategy(options.messages, Combining::one, graph, context)),
        queries_(context, strategy_, [this](QueryMessage<Neighbour> queries) { answer(queries); }),
        targets_(graph.partition(), queries_) {
    if (options.pull != PullPolicy::messages) return;
    ExchangeStrategy strategy = strategy_;
    strategy.combining = Combining::none;  // every vertex that asks wants to know
    asking_ =
        std::make_unique<MessagePull<Neighbour>>(state, graph.partition(), std::move(strategy), queries_, context);
  }

  /// What a rank adds to a sum over all of its first so many vertices, among them all hubs, in which none counts twice.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t vertices) const { return hubs_.count_once(vertices); }
  /// A search begins; `source` is its local id on the rank that owns it, no_local_vertex on others.
  void start(LocalVertex source) { hubs_.start(source, state_); }
  /// The same from several sources, which the state has visited on the ranks that own them.
  void start_from_visited() { hubs_.start_from_visited(state_); }

  /// Pushes to vertices with local ids below `end`.
  void push(auto& levels, std::size_t end, LevelStatistics& level, Stopwatch& stopwatch) {
    const LevelTraffic sent(queries_);
    levels.push(end, targets_);
    hubs_.start_sharing(state_);  // no query names a hub
    queries_.finish();
    sent.report(level, stopwatch);
    count_between_nodes(level.traffic, nodes());
  }
  /// Pulls into vertices with local ids below `end`.
  void pull(auto& levels, std::size_t end, LevelStatistics& level, Stopwatch& stopwatch) {
    if (asking_) {
      ask(levels, {0, end}, level, stopwatch);
      hubs_.start_sharing(state_);
    } else {
      state_.share_visited(level, stopwatch);
      const std::size_t hubs_end = graph_.partition().hubs().end();
      // Not of nothing: any pull may forget the frontier's queue, from which the next one may push.
      if (hubs_end > 0) levels.pull({0, hubs_end});
      hubs_.start_sharing(state_);
      levels.pull({hubs_end, end});
    }
  }
  /// Visits those of `leaves` whose only neighbour is visited.
  void visit_leaves(auto& levels, IndexRange leaves, LevelStatistics& pass, Stopwatch& stopwatch) {
    if (asking_) {
      ask(levels, leaves, pass, stopwatch);
    } else {
      state_.share_visited(pass, stopwatch);
      levels.visit_leaves(leaves.begin, leaves.end);
    }
  }
  /// After a push or a pull in which this rank visited level.claimed vertices: what each visited of hubs is visited on
  /// all, and counts once.
  void finish(LevelStatistics& level, Stopwatch& stopwatch) {
    const HubLevel hubs = hubs_.finish_sharing(state_, level.direction);
    level.seconds.communicate += stopwatch.lap();
    level.traffic += hubs.traffic;
    level.claimed = hubs_.count_once(level.claimed, hubs);
  }

  /// After the last level every vertex has the label of its parent on the rank that owns it. Returns what all ranks
  /// sent for hubs.
  Traffic settle_parents() {
    name_parents(state_, graph_, context_);
    return hubs_.settle_parents(state_);
  }

  [[nodiscard]] Exchange& exchange() { return targets_; }
  [[nodiscard]] CommunicationRecord communication(double all_reduce_seconds) const {
    CommunicationRecord record = record_of(queries_, all_reduce_seconds);
    if (asking_) asking_->add_to(record);
    return record;
  }

 private:
  [[nodiscard]] const Nodes& nodes() const { return state_.replicated().nodes(); }

  /// A pull of these vertices by messages.
  void ask(auto& levels, IndexRange vertices, LevelStatistics& level, Stopwatch& stopwatch) {
    levels.pull(vertices, *asking_);
    asking_->report(level);
    count_between_nodes(level.traffic, nodes());
    level.seconds.compute = stopwatch.lap() - level.seconds.communicate;
  }

  /// Queries of another rank: its frontier vertices are neighbours of vertices here.
  void answer(QueryMessage<Neighbour> queries) {
    queries.for_each_run([this](Neighbour parent, std::span<const Neighbour> targets) {
      visit_among_threads(state_, targets, parent, state_.tally_of_answers());
    });
  }

  SearchState<Neighbour>& state_;
  const Graph& graph_;
  const Context& context_;
  HubReplicas<Neighbour> hubs_;
  ExchangeStrategy strategy_;
  QueryExchange<Neighbour> queries_;
  QueryTargets<Neighbour> targets_;
  std::unique_ptr<MessagePull<Neighbour>> asking_;  ///< where pulls go by messages
};

}  // namespace breadth
