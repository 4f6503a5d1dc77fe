#include "traverse/wide_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "comm/agreement.hpp"
#include "comm/nodes.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/sssp/bucket_search.hpp"
#include "traverse/sssp/local_buckets.hpp"
#include "traverse/sssp/sssp_engine.hpp"
#include "traverse/sssp/wide_tree.hpp"

namespace breadth {

template <class Weight, class Distance>
class WidePathSearch<Weight, Distance>::Engine {
 public:
  virtual ~Engine() = default;
  virtual WidePaths<Distance> run_to(std::span<const Label> targets, Label source) = 0;
};

namespace {
/// Writes distances and parents of all labels of a rank, in their order; vertices beyond `most` are unreached. Returns
/// how many have a distance.
template <class Distance, class Parent, class LabelOf>
std::uint64_t write(const WideTree<Parent>& tree, const ConnectedLabels& connected, std::uint64_t most,
                    WidePaths<Distance>& found, ThreadTeam& threads, LabelOf&& label_of) {
  return write_paths(tree, connected, std::min(most, unreached_key - 1), wide_unreached<Distance>,
                     found.distances.span(), found.parents.span(), threads, DistanceKeys<Distance>::distance, label_of);
}

template <class Distance>
WidePaths<Distance> room_for_paths(std::size_t labels) {
  return {.distances = Buffer<Distance>(labels), .parents = Buffer<std::int64_t>(labels)};
}

/// Gives a source without edges its path to itself, on the rank that owns it. Returns whether it did.
template <class Distance>
bool set_lone_source(const Graph& graph, Label source, WidePaths<Distance>& found) {
  const std::optional<std::size_t> place = lone_source(graph, source);
  if (!place) return false;
  found.distances[*place] = 0;
  found.parents[*place] = source.value;
  return true;
}

template <class Distance>
std::string overflow_text() {
  return fmt::format("distances go beyond {}, the largest of 64 bits; a cutoff of at most that excludes them",
                     DistanceKeys<Distance>::distance(DistanceKeys<Distance>::key(wide_unreached<Distance>) - 1));
}

// On one rank.

/// The search on one rank.
template <class Neighbour, class Weight, class Distance>
class WideEngine final : public WidePathSearch<Weight, Distance>::Engine {
 public:
  WideEngine(const Graph& graph, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
             const LightestEdges<Weight>* lightest, const WidePathOptions<Distance>& options, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        undirected_(graph.directedness() == Directedness::undirected),
        rows_(rows),
        ranks_(context.ranks),
        threads_(context.threads),
        wants_all_(options.max_distance == wide_unreached<Distance>),
        delta_(options.engine.delta > 0 ? options.engine.delta
                                        : choose_delta(weights, rows.offsets.size() - 1, context)),
        lengths_(weights, options.max_distance),
        keys_(partition_.local_count()),
        tree_(keys_.span(), {0, keys_.size()}, threads_),
        buckets_(tree_, LocalNames(), rows, partition_, lengths_,
                 {options.engine.bucket_batch, options.engine.small_batch, options.engine.fuse}, context) {
    if (lightest != nullptr && !lightest->empty() && options.engine.sweeps && options.engine.delta == 0) {
      sweeps_.emplace(tree_, rows, weights, *lightest, lengths_.most, threads_);
    }
  }

  WidePaths<Distance> run_to(std::span<const Label> wanted, Label source) override {
    const Stopwatch stopwatch;
    auto found = room_for_paths<Distance>(partition_.distribution().vertex_count());
    tree_.clear(threads_);
    const std::vector<std::uint32_t> targets = own_targets(wanted, source, graph_, ranks_).vertices;
    const LocalVertex vertex = partition_.local(source);
    std::uint64_t farthest = unreached_key;
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, vertex.value);
      search_from(vertex.value, targets, found.steps);
      farthest = farthest_of(targets);
      const bool ended_early = farthest != unreached_key;
      if (wants_all_ && !ended_early && (sweeps_ || buckets_.found_too_far())) require_all_reached();
    }
    found.reached = write(tree_, partition_.connected(), farthest, found, threads_,
                          [&](std::uint32_t parent) { return partition_.label(LocalVertex{parent}).value; });
    if (set_lone_source(graph_, source, found)) ++found.reached;
    found.seconds = stopwatch.seconds();
    return found;
  }

