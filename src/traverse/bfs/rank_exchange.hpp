// The communication of a search on several ranks, except for the frontier bits of pulls: queries, hubs, and labels of
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

/// Looks up, in one exchange, the parents' labels that this rank does not know. Collective.
template <class Neighbour>
void look_up_parents(SearchState<Neighbour>& state, const Graph& graph, const Context& context) {
  if (graph.contents().labels.complete()) return;
  std::vector<std::uint32_t> vertices;
  std::vector<Neighbour> global_ids;
  for (int thread = 0; thread < context.threads.size(); ++thread) {
    for (const auto& unknown : state.tally(thread).unknown_parents) {
      vertices.push_back(unknown.vertex);
      global_ids.push_back(unknown.parent);
    }
  }
  std::vector<Neighbour> labels(global_ids.size());
  graph.contents().labels.look_up(std::span<const Neighbour>(global_ids), std::span(labels), graph.partition(),
                                  context);
  for (std::size_t i = 0; i < vertices.size(); ++i) state.parents()[vertices[i]] = labels[i];
}

/// Connects the levels of the ranks. `Levels` (traverse/bfs/row_levels.hpp, traverse/papers/scan_levels.hpp) carry out
/// each rank's part. All members except `communication` are collective.
template <class Neighbour>
class RankExchange {
 public:
  using Exchange = QueryTargets<Neighbour>;

  /// All arguments except the options outlive this.
  RankExchange(SearchState<Neighbour>& state, const Graph& graph, const BfsOptions& options, const Context& context)
      : state_(state),
        graph_(graph),
        context_(context),
        hubs_(graph.partition(), options.hub_masks, nodes()),
        strategy_(exchange_strategy(options.messages, Combining::one, graph, context)),
        queries_(context, strategy_, [this](QueryMessage<Neighbour> queries) { visit_queried(queries); }),
        targets_(graph.partition(), queries_) {
    if (options.pull != PullPolicy::messages) return;
    ExchangeStrategy strategy = strategy_;
    strategy.combining = Combining::none;  // each vertex that asks needs its own answer
    asking_ =
        std::make_unique<MessagePull<Neighbour>>(state, graph.partition(), std::move(strategy), queries_, context);
  }

  /// How many of this rank's first so many vertices, among them all hubs, it counts in a sum over ranks, so that no hub
  /// counts twice.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t vertices) const { return hubs_.count_once(vertices); }
  /// Begins a search. `source` is the source's local id on its owner and no_local_vertex on other ranks.
  void start(LocalVertex source) { hubs_.start(source, state_); }
  /// Begins a search from several sources, which their owners have visited already.
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
      // Only if there are hubs: a pull may clear the frontier's queue, which the next pull may need.
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
  /// Ends a level in which this rank visited level.claimed vertices. Hubs that one rank visited are now visited on all
  /// ranks, and count once.
  void finish(LevelStatistics& level, Stopwatch& stopwatch) {
    const HubLevel hubs = hubs_.finish_sharing(state_, level.direction);
    level.seconds.communicate += stopwatch.lap();
    level.traffic += hubs.traffic;
    level.claimed = hubs_.count_once(level.claimed, hubs);
  }

  /// After the last level: gives each vertex the label of its parent, on its owner. Returns the traffic of all ranks
  /// for hubs.
  Traffic settle_parents() {
    look_up_parents(state_, graph_, context_);
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

  /// Pulls these vertices by messages.
  void ask(auto& levels, IndexRange vertices, LevelStatistics& level, Stopwatch& stopwatch) {
    levels.pull(vertices, *asking_);
    asking_->report(level);
    count_between_nodes(level.traffic, nodes());
    level.seconds.compute = stopwatch.lap() - level.seconds.communicate;
  }

  /// Visits the targets of another rank's queries.
  void visit_queried(QueryMessage<Neighbour> queries) {
    queries.for_each_run([this](Neighbour parent, std::span<const Neighbour> targets) {
      visit_among_threads(state_, targets, parent, state_.tally_of_queries());
    });
  }

  SearchState<Neighbour>& state_;
  const Graph& graph_;
  const Context& context_;
  HubReplicas<Neighbour> hubs_;
  ExchangeStrategy strategy_;
  QueryExchange<Neighbour> queries_;
  QueryTargets<Neighbour> targets_;
  std::unique_ptr<MessagePull<Neighbour>> asking_;  ///< null unless pulls go by messages
};

}  // namespace breadth
