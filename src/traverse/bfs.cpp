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
#include "core/policy/direction.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/bfs/first_sources.hpp"
#include "traverse/bfs/push_visits.hpp"
#include "traverse/bfs/rank_exchange.hpp"
#include "traverse/bfs/row_levels.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/devices/gpu_search.hpp"
#include "traverse/one_rank.hpp"
#include "traverse/papers/paper_searches.hpp"
#include "traverse/papers/scan_levels.hpp"

namespace breadth {

namespace {

/// Takes the place of a RankExchange on one rank, where all neighbours are local and no vertex is a hub.
template <class Neighbour>
class OneRank {
 public:
  using Exchange = NoExchange<Neighbour>;

  OneRank(SearchState<Neighbour>& state, const Graph&, const BfsOptions&, const Context&) : state_(state) {}

  [[nodiscard]] static std::uint64_t count_once(std::uint64_t vertices) { return vertices; }
  void start(LocalVertex) {}
  void start_from_visited() {}
  void push(auto& levels, std::size_t end, LevelStatistics& level, Stopwatch&) {
    levels.push(end, none_);
    level.traffic = no_traffic;
  }
  void pull(auto& levels, std::size_t end, LevelStatistics& level, Stopwatch& stopwatch) {
    state_.share_visited(level, stopwatch);
    levels.pull({0, end});
  }
  void visit_leaves(auto& levels, IndexRange leaves, LevelStatistics& pass, Stopwatch& stopwatch) {
    state_.share_visited(pass, stopwatch);
    levels.visit_leaves(leaves.begin, leaves.end);
  }
  void finish(LevelStatistics&, Stopwatch&) {}
  Traffic settle_parents() { return no_traffic; }
  [[nodiscard]] Exchange& exchange() { return none_; }
  [[nodiscard]] CommunicationRecord communication(double all_reduce_seconds) const {
    return {.all_reduce_seconds = all_reduce_seconds};
  }

 private:
  SearchState<Neighbour>& state_;
  Exchange none_;
};

/// Runs level after level: chooses the direction and keeps the statistics, the same way for every adjacency. `Levels`
/// carries out the levels (traverse/bfs/row_levels.hpp, traverse/papers/scan_levels.hpp). `Others` reaches the other
/// ranks: a OneRank or a RankExchange.
template <class Levels, class Others>
class LevelsEngine final : public BreadthFirstSearch::Engine {
  using Neighbour = typename Levels::Neighbour;