 private:
  /// The key of the farthest target's distance; unreached_key if there are no targets or one is not reached.
  [[nodiscard]] std::uint64_t farthest_of(std::span<const std::uint32_t> targets) const {
    if (targets.empty()) return unreached_key;
    std::uint64_t most = 0;
    for (const std::uint32_t target : targets) most = std::max(most, tree_.distance(target));
    return most;
  }

  /// Searches from the source. Before sweeps, it settles the nearest vertices in narrow buckets, so that few others are
  /// relaxed.
  void search_from(std::uint32_t source, std::span<const std::uint32_t> targets, std::vector<LevelStatistics>& steps) {
    constexpr std::uint64_t ball_divisor = 64;
    constexpr double narrower = 64;
    buckets_.clear();
    buckets_.add(source);
    if (sweeps_ && targets.empty()) {
      buckets_.settle(delta_ / narrower, steps, {}, rows_.entries() / ball_divisor);
      const std::uint64_t base = buckets_.least_waiting();
      if (base != unreached_key) sweep_beyond(base, steps);
    }
    buckets_.settle(delta_, steps, targets);
  }
  /// Sweeps the most connected vertices first, because most paths lead through them, then all vertices, until the
  /// vertices that came closer have few edges. These vertices replace all that waited in the buckets.
  void sweep_beyond(std::uint64_t base, std::vector<LevelStatistics>& steps) {
    constexpr std::array<std::size_t, 5> parts{64, 64, 16, 16, 4};  // vertices are in the order of degrees
    constexpr int max_sweeps = 8;
    constexpr std::uint64_t share_for_buckets = 32;
    buckets_.clear();
    for (const std::size_t part : parts) steps.push_back(sweeps_->sweep(base, tree_.size() / part));
    for (int i = 0; i < max_sweeps; ++i) {
      threads_.checkpoint();
      steps.push_back(sweeps_->sweep(base, tree_.size()));
      if (sweeps_->edges_to_closer() <= rows_.entries() / share_for_buckets) break;
    }
    sweeps_->for_each_closer([&](std::uint32_t vertex) { buckets_.add(vertex); });
  }

  /// Throws DistanceOverflow if an edge leads from a vertex with a distance to one without. Undirected edges are looked
  /// at from the vertices without a distance, because these are few or in other components.
  void require_all_reached() const {
    constexpr std::size_t vertices_per_block = 1024;
    const std::uint64_t left_out = parallel_sum(threads_, tree_.size(), vertices_per_block, [&](std::size_t vertex) {
      if (has_distance(vertex) == undirected_) return std::uint64_t{0};
      const auto row = rows_.row(LocalVertex{static_cast<std::uint32_t>(vertex)});
      const auto differs = [&](Neighbour neighbour) { return has_distance(neighbour) == undirected_; };
      return static_cast<std::uint64_t>(std::count_if(row.begin(), row.end(), differs));
    });
    if (left_out == 0) return;
    throw DistanceOverflow(overflow_text<Distance>());
  }
  [[nodiscard]] bool has_distance(std::size_t vertex) const { return tree_.distance(vertex) != unreached_key; }

  const Graph& graph_;
  const Partition& partition_;
  bool undirected_;
  const Adjacency<Neighbour>& rows_;
  const Communicator& ranks_;
  ThreadTeam& threads_;
  bool wants_all_;
  double delta_;
  WideLengths<Weight, Distance> lengths_;
  Buffer<std::uint64_t> keys_;
  WideTree<std::uint32_t> tree_;
  LocalBuckets<Neighbour, WideTree<std::uint32_t>, LocalNames, WideLengths<Weight, Distance>> buckets_;
  std::optional<WideSweeps<Neighbour, Weight, Distance>> sweeps_;  ///< if lightest edges are given
};

// On several ranks.

/// Replaces HubBounds if no vertex has replicas.
struct NoHubBounds {
  static bool contains(std::size_t) noexcept { return false; }
  static bool counts_here(std::size_t) noexcept { return true; }
  static void propose(std::size_t, std::uint64_t, std::uint64_t) noexcept {}
  template <class Body>
  static void reduce(Body&&) noexcept {}
  static std::uint64_t take_bytes() noexcept { return 0; }
};

/// Delta-stepping on several ranks.
template <class Neighbour, class Weight, class Distance>
class WideRankEngine final : public WidePathSearch<Weight, Distance>::Engine {
  using Lengths = WideLengths<Weight, Distance>;
  using Distances = OwnDistances<std::uint64_t>;

