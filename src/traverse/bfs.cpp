// Level-synchronous, direction-optimising breadth-first search.
#include "traverse/bfs.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "graph/local_order.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/push_targets.hpp"
#include "traverse/bfs/row_levels.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/devices/gpu_search.hpp"
#include "traverse/exchange/query_exchange.hpp"
#include "traverse/papers/paper_searches.hpp"
#include "traverse/papers/scan_levels.hpp"
#include "traverse/replication/hub_replicas.hpp"

namespace breadth {

namespace {

/// How queries of a search travel. Collective.
ExchangeStrategy exchange_strategy(const BfsOptions& options, const Graph& graph, const Context& context) {
  return {.policy = options.exchange,
          .ending = options.ending,
          .packets = options.packets,
          .coalescing = options.coalescing,
          .route = make_route(options.route, graph, context),
          .combining = options.route.unique ? Combining::one : Combining::none};
}

/// Vertices that a search looks for.
class Targets {
 public:
  /// Of all ranks; the source is found before the first level.
  Targets(const Graph& graph, Label source, std::span<const Label> targets, const Communicator& ranks)
      : ranks_(ranks), wanted_(!targets.empty()) {
    for (const Label target : targets) {
      if (target == source || graph.distribution().owner(target) != graph.partition().rank()) continue;
      const LocalVertex vertex = graph.partition().local(target);
      if (vertex == no_local_vertex) {
        ++unreachable_;
      } else {
        not_found_.push_back(vertex.value);
      }
    }
  }

  /// Whether all of them are visited; false where there are none. Amortised O(1) for each. Collective.
  [[nodiscard]] bool are_in(const Bitmap& visited) {
    if (!wanted_) return false;
    while (!not_found_.empty() && visited.contains(not_found_.back())) not_found_.pop_back();
    return ranks_.all_reduce(std::uint64_t{not_found_.size() + unreachable_}, Reduction::sum) == 0;
  }
  [[nodiscard]] bool empty() const noexcept { return !wanted_; }

 private:
  const Communicator& ranks_;
  bool wanted_;
  std::vector<std::uint32_t> not_found_;  ///< on this rank, as far as is known
  std::size_t unreachable_ = 0;           ///< without edges
};

/// What is the same for every adjacency: which level comes next, and what is known of it. `Levels` carries them out
/// (traverse/bfs/row_levels.hpp, traverse/papers/scan_levels.hpp).
template <class Levels>
class LevelsEngine final : public BreadthFirstSearch::Engine {
  using Neighbour = typename Levels::Neighbour;

 public:
  template <class Adjacencies>
  LevelsEngine(const Graph& graph, const Adjacencies& adjacencies, const BfsOptions& options, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        options_(options),
        context_(context),
        rule_(rows_are_alike(graph, adjacencies, context.ranks) ? where_rows_are_alike(options.direction)
                                                                : options.direction),
        leaves_(first_leaf(adjacencies)),
        state_(partition_, leaves_, {options.summary, options.replication, !pulls_by_messages()}, context_),
        hubs_(partition_, options.hub_masks, state_.replicated().nodes()),
        searched_(context.ranks.all_reduce(hubs_.count_once(own_searched()), Reduction::sum)),
        levels_(state_, adjacencies, graph, options_, context_),
        exchange_strategy_(exchange_strategy(options, graph, context_)),
        exchange_(context_, exchange_strategy_, [this](QueryMessage<Neighbour> queries) { answer(queries); }) {
    state_.make_room(own_searched());
    if constexpr (has_messages) {
      if (!pulls_by_messages()) return;
      ExchangeStrategy strategy = exchange_strategy_;
      strategy.combining = Combining::none;  // every vertex that asks wants to know
      asking_ = std::make_unique<MessagePull<Neighbour>>(state_, partition_, graph.layout().neighbours,
                                                         std::move(strategy), exchange_, context_);
    }
  }

  BfsResult run(Label source, LabelArray& parents) override { return run_to(source, {}, parents); }

  BfsResult run_to(Label source, std::span<const Label> labels, LabelArray& parents) override {
    Targets targets(graph_, source, labels, context_.ranks);
    if (!targets.empty() && leaves_ != no_local_vertex.value) fail("a search to targets visits leaves in levels");
    DirectionChooser chooser(rule_);
    bool from_leaf = false;  // in the first level
    return search_levels(
        options_.max_depth, parents, context_.ranks, [&] { from_leaf = start(source); },
        [&](std::vector<LevelStatistics>& levels, std::int64_t most) {
          context_.threads.checkpoint();
          if (std::exchange(from_leaf, false)) {
            levels.push_back(push(no_local_vertex.value));
          } else if (chooser.choose(progress_) == Direction::pull) {
            levels.push_back(pull());
          } else if (!targets.empty() || !push_fused(most, chooser, levels)) {  // fused levels do not look for any
            levels.push_back(push(leaves_));
          }
        },
        [&] {
          const LeafPass leaves = visit_leaves();
          name_parents(state_, graph_, context_);
          const Traffic settled = hubs_.settle_parents(state_);
          write_parent_labels(state_, graph_, source, parents, context_);
          return SearchEnd{leaves, settled};
        },
        [&] { return targets.are_in(state_.visited()); });
  }

  [[nodiscard]] CommunicationRecord communication() const override {
    CommunicationRecord record = record_of(exchange_, all_reduce_seconds_);
    if (asking_) asking_->add_to(record);
    return record;
  }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return state_.replicated().borrowed_bytes(); }

