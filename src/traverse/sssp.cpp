#include "traverse/sssp.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/replication.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/devices/gpu_search.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/sssp/bucket_search.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/sssp_engine.hpp"
#include "traverse/sssp/sweep_search.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

namespace {

/// Marks vertices farther away than `most` as unreached: an infinite distance, and no_label as parent. Returns how many
/// vertices have a distance.
template <class Neighbour>
std::uint64_t mark_unreached(TentativeTree<Neighbour>& found, float most, ThreadTeam& threads) {
  constexpr std::size_t vertices_per_block = std::size_t{1} << 15;
  float* const distances = found.distances();
  Neighbour* const parents = found.parents().data();
  return parallel_sum(threads, found.size(), vertices_per_block, [&](std::size_t i) {
    const bool is_reached = distances[i] <= most;
    if (!is_reached) {
      distances[i] = TentativeTree<Neighbour>::unreached;
      parents[i] = static_cast<Neighbour>(no_label.value);
    }
    return std::uint64_t{is_reached};
  });
}

/// Writes the distance and the parent of every label of this rank's block; vertices beyond `most` are unreached.
/// Returns how many of the rank's vertices have a distance. Walks over the block in label order.
template <class Neighbour>
std::uint64_t write_tree(TentativeTree<Neighbour>& found, float most, const Graph& graph, ShortestPathTree& tree,
                         ThreadTeam& threads) {
  const ConnectedLabels& connected = graph.partition().connected();
  const std::uint64_t reached = mark_unreached(found, most, threads);
  connected.write_in_label_order(std::span<const Neighbour>(found.parents()), tree.parents, threads);
  connected.write_in_label_order(static_cast<const float*>(found.distances()), std::numeric_limits<float>::infinity(),
                                 tree.distances.span(), threads);
  return reached;
}

/// Returns "an edge from vertex 3 to 7"; without " to 7" if this rank does not know the label of the target.
template <class Neighbour>
std::string edge_text(const Graph& graph, LocalVertex from, Neighbour to) {
  std::string text = fmt::format("an edge from vertex {}", graph.partition().label(from).value);
  if (!graph.contents().labels.contains(to)) return text;
  return fmt::format("{} to {}", text, graph.contents().labels.label(to).value);
}

/// Throws AgreedError for a weight that is negative or not a number. Looks at the first and the last weight of each
/// row, because rows are sorted by weight.
template <class Neighbour>
void check_weights(const Graph& graph, const Adjacency<Neighbour>& rows, const Context& context) {
  run_together(context.ranks, [&] {
    const std::size_t count = graph.partition().local_count();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (rows.degree(LocalVertex{i}) == 0) continue;
      for (const EdgeOffset edge : {rows.offsets[i], rows.offsets[i + 1] - 1}) {
        if (rows.weights[edge] >= 0) continue;
        fail("{} has weight {}; shortest paths need weights of at least 0",
             edge_text(graph, LocalVertex{i}, rows.neighbours[edge]), rows.weights[edge]);
      }
    }
  });
}

/// Delta-stepping without sweeps, for any graph on several ranks.
template <class OneNeighbour, class Exchange, class KnownDistances>
class BucketStrategy {
 public:
  using Neighbour = OneNeighbour;
  using Distances = KnownDistances;

  BucketStrategy(TentativeTree<Neighbour>& tree, Distances& distances, HubBounds<Neighbour>& hubs,
                 const Adjacencies<Neighbour>& adjacencies, const Graph& graph, const SsspOptions& options,
                 const Context& context, const ExchangeStrategy& strategy)
      : distances_(distances),
        buckets_(tree, distances, hubs, adjacencies.push_rows(),
                 {adjacencies.push_rows().weights.data(), options.max_distance}, graph.partition(), options, context,
                 strategy),
        delta_(options.delta > 0 ? options.delta
                                 : choose_delta(adjacencies.push_rows(), context) * buckets_.width_factor()) {}

  /// Searches, and returns the distance of the farthest target; infinity if there are none or not all are reached.
  float run_to(const OwnTargets& targets, std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    distances_.start({});
    buckets_.run(start, delta_, levels, targets);
    return buckets_.farthest(targets);
  }
  [[nodiscard]] CommunicationRecord communication() const { return buckets_.communication(); }

 private:
  Distances& distances_;
  ExchangedBuckets<Neighbour, Exchange, Distances> buckets_;
  double delta_;
};

/// The part of a search that does not depend on the strategy: sets the source's distance, and writes the tree at the
/// end. `Strategy` finds the paths from the vertices in `start`, until no distance can be improved. On one rank that is
/// the source; on the others `start` is empty, except if the source is a hub, which has a replica on each.
template <class Strategy>
class StrategyEngine final : public ShortestPathSearch::Engine {
  using Neighbour = typename Strategy::Neighbour;

