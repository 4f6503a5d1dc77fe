#include "traverse/papers/separated_search.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "comm/phase.hpp"
#include "core/stopwatch.hpp"
#include "traverse/bfs/level_traffic.hpp"
#include "traverse/bfs/parent_labels.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/papers/light_parents.hpp"
#include "traverse/papers/subgraph_visits.hpp"
#include "traverse/replication/hub_replicas.hpp"

namespace breadth {

namespace {

/// `Parents` sees to those of light vertices that queries visit (traverse/papers/light_parents.hpp).
template <class Neighbour, class Parents>
class SeparatedSearch final : public BreadthFirstSearch::Engine {
 public:
  SeparatedSearch(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const BfsOptions& options,
                  const ExchangeStrategy& strategy, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        max_depth_(options.max_depth),
        context_(context),
        state_(partition_, partition_.local_count(), {.replication = options.replication, .replicated = false},
               context_),
        replicas_(partition_, options.hub_masks, state_.replicated().nodes()),
        exchange_(context_, strategy, [this](QueryMessage<Neighbour> queries) { answer(queries); }),
        visits_(state_, adjacencies, graph, exchange_, context_.threads),
        parents_(graph, adjacencies, context_),
        hub_to_hub_(options.direction, options.subgraphs.hub_to_hub),
        hub_to_light_(options.direction, options.subgraphs.hub_to_light),
        light_to_hub_(options.direction, options.subgraphs.light_to_hub) {
    state_.make_room(partition_.local_count());
  }

  BfsResult run(Label source, LabelArray& parents) override {
    BfsResult result = search_levels(
        max_depth_, parents, context_.ranks, [&] { start(source); },
        one_by_one([this](std::uint64_t frontier) { return visit_level(frontier); }),
        [&] {
          const std::optional<SettledLights> lights = parents_.settle(state_);
          const SettledHubs hubs = replicas_.settle_parents(state_);
          write_parent_labels(state_, graph_, source, parents, context_);
          return SearchEnd{.settled = hubs, .settled_lights = lights};
        });
    std::optional<SettledLights>& lights = result.settled_lights;
    if (lights) lights->bytes_between_nodes = state_.replicated().nodes().bytes_between(lights->bytes);
    return result;
  }

  [[nodiscard]] CommunicationRecord communication() const override { return record_of(exchange_, all_reduce_seconds_); }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return 0; }

 private:
  void start(Label source) {
    state_.clear();
    const LocalVertex vertex = own_vertex(graph_, source);
    if (vertex != no_local_vertex) state_.visit_source(vertex.value, static_cast<Neighbour>(source.value));
    replicas_.start(vertex, state_);
    visits_.start();
    parents_.start();
    unvisited_hubs_ = partition_.hubs().count();
    unvisited_lights_ = partition_.local_count() - partition_.hubs().end();
    for (SubgraphDirection* direction : {&hub_to_hub_, &hub_to_light_, &light_to_hub_}) direction->start();
  }

  LevelStatistics visit_level(std::uint64_t frontier) {
    const Phase phase(context_.ranks, "level of subgraphs");
    LevelStatistics level{.frontier = frontier};
    SubgraphPulls pulls;
    Stopwatch stopwatch;
    take_frontier();
    level.seconds.convert = stopwatch.lap();
    const LevelTraffic traffic(exchange_);
    visit_hubs(pulls);
    replicas_.start_sharing(state_);
    visit_lights(pulls);
    exchange_.finish();
    parents_.end_level(state_);
    traffic.report(level, stopwatch);
    finish(level, pulls, stopwatch);
    return level;
  }

  /// What was visited in the last level becomes the frontier, hubs apart.
  void take_frontier() {
    visits_.take_frontier();
    parents_.begin_level(state_.queue());
    hubs_.clear();
    lights_.clear();
    for (const std::uint32_t vertex : state_.queue()) {
      (partition_.hubs().contains(LocalVertex{vertex}) ? hubs_ : lights_).push_back(vertex);
    }
    unvisited_hubs_ -= hubs_.size();
    unvisited_lights_ -= lights_.size();
  }

  /// From hubs and light vertices to hubs.
  void visit_hubs(SubgraphPulls& pulls) {
    pulls.hub_to_hub =
        visit_from_hubs(hub_to_hub_, unvisited_hubs_, Ends::hubs, [this] { visits_.pull_into_hubs(Ends::hubs); });
    SubgraphWork work{
        .frontier = lights_.size(), .unvisited_sources = unvisited_lights_, .unvisited_targets = unvisited_hubs_};
    if (work.idle()) return;
    if (light_to_hub_.depends_on_work()) work.push_edges = visits_.edges(lights_, Ends::hubs);
    if (light_to_hub_.choose(work) == Direction::push) {
      visits_.push_from_lights(lights_, Ends::hubs, std::identity());
    } else {
      visits_.pull_into_hubs(Ends::lights);
      pulls.light_to_hub = 1;
    }
  }