 private:
  /// The first local id, the same on all ranks, from which on every vertex has one edge and is no hub. Nothing leads on
  /// from a leaf, so a search can leave them to one last pass; unless it ends at some depth, which that pass would not
  /// know. In the order of labels leaves are everywhere.
  template <class Adjacencies>
  [[nodiscard]] std::size_t first_leaf(const Adjacencies& adjacencies) const {
    const bool together = graph_.layout().order == VertexOrder::degree;
    if (!together || !options_.leaves_last || options_.max_depth != INT64_MAX) return no_local_vertex.value;
    const std::size_t first =
        first_with_at_most(1, {partition_.hubs().end(), partition_.local_count()},
                           [&adjacencies](LocalVertex vertex) { return adjacencies.total_degree(vertex); });
    return context_.ranks.all_reduce(std::uint64_t{first}, Reduction::maximum);
  }

  /// The first so many vertices of this rank are found level by level.
  [[nodiscard]] std::size_t own_searched() const { return std::min(leaves_, partition_.local_count()); }

  /// Returns whether the source is a leaf.
  bool start(Label source) {
    bool is_leaf = false;
    state_.clear();
    const LocalVertex vertex = own_vertex(graph_, source);
    if (vertex != no_local_vertex) {
      is_leaf = vertex.index() >= leaves_;
      state_.visit_source(vertex.value, static_cast<Neighbour>(source.value));
    }
    hubs_.start(vertex, state_);
    progress_ = {.frontier = 1, .vertices = graph_.connected_vertices(), .unvisited = searched_};
    levels_.start();
    std::uint64_t sums[] = {levels_.frontier_edges(), levels_.unvisited_edges(), is_leaf ? 1U : 0U};
    context_.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    progress_.frontier_edges = sums[0];
    progress_.unvisited_edges = sums[1] - std::min(sums[0], sums[1]);
    return sums[2] > 0;
  }