 public:
  StrategyEngine(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const SsspOptions& options,
                 const Nodes& nodes, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        context_(context),
        distances_(partition_, options.replicate, nodes, context_),
        tree_(distances_.by_global_id(), distances_.own_places(), context.threads),
        hubs_(partition_, tree_, context_),
        strategy_(tree_, distances_, hubs_, adjacencies, graph, options, context_,
                  exchange_strategy(options.messages, Combining::lightest, graph, context_)) {}

  SsspResult run(Label source, ShortestPathTree& tree) override { return search({}, source, tree); }
  SsspResult run_to(Label source, std::span<const Label> targets, ShortestPathTree& tree) override {
    return ends_at_targets ? search(targets, source, tree) : Engine::run_to(source, targets, tree);
  }
  [[nodiscard]] CommunicationRecord communication() const override { return strategy_.communication(); }
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const override { return distances_.bytes_counted_elsewhere(); }

 private:
  static constexpr bool ends_at_targets = requires(Strategy strategy) { &Strategy::run_to; };

  SsspResult search(std::span<const Label> targets, Label source, ShortestPathTree& tree) {
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    tree_.clear(context_.threads);
    std::vector<std::uint32_t> start;
    const LocalVertex vertex = hubs_.start(own_vertex(graph_, source));
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, static_cast<Neighbour>(source.value));
      if (hubs_.contains(vertex.index())) hubs_.know(vertex.index());
      start.push_back(vertex.value);
    }
    LeafPass leaves;
    float most = std::numeric_limits<float>::max();
    if constexpr (ends_at_targets) {
      const OwnTargets own = own_targets(targets, source, graph_, context_.ranks);
      most = std::min(most, strategy_.run_to(own, start, levels));
    } else {
      leaves = strategy_.run(start, levels);
    }
    const Traffic settled = hubs_.settle_parents();
    std::uint64_t reached = write_tree(tree_, most, graph_, tree, context_.threads);
    reached -= hubs_.counted_elsewhere();
    if (set_lone_source(graph_, source, tree)) ++reached;
    reached = context_.ranks.all_reduce(reached, Reduction::sum);
    const double seconds = context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    return {tree, std::move(levels), leaves, settled, seconds, reached};
  }

  const Graph& graph_;
  const Partition& partition_;
  Context context_;
  typename Strategy::Distances distances_;
  TentativeTree<Neighbour> tree_;
  HubBounds<Neighbour> hubs_;
  Strategy strategy_;
};

/// Whether buckets know the distances of other ranks' vertices: if that pays and is not switched off. Collective.
template <class Neighbour>
bool knows_others(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const SsspOptions& options,
                  const Nodes& nodes) {
  if (!options.known_distances) return false;
  const std::uint64_t entries = nodes.all().all_reduce(adjacencies.edges(), Reduction::sum);
  return worth_knowing_others(nodes.count(), graph.connected_vertices(), entries);
}

template <class Neighbour>
PathEnginePointer make_engine(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const SsspOptions& options,
                              const Context& context) {
  check_weights(graph, adjacencies.push_rows(), context);
  if (options.device.kind != Device::cpu) return make_gpu_paths(graph, options, context);
  const Nodes nodes(context.ranks, options.messages.route.ranks_per_node);
  const auto make = [&]<class Strategy>(std::type_identity<Strategy>) -> PathEnginePointer {
    return std::make_unique<StrategyEngine<Strategy>>(graph, adjacencies, options, nodes, context);
  };
  const auto make_for = [&]<class Exchange>(std::type_identity<Exchange>) {
    if constexpr (sizeof(Neighbour) == 4) {
      if (options.sweeps && options.delta == 0 && SweepSearch<Exchange>::suits(graph, adjacencies, context)) {
        return make(std::type_identity<SweepSearch<Exchange>>());
      }
    }
    if constexpr (std::is_same_v<Exchange, NoRelaxationExchange>) {
      return make_local_paths(graph, adjacencies, options, context);
    } else {
      if constexpr (sizeof(Neighbour) == 4) {
        if (knows_others(graph, adjacencies, options, nodes)) {
          return make(std::type_identity<BucketStrategy<Neighbour, Exchange, ReplicatedDistances>>());
        }
      }
      return make(std::type_identity<BucketStrategy<Neighbour, Exchange, OwnDistances<float>>>());
    }
  };
  if (context.ranks.size() > 1) return make_for(std::type_identity<RelaxationExchange<Neighbour>>());
  return make_for(std::type_identity<NoRelaxationExchange>());
}

}  // namespace

ShortestPathSearch::ShortestPathSearch(const Graph& graph, const SsspOptions& options, const Context& context)
    : graph_(graph), context_(context) {
  check(options);
  if (graph.layout().neighbours != NeighbourOrder::weights) {
    throw AgreedError("shortest paths need a graph with neighbours in the order of weights");
  }
  visit_rows(graph, [&]<class Any>(const Any& adjacencies) {
    if constexpr (requires { adjacencies.push_rows().weights; }) {
      engine_ = make_engine(graph, adjacencies, options, context);
    }
  });
}

ShortestPathSearch::~ShortestPathSearch() = default;

SsspResult ShortestPathSearch::run_to(std::span<const Label> targets, Label source, ShortestPathTree& tree) {
  graph_.require(source);
  for (const Label target : targets) graph_.require(target);
  graph_.require_room(tree.parents, context_.ranks.rank());
  if (tree.distances.size() != tree.parents.size()) {
    fail("there is room for {} distances of {} labels", tree.distances.size(), tree.parents.size());
  }
  return targets.empty() ? engine_->run(source, tree) : engine_->run_to(source, targets, tree);
}

CommunicationRecord ShortestPathSearch::communication() const { return engine_->communication(); }

std::optional<DeviceRecord> ShortestPathSearch::device() const { return engine_->device(); }

std::uint64_t ShortestPathSearch::bytes_counted_elsewhere() const { return engine_->bytes_counted_elsewhere(); }

ShortestPathTree ShortestPathSearch::empty_result() const {
  const std::size_t count = graph_.distribution().count(context_.ranks.rank());
  ShortestPathTree tree{LabelArray(count, graph_.vertex_count()), Buffer<float>(count)};
  tree.parents.fill(no_label, context_.threads);
  parallel_fill(context_.threads, tree.distances.span(), std::numeric_limits<float>::infinity());
  return tree;
}

}  // namespace breadth