  /// From hubs and light vertices to light vertices.
  void visit_lights(SubgraphPulls& pulls) {
    pulls.hub_to_light =
        visit_from_hubs(hub_to_light_, unvisited_lights_, Ends::lights, [this] { visits_.pull_into_lights(); });
    visits_.push_from_lights(lights_, Ends::lights, typename Parents::Told());
  }

  /// From the hubs of the frontier to hubs or light vertices, whichever way that subgraph takes. Returns how many ranks
  /// pulled in it here: one or none.
  template <class Pull>
  std::uint64_t visit_from_hubs(SubgraphDirection& direction, std::uint64_t unvisited, Ends ends, Pull&& pull) {
    SubgraphWork work{.frontier = hubs_.size(), .unvisited_sources = unvisited_hubs_, .unvisited_targets = unvisited};
    if (work.idle()) return 0;
    work.push_edges = visits_.lay_out_edges(hubs_, ends);
    if (direction.choose(work) == Direction::push) {
      visits_.push_from_hubs(hubs_, ends);
      return 0;
    }
    pull();
    return 1;
  }

  /// Sums the level over threads and ranks; what it claimed is the next frontier.
  void finish(LevelStatistics& level, const SubgraphPulls& pulls, Stopwatch& stopwatch) {
    const Tally<Neighbour> tally = state_.end_level();
    level.bytes_between_nodes = state_.replicated().nodes().bytes_between(level.bytes);
    level.seconds.compute += stopwatch.lap();
    const HubLevel hubs = replicas_.finish_sharing(state_, Direction::push);
    level.seconds.communicate += stopwatch.lap();
    add_traffic(level, hubs.traffic);
    level.claimed = replicas_.count_once(tally.claimed, hubs);
    level.edges_examined = tally.edges_examined;
    std::uint64_t pulling[] = {pulls.hub_to_hub, pulls.hub_to_light, pulls.light_to_hub};
    all_reduce_seconds_ += sum_level(level, pulling, stopwatch, context_.ranks);
    level.pulling_ranks =
        SubgraphPulls{.hub_to_hub = pulling[0], .hub_to_light = pulling[1], .light_to_hub = pulling[2]};
    level.direction = pulling[0] + pulling[1] + pulling[2] > 0 ? Direction::pull : Direction::push;
  }

  /// Queries of another rank: its light vertices are neighbours of light vertices here.
  void answer(QueryMessage<Neighbour> queries) {
    queries.for_each_run(
        [this](Neighbour parent, std::span<const Neighbour> targets) { parents_.visit(targets, parent, state_); });
  }

  const Graph& graph_;
  const Partition& partition_;
  std::int64_t max_depth_;
  Context context_;
  SearchState<Neighbour> state_;
  HubReplicas<Neighbour> replicas_;
  QueryExchange<Neighbour> exchange_;
  SubgraphVisits<Neighbour> visits_;
  Parents parents_;
  SubgraphDirection hub_to_hub_;
  SubgraphDirection hub_to_light_;
  SubgraphDirection light_to_hub_;
  std::vector<std::uint32_t> hubs_;     ///< of the frontier: all of them on every rank
  std::vector<std::uint32_t> lights_;   ///< of the frontier, this rank's
  std::uint64_t unvisited_hubs_ = 0;    ///< of all
  std::uint64_t unvisited_lights_ = 0;  ///< of this rank's
  double all_reduce_seconds_ = 0;
};
}  // namespace

template <class Neighbour>
std::unique_ptr<BreadthFirstSearch::Engine> make_separated_search(const Graph& graph,
                                                                  const Adjacencies<Neighbour>& adjacencies,
                                                                  const BfsOptions& options,
                                                                  const ExchangeStrategy& strategy,
                                                                  const Context& context) {
  switch (options.subgraphs.light_parents) {
    case LightParents::with_queries: {
      using Search = SeparatedSearch<Neighbour, ParentsWithQueries<Neighbour>>;
      return std::make_unique<Search>(graph, adjacencies, options, strategy, context);
    }
    case LightParents::in_the_end: {
      using Search = SeparatedSearch<Neighbour, ParentsInTheEnd<Neighbour>>;
      return std::make_unique<Search>(graph, adjacencies, options, strategy, context);
    }
  }
  fail("unknown time for the parents of light vertices");
}

template std::unique_ptr<BreadthFirstSearch::Engine> make_separated_search(const Graph&,
                                                                           const Adjacencies<std::uint32_t>&,
                                                                           const BfsOptions&, const ExchangeStrategy&,
                                                                           const Context&);
template std::unique_ptr<BreadthFirstSearch::Engine> make_separated_search(const Graph&,
                                                                           const Adjacencies<std::uint64_t>&,
                                                                           const BfsOptions&, const ExchangeStrategy&,
                                                                           const Context&);

}  // namespace breadth