 public:
  template <class Adjacencies>
  LevelsEngine(const Graph& graph, const Adjacencies& adjacencies, const BfsOptions& options, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        options_(options),
        context_(context),
        rule_(direction_rule(graph, adjacencies, options.direction, context.ranks)),
        leaves_(find_first_leaf(graph, adjacencies, options, context.ranks)),
        state_(partition_, leaves_, frontier_options(options, context.ranks), context_),
        others_(state_, graph, options, context_),
        searched_(context.ranks.all_reduce(others_.count_once(own_searched()), Reduction::sum)),
        levels_(state_, adjacencies, graph, options_, context_) {
    state_.make_room(own_searched());
  }

  BfsResult run(const BfsQuery& query, LabelArray& parents) override {
    check(query, {.several_sources = Levels::can_start_from_several,
                  .first_source = can_follow,
                  .targets = leaves_ == no_local_vertex.value});
    UnvisitedTargets targets(query, graph_, context_.ranks);
    BfsResult result = search(query, targets, parents);
    if (query.sources.size() != 1) result.reached += count_different(query.sources) - 1;
    return result;
  }

  bool write_depths(std::span<std::int64_t> depths) override {
    if constexpr (can_follow) return levels_.followers().write_depths(depths);
    return false;
  }
  [[nodiscard]] CommunicationRecord communication() const override {
    return others_.communication(all_reduce_seconds_);
  }
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override {
    return state_.replicated().bytes_counted_elsewhere();
  }

 private:
  static constexpr bool can_follow = Levels::can_follow;

  BfsResult search(const BfsQuery& query, UnvisitedTargets& targets, LabelArray& parents) {
    DirectionChooser chooser(rule_);
    bool from_leaf = false;  // the first level starts from a leaf
    return search_levels(
        options_.max_depth, parents, context_.ranks, [&] { from_leaf = start(query); },
        [&](std::vector<LevelStatistics>& levels, std::int64_t most) {
          context_.threads.checkpoint();
          if (std::exchange(from_leaf, false)) {
            levels.push_back(push(no_local_vertex.value));
          } else if (choose(chooser) == Direction::pull) {
            levels.push_back(pull());
          } else if (!targets.empty() || !push_fused(most, chooser, levels)) {  // fused levels ignore targets
            levels.push_back(push(leaves_));
          }
        },
        [&] {
          const LeafPass leaves = visit_leaves();
          const Traffic settled = others_.settle_parents();
          bool wants_parents = !query.only_depths;
          if constexpr (can_follow) {
            levels_.followers().settle_parents();
            wants_parents = wants_parents || !levels_.followers().has_depths();
          }
          if (wants_parents) write_parent_labels(state_, graph_, query.sources, parents, context_);
          return SearchEnd{leaves, settled};
        },
        [&] { return targets.are_in(state_.visited()); });
  }

  /// How many of this rank's vertices, the first ones, are found level by level; the others are leaves.
  [[nodiscard]] std::size_t own_searched() const { return std::min(leaves_, partition_.local_count()); }

  /// Visits the sources. Returns whether one of them, on any rank, is a leaf.
  bool start(const BfsQuery& query) {
    bool is_leaf = false;
    LocalVertex vertex = no_local_vertex;
    state_.clear();
    for (const Label source : query.sources) {
      vertex = own_vertex(graph_, source);
      if (vertex == no_local_vertex || state_.visited().contains(vertex.index())) continue;
      is_leaf = is_leaf || vertex.index() >= leaves_;
      state_.visit_source(vertex.value, static_cast<Neighbour>(source.value));
    }
    const std::uint64_t own_sources = state_.found_count();
    query.sources.size() == 1 ? others_.start(vertex) : others_.start_from_visited();
    levels_.start();
    if constexpr (can_follow) levels_.followers().start(query.sources, query.nearest);
    const auto [frontier_edges, unvisited_edges, leaves, frontier] =
        context_.ranks.sums({levels_.frontier_edges(), levels_.unvisited_edges(), is_leaf ? 1U : 0U, own_sources});
    progress_ = {.frontier = std::max<std::uint64_t>(1, frontier),
                 .vertices = graph_.connected_vertices(),
                 .unvisited = searched_};
    set_edges(frontier_edges, unvisited_edges);
    return leaves > 0;
  }

  /// The direction of the next level. If the levels can estimate whether a pull pays, the rule asks them.
  [[nodiscard]] Direction choose(DirectionChooser& chooser) const {
    if constexpr (requires { levels_.pull_pays(std::size_t{}); }) {
      return chooser.choose(progress_, [this] { return levels_.pull_pays(own_searched()); });
    } else {
      return chooser.choose(progress_);
    }
  }

  /// A push level to vertices with local ids below `end`. If the source is a leaf, `end` includes the leaves, because
  /// its only neighbour may be one.
  LevelStatistics push(std::size_t end) {
    const Phase phase(context_.ranks, "push");
    LevelStatistics level{.direction = Direction::push, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    levels_.prepare_push();
    level.seconds.convert = stopwatch.lap();
    others_.push(levels_, end, level, stopwatch);
    finish(level, stopwatch);
    return level;
  }

  /// Fused push levels (traverse/bfs/fused_levels.hpp). Returns false if the next level is not to be fused.
  bool push_fused(std::int64_t most, DirectionChooser& chooser, std::vector<LevelStatistics>& levels) {
    const Phase phase(context_.ranks, "push");
    constexpr std::int64_t most_in_a_phase = 4096;  // so that the watchdog sees progress
    const std::size_t before = levels.size();
    if (!levels_.push_fused(leaves_, others_.exchange(), std::min(most, most_in_a_phase), levels)) return false;
    for (const LevelStatistics& level : std::span(levels).subspan(before)) {
      chooser.pushed_from(level.frontier);
      advance(level, levels_.frontier_edges(), levels_.unvisited_edges());
    }
    return true;
  }

  LevelStatistics pull() {
    const Phase phase(context_.ranks, "pull");
    LevelStatistics level{.direction = Direction::pull, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    others_.pull(levels_, own_searched(), level, stopwatch);
    finish(level, stopwatch);
    return level;
  }

  /// Gives each leaf its only neighbour as the parent if that neighbour is visited.
  LeafPass visit_leaves() {
    if (leaves_ == no_local_vertex.value) return {};
    const Phase phase(context_.ranks, "leaves");
    LevelStatistics pass;
    Stopwatch stopwatch;
    others_.visit_leaves(levels_, {own_searched(), partition_.local_count()}, pass, stopwatch);
    state_.end_level(pass);
    sum_level(pass, {}, stopwatch, context_.ranks);
    return {.claimed = pass.claimed, .traffic = pass.traffic, .seconds = pass.seconds};
  }

  /// Ends a level: sums its statistics over threads and ranks, and makes the claimed vertices the next frontier. Counts
  /// the time since the stopwatch's last lap as computing.
  void finish(LevelStatistics& level, Stopwatch& stopwatch) {
    state_.end_level(level);
    level.seconds.compute += stopwatch.lap();
    others_.finish(level, stopwatch);
    levels_.end_level(level.direction, level.edges_examined);
    std::uint64_t edges[] = {levels_.frontier_edges(), levels_.unvisited_edges()};
    const double seconds = sum_level(level, edges, stopwatch, context_.ranks);
    if (level.direction == Direction::push) all_reduce_seconds_ += seconds;
    advance(level, edges[0], edges[1]);
  }

  /// Notes the progress after a level. `frontier_edges` are the edges of the claimed vertices; `unvisited_edges`
  /// include them.
  void advance(const LevelStatistics& level, std::uint64_t frontier_edges, std::uint64_t unvisited_edges) {
    progress_.frontier = level.claimed;
    progress_.unvisited -= std::min(level.claimed, progress_.unvisited);
    set_edges(frontier_edges, unvisited_edges);
  }
  void set_edges(std::uint64_t frontier_edges, std::uint64_t unvisited_edges) {
    progress_.frontier_edges = frontier_edges;
    progress_.unvisited_edges = unvisited_edges - std::min(frontier_edges, unvisited_edges);
  }

  const Graph& graph_;
  const Partition& partition_;
  BfsOptions options_;
  Context context_;
  DirectionRule rule_;
  std::size_t leaves_;  ///< the first local id that is left to the last pass
  SearchState<Neighbour> state_;
  Others others_;
  std::uint64_t searched_;  ///< how many vertices of all ranks the levels may find
  Levels levels_;
  SearchProgress progress_;
  double all_reduce_seconds_ = 0;  ///< in the all-reduces that end push levels, over all searches
};

/// The type of the levels for an adjacency and an exchange.
template <class Exchange, class Rows>
RowLevels<Rows, Exchange> levels_on(const IndexedAdjacencies<Rows>&);
template <class Exchange, class List>
ScanLevels<List, Exchange> levels_on(const ScannedAdjacencies<List>&);

template <class Others, class Adjacencies>
BfsEnginePointer make_engine(const Graph& graph, const Adjacencies& adjacencies, const BfsOptions& options,
                             const Context& context) {
  using Levels = decltype(levels_on<typename Others::Exchange>(adjacencies));
  return std::make_unique<LevelsEngine<Levels, Others>>(graph, adjacencies, options, context);
}
}  // namespace

BreadthFirstSearch::BreadthFirstSearch(const Graph& graph, const BfsOptions& options, const Context& context)
    : graph_(graph), context_(context) {
  check(options);
  if (options.device.kind != Device::cpu) {
    engine_ = make_gpu_search(graph, options, context);
    return;
  }
  std::visit(
      [&]<class Form>(const Form& adjacencies) {
        using Neighbour = typename Form::Neighbour;
        if constexpr (std::is_same_v<Form, GridAdjacencies<Neighbour>>) {
          engine_ = make_grid_search(graph, adjacencies, options, context);
        } else if (context.ranks.size() == 1) {
          engine_ = make_engine<OneRank<Neighbour>>(graph, adjacencies, options, context);
        } else if (options.subgraphs.policy == SubgraphPolicy::together) {
          engine_ = make_engine<RankExchange<Neighbour>>(graph, adjacencies, options, context);
        } else if constexpr (std::is_same_v<Form, Adjacencies<Neighbour>>) {
          engine_ = make_separated_search(graph, adjacencies, options, context);
        } else {
          fail("--subgraphs apart needs plain rows (--adjacency rows)");
        }
      },
      graph.contents().adjacencies);
}

BreadthFirstSearch::~BreadthFirstSearch() = default;

std::uint64_t BreadthFirstSearch::bytes_counted_elsewhere() const { return engine_->bytes_counted_elsewhere(); }

BfsResult BreadthFirstSearch::search(const BfsQuery& query, LabelArray& parents) {
  const std::size_t sources = query.sources.size();
  if (sources >= UINT32_MAX) fail("{} sources are too many: there may be up to 2^32 - 2", sources);
  if (!query.targets.empty() && sources != 1) fail("a search to targets has one source, not {}", sources);
  for (const Label source : query.sources) graph_.require(source);
  for (const Label target : query.targets) graph_.require(target);
  graph_.require_room(parents, context_.ranks.rank());
  return engine_->run(query, parents);
}

BfsResult BreadthFirstSearch::run_for_depths(std::span<const Label> sources, std::span<const Label> targets,
                                             std::span<std::int64_t> depths) {
  LabelArray& parents = own_parents();
  BfsResult found = search({.sources = sources, .targets = targets, .only_depths = true}, parents);
  write_depths(parents, depths);
  return found;
}

void BreadthFirstSearch::write_depths(const LabelArray& parents, std::span<std::int64_t> depths) {
  if (depths.size() != parents.size()) fail("there is room for {} depths of {} labels", depths.size(), parents.size());
  if (!engine_->write_depths(depths)) write_tree_depths(parents, depths, context_.threads);
}

CommunicationRecord BreadthFirstSearch::communication() const { return engine_->communication(); }

std::optional<DeviceRecord> BreadthFirstSearch::device() const { return engine_->device(); }

LabelArray BreadthFirstSearch::empty_result() const {
  LabelArray parents(graph_.distribution().count(context_.ranks.rank()), graph_.vertex_count());
  parents.fill(no_label, context_.threads);
  return parents;
}

}  // namespace breadth