 public:
  WideRankEngine(const Graph& graph, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
                 const WidePathOptions<Distance>& options, const Context& context)
      : graph_(graph),
        context_(context),
        wants_all_(options.max_distance == wide_unreached<Distance>),
        distances_(run_together(context.ranks,
                                [&, nodes = Nodes(context.ranks, options.engine.messages.route.ranks_per_node)] {
                                  return Distances(graph.partition(), std::nullopt, nodes, context);
                                })),
        tree_(run_together(
            context.ranks,
            [&] { return WideTree<Neighbour>(distances_.by_global_id(), distances_.own_places(), context.threads); })),
        buckets_(tree_, distances_, hubs_, rows, Lengths(weights, options.max_distance), graph.partition(),
                 options.engine, context_,
                 exchange_strategy(options.engine.messages, Combining::lightest, graph, context_)),
        delta_(options.engine.delta > 0
                   ? options.engine.delta
                   : choose_delta(weights, rows.offsets.size() - 1, context) * buckets_.width_factor()) {}

  WidePaths<Distance> run_to(std::span<const Label> wanted, Label source) override {
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    auto found = run_together(
        context_.ranks, [&] { return room_for_paths<Distance>(graph_.distribution().count(context_.ranks.rank())); });
    tree_.clear(context_.threads);
    std::vector<std::uint32_t> start;
    const LocalVertex vertex = own_vertex(graph_, source);
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, static_cast<Neighbour>(source.value));
      start.push_back(vertex.value);
    }
    const OwnTargets targets = own_targets(wanted, source, graph_, context_.ranks);
    buckets_.run(start, delta_, found.steps, targets);
    const std::uint64_t farthest = buckets_.farthest(targets);
    const bool ended_early = farthest != unreached_key;
    if (wants_all_ && !ended_early && buckets_.leaves_some_out()) throw DistanceOverflow(overflow_text<Distance>());
    found.reached = write(tree_, graph_.partition().connected(), farthest, found, context_.threads,
                          [](Neighbour parent) { return static_cast<std::int64_t>(parent); });
    if (set_lone_source(graph_, source, found)) ++found.reached;
    found.reached = context_.ranks.all_reduce(found.reached, Reduction::sum);
    found.seconds = context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    return found;
  }

 private:
  const Graph& graph_;
  Context context_;
  bool wants_all_;
  NoHubBounds hubs_;
  Distances distances_;
  WideTree<Neighbour> tree_;
  ExchangedBuckets<Neighbour, RelaxationExchange<Neighbour, std::uint64_t>, Distances, WideTree<Neighbour>, NoHubBounds,
                   Lengths>
      buckets_;
  double delta_;
};

template <class Distance>
void check(const WidePathOptions<Distance>& options) {
  check(options.engine);
  if (!(options.max_distance >= 0)) fail("max-distance is {}; it must be at least 0", options.max_distance);
}
}  // namespace

template <class Weight, class Distance>
WidePathSearch<Weight, Distance>::WidePathSearch(const Graph& graph, std::span<const Weight> weights,
                                                 const LightestEdges<Weight>* lightest,
                                                 const WidePathOptions<Distance>& options, const Context& context)
    : graph_(graph) {
  check(options);
  if (graph.partition().hubs().count() > 0) {
    fail("shortest paths of 64-bit weights need a graph without replicas of hubs");
  }
  constexpr const char* not_in_rows = "shortest paths of 64-bit weights need a graph in plain rows";
  visit_plain_rows(graph, not_in_rows, [&]<class Neighbour>(const Adjacency<Neighbour>& rows) {
    run_together(context.ranks, [&] {
      if (weights.size() == rows.entries()) return;
      fail("there are {} weights for rows of {} entries", weights.size(), rows.entries());
    });
    if (context.ranks.size() > 1) {
      engine_ = std::make_unique<WideRankEngine<Neighbour, Weight, Distance>>(graph, rows, weights, options, context);
    } else {
      engine_ =
          std::make_unique<WideEngine<Neighbour, Weight, Distance>>(graph, rows, weights, lightest, options, context);
    }
  });
}

template <class Weight, class Distance>
WidePathSearch<Weight, Distance>::~WidePathSearch() = default;

template <class Weight, class Distance>
WidePaths<Distance> WidePathSearch<Weight, Distance>::run_to(std::span<const Label> targets, Label source) {
  graph_.require(source);
  for (const Label target : targets) graph_.require(target);
  return engine_->run_to(targets, source);
}

template class WidePathSearch<float, double>;
template class WidePathSearch<double, double>;
template class WidePathSearch<std::int64_t, std::int64_t>;

}  // namespace breadth