  /// To vertices with local ids below `end`: to leaves too where the source is one, as its only neighbour may be.
  LevelStatistics push(std::size_t end) {
    const Phase phase(context_.ranks, "push");
    LevelStatistics level{.direction = Direction::push, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    levels_.prepare_push();
    level.seconds.convert = stopwatch.lap();
    const LevelTraffic sent(exchange_);
    levels_.push(end, exchange_);
    hubs_.start_sharing(state_);  // no query names a hub
    exchange_.finish();
    sent.report(level, stopwatch);
    count_between_nodes(level.traffic, state_.replicated().nodes());
    finish(level, stopwatch);
    return level;
  }

  /// Push levels that threads go through together (traverse/bfs/fused_levels.hpp); false if there are none.
  bool push_fused(std::int64_t most, DirectionChooser& chooser, std::vector<LevelStatistics>& levels) {
    const Phase phase(context_.ranks, "push");
    constexpr std::int64_t most_in_a_phase = 4096;  // the next one is a sign of life
    const std::size_t before = levels.size();
    if (!levels_.push_fused(leaves_, exchange_, std::min(most, most_in_a_phase), levels)) return false;
    for (LevelStatistics& level : std::span(levels).subspan(before)) {
      count_between_nodes(level.traffic, state_.replicated().nodes());
      chooser.pushed_from(level.frontier);
      advance(level, levels_.frontier_edges(), levels_.unvisited_edges());
    }
    return true;
  }

  LevelStatistics pull() {
    const Phase phase(context_.ranks, "pull");
    LevelStatistics level{.direction = Direction::pull, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    if (asking_) {
      ask({0, own_searched()}, level, stopwatch);
      hubs_.start_sharing(state_);
    } else {
      share_visited(level, stopwatch);
      const std::size_t hubs_end = partition_.hubs().end();
      // Not of nothing: any pull may forget the frontier's queue, from which the next one may push.
      if (hubs_end > 0) levels_.pull({0, hubs_end});
      hubs_.start_sharing(state_);
      levels_.pull({hubs_end, own_searched()});
    }
    finish(level, stopwatch);
    return level;
  }

  /// Brings what is visited to every rank, for a pull.
  void share_visited(LevelStatistics& level, Stopwatch& stopwatch) {
    level.traffic = state_.share_visited();
    level.seconds.communicate = stopwatch.lap();
  }
  /// A pull of these vertices by messages.
  void ask(IndexRange vertices, LevelStatistics& level, Stopwatch& stopwatch) {
    levels_.pull(vertices, *asking_);
    asking_->report(level);
    count_between_nodes(level.traffic, state_.replicated().nodes());
    level.seconds.compute = stopwatch.lap() - level.seconds.communicate;
  }

  /// Every vertex with one edge gets its neighbour as parent if that was visited.
  LeafPass visit_leaves() {
    if (leaves_ == no_local_vertex.value) return {};
    const Phase phase(context_.ranks, "leaves");
    LevelStatistics pass;
    Stopwatch stopwatch;
    if (asking_) {
      ask({own_searched(), partition_.local_count()}, pass, stopwatch);
    } else {
      share_visited(pass, stopwatch);
      levels_.visit_leaves(own_searched(), partition_.local_count());
    }
    pass.claimed = state_.end_level().claimed;
    sum_level(pass, {}, stopwatch, context_.ranks);
    return {.claimed = pass.claimed, .traffic = pass.traffic, .seconds = pass.seconds};
  }

  /// Sums the level over threads and ranks; what it claimed is the next frontier. What the stopwatch has run since the
  /// last lap counts as computing.
  void finish(LevelStatistics& level, Stopwatch& stopwatch) {
    const Tally<Neighbour> tally = state_.end_level();
    level.seconds.compute += stopwatch.lap();
    const HubLevel hubs = hubs_.finish_sharing(state_, level.direction);
    level.seconds.communicate += stopwatch.lap();
    level.traffic += hubs.traffic;
    levels_.end_level(level.direction, tally.edges_examined);
    level.claimed = hubs_.count_once(tally.claimed, hubs);
    level.edges_examined = tally.edges_examined;
    std::uint64_t edges[] = {levels_.frontier_edges(), levels_.unvisited_edges()};
    const double seconds = sum_level(level, edges, stopwatch, context_.ranks);
    if (level.direction == Direction::push) all_reduce_seconds_ += seconds;
    advance(level, edges[0], edges[1]);
  }

  /// After a level; the edges are those of what it claimed, and these together with those of unvisited vertices.
  void advance(const LevelStatistics& level, std::uint64_t frontier_edges, std::uint64_t unvisited_edges) {
    progress_.frontier = level.claimed;
    progress_.unvisited -= std::min(level.claimed, progress_.unvisited);
    progress_.frontier_edges = frontier_edges;
    progress_.unvisited_edges = unvisited_edges - std::min(frontier_edges, unvisited_edges);
  }

  /// Whether there are messages at all: one rank alone looks into its own frontier.
  static constexpr bool has_messages = std::is_same_v<typename Levels::Exchange, QueryExchange<Neighbour>>;
  [[nodiscard]] bool pulls_by_messages() const { return has_messages && options_.pull == PullPolicy::messages; }

  /// Queries of another rank: its frontier vertices are neighbours of vertices here.
  void answer(QueryMessage<Neighbour> queries) {
    queries.for_each_run([this](Neighbour parent, std::span<const Neighbour> targets) {
      state_.visit(targets, parent, state_.tally_of_answers());
    });
  }

  const Graph& graph_;
  const Partition& partition_;
  BfsOptions options_;
  Context context_;
  DirectionRule rule_;
  std::size_t leaves_;
  SearchState<Neighbour> state_;
  HubReplicas<Neighbour> hubs_;
  std::uint64_t searched_;  ///< vertices that levels may find, on all ranks
  Levels levels_;
  ExchangeStrategy exchange_strategy_;
  typename Levels::Exchange exchange_;
  std::unique_ptr<MessagePull<Neighbour>> asking_;  ///< where pulls go by messages
  SearchProgress progress_;
  double all_reduce_seconds_ = 0;  ///< that ended push levels, of all searches
};

/// The levels for an adjacency and a way of reaching other ranks.
template <class Exchange, class Rows>
RowLevels<Rows, Exchange> levels_on(const IndexedAdjacencies<Rows>&);
template <class Exchange, class List>
ScanLevels<List, Exchange> levels_on(const ScannedAdjacencies<List>&);

/// Where subgraphs go their own ways.
template <class Neighbour>
std::unique_ptr<BreadthFirstSearch::Engine> make_apart(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                                       const BfsOptions& options, const Context& context) {
  return make_separated_search(graph, adjacencies, options, exchange_strategy(options, graph, context), context);
}
template <class Other>
std::unique_ptr<BreadthFirstSearch::Engine> make_apart(const Graph&, const Other&, const BfsOptions&, const Context&) {
  fail("subgraphs go their own ways in plain rows only");
}

template <class Exchange, class Adjacencies>
std::unique_ptr<BreadthFirstSearch::Engine> make_engine(const Graph& graph, const Adjacencies& adjacencies,
                                                        const BfsOptions& options, const Context& context) {
  using Levels = decltype(levels_on<Exchange>(adjacencies));
  return std::make_unique<LevelsEngine<Levels>>(graph, adjacencies, options, context);
}
}  // namespace

BreadthFirstSearch::BreadthFirstSearch(const Graph& graph, const BfsOptions& options, const Context& context)
    : graph_(graph), context_(context) {
  check(options);
  if (options.device != Device::cpu) {
    engine_ = make_gpu_search(graph, options, context);
    return;
  }
  std::visit(
      [&]<class Adjacencies>(const Adjacencies& adjacencies) {
        using Neighbour = typename Adjacencies::Neighbour;
        if constexpr (std::is_same_v<Adjacencies, GridAdjacencies<Neighbour>>) {
          engine_ = make_grid_search(graph, adjacencies, options, context);
        } else if (context.ranks.size() == 1) {
          engine_ = make_engine<NoExchange<Neighbour>>(graph, adjacencies, options, context);
        } else if (options.subgraphs.policy == SubgraphPolicy::apart) {
          engine_ = make_apart(graph, adjacencies, options, context);
        } else {
          engine_ = make_engine<QueryExchange<Neighbour>>(graph, adjacencies, options, context);
        }
      },
      graph.adjacencies());
}

BreadthFirstSearch::~BreadthFirstSearch() = default;

std::uint64_t BreadthFirstSearch::borrowed_bytes() const { return engine_->borrowed_bytes(); }

BfsResult BreadthFirstSearch::run(Label source) {
  if (parents_.size() == 0) parents_ = empty_result();
  return run(source, parents_);
}

BfsResult BreadthFirstSearch::run(Label source, LabelArray& parents) {
  graph_.require(source);
  return engine_->run(source, parents);
}

BfsResult BreadthFirstSearch::run_to(std::span<const Label> targets, Label source) {
  graph_.require(source);
  for (const Label target : targets) graph_.require(target);
  if (parents_.size() == 0) parents_ = empty_result();
  return engine_->run_to(source, targets, parents_);
}

CommunicationRecord BreadthFirstSearch::communication() const { return engine_->communication(); }

std::optional<DeviceRecord> BreadthFirstSearch::device() const { return engine_->device(); }

LabelArray BreadthFirstSearch::empty_result() const {
  LabelArray parents(graph_.distribution().count(context_.ranks.rank()), graph_.vertex_count());
  parents.fill(no_label, context_.threads);
  return parents;
}

}  // namespace breadth
