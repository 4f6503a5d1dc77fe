// Shortest paths where a few hubs are near everything.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph/local_order.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/bucket_search.hpp"
#include "traverse/sssp/bucket_width.hpp"
#include "traverse/sssp/distance_ball.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/pruned_pull.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Settles what is nearest to the source, up to the first hubs and a little farther, then sweeps, in which every vertex
/// looks at the few edges that are light enough to matter: with hubs near, a vertex of degree d is about 1/d farther
/// away than they are, and of its d edges hardly more than one is lighter. The most connected vertices go first,
/// several times, for most ways lead over them; when a sweep hardly changes anything, what it changed is pushed on.
/// Between sweeps ranks tell each other what came closer.
template <class Exchange>
class SweepSearch {
 public:
  using Neighbour = std::uint32_t;

  /// Whether a graph has hubs, so that this is worth while, and lies in memory as it must for this. Collective.
  static bool suits(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const Context& context) {
    constexpr std::uint64_t hub_times_average = 32;
    const std::uint64_t edges = context.ranks.all_reduce(adjacencies.edges(), Reduction::sum);
    return graph.layout().order == VertexOrder::degree && graph.partition().code().bound() <= std::uint64_t{1} << 31 &&
           edges > 0 &&
           most_connected(graph, adjacencies, context) > hub_times_average * edges / graph.connected_vertices();
  }

  /// Those of all ranks.
  using Distances = ReplicatedDistances;

  /// All of them outlive the search. Collective.
  SweepSearch(TentativeTree<Neighbour>& tree, ReplicatedDistances& replicas, HubBounds<Neighbour>& hubs,
              const Adjacencies<Neighbour>& adjacencies, const Graph& graph, const SsspOptions& options,
              const Context& context, const ExchangeStrategy& strategy)
      : tree_(tree),
        hubs_(hubs),
        rows_(adjacencies.pull_rows()),
        partition_(graph.partition()),
        context_(context),
        vertices_(graph.connected_vertices()),
        share_in_ball_(options.ball),
        hubs_first_(options.hubs_first),
        limit_(std::nextafter(options.max_distance, std::numeric_limits<float>::infinity())),
        leaves_(first_with_at_most(1, {partition_.hubs().end(), tree.size()},
                                   [&](LocalVertex vertex) { return adjacencies.total_degree(vertex); })),
        pieces_(context.ranks.size() == 1 || replicas.seen_by_all() ? 1 : most_pieces),
        delta_(choose_delta(adjacencies.push_rows(), context)),
        ball_(tree, replicas, hubs, adjacencies.push_rows(), partition_, limit_, ring_width(graph, adjacencies),
              context),
        pull_(tree, adjacencies, graph.labels(), context.threads),
        replicas_(replicas),
        buckets_(tree, replicas, hubs, adjacencies.push_rows(), partition_, options, context, strategy) {
    replicas_.search_through(leaves_);
  }

  /// From the one vertex in `start`, on one rank, whose distance is 0, on until no distance can be improved.
  LeafPass run(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    replicas_.start(start);
    SweepBounds bounds = grow_ball(start, levels);
    if (std::isinf(bounds.settled)) return {};  // all that can be reached is in the ball
    int swept = Section::nothing;
    if (hubs_first_) {
      for (const int shift : {6, 4, 2}) {
        sweep({.shift = shift, .beyond = swept}, bounds, levels);
        sweep({.shift = shift}, bounds, levels);
        swept = shift;
      }
    }
    sweep({.beyond = swept}, bounds, levels);
    bounds.base = bounds.settled;  // what is nearer was there for all to see
    std::uint64_t improved = vertices_;
    for (int i = 1; i < most_sweeps && improved > vertices_ / few; ++i) improved = sweep({}, bounds, levels);
    buckets_.run(improved_, improved <= vertices_ / few ? std::numeric_limits<double>::infinity() : delta_, levels);
    return visit_leaves();
  }
  /// What this rank sent in all runs, but for collectives.
  [[nodiscard]] CommunicationRecord communication() const { return buckets_.communication(); }

 private:
  using Section = ReplicatedDistances::Section;

  static constexpr int most_sweeps = 8;
  /// So small a share of all vertices is pushed on one by one.
  static constexpr std::uint64_t few = 512;
  /// Of a sweep on ranks that have to tell each other what they found.
  static constexpr std::size_t most_pieces = 4;

  static std::uint64_t most_connected(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                      const Context& context) {
    const Hubs& hubs = graph.partition().hubs();
    if (hubs.count() > 0) return hubs[LocalVertex{0}].degree;
    const bool any = adjacencies.out.offsets.size() > 1;
    const std::uint64_t here = any ? adjacencies.total_degree(LocalVertex{0}) : 0;
    return context.ranks.all_reduce(here, Reduction::maximum);
  }
  /// A ring has few edges of the most connected vertex, so that few are seen in vain.
  [[nodiscard]] double ring_width(const Graph& graph, const Adjacencies<Neighbour>& adjacencies) const {
    constexpr double edges_of_a_hub = 64;
    const std::uint64_t edges = context_.ranks.all_reduce(adjacencies.edges(), Reduction::sum);
    const double average = static_cast<double>(edges) / static_cast<double>(vertices_);
    return delta_ / 2 * average * edges_of_a_hub / static_cast<double>(most_connected(graph, adjacencies, context_));
  }

  /// Settles the source's surroundings. The hubs among them are left to be pulled from: what the bounds call base is
  /// the first one's distance.
  SweepBounds grow_ball(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    constexpr std::uint64_t least_vertices = 64;
    const Stopwatch stopwatch;
    ball_.grow(start, share_in_ball_ == 0 ? 1 : std::max(least_vertices, vertices_ / share_in_ball_));
    const float base = ball_.push_out();
    std::uint64_t sums[] = {ball_.edges_examined(), ball_.settled_count(), ball_.bytes()};
    context_.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    levels.push_back({.direction = Direction::push,
                      .frontier = 1,
                      .edges_examined = sums[0],
                      .claimed = sums[1],
                      .bytes = sums[2],
                      .seconds = {.compute = stopwatch.seconds()}});
    return {.base = base, .settled = ball_.radius(), .limit = limit_};
  }

  /// A section of each rank's vertices, in pieces after which ranks tell each other what came closer. Returns how many
  /// did on all ranks.
  std::uint64_t sweep(Section section, const SweepBounds& bounds, std::vector<LevelStatistics>& levels) {
    Stopwatch stopwatch;
    LevelStatistics level{.direction = Direction::pull};
    improved_.clear();
    sweep_hubs(section.shift, bounds, level);
    stopwatch.lap();
    section.pieces = pieces_;
    for (section.piece = 0; section.piece < pieces_; ++section.piece) {
      level.edges_examined += pull_.sweep(replicas_.own(section), bounds);
      level.seconds.compute += stopwatch.lap();
      const std::size_t before = improved_.size();
      pull_.append_improved(improved_);
      const ReplicatedDistances::Shared shared =
          replicas_.share(std::span<const std::uint32_t>(improved_).subspan(before), section);
      level.frontier += shared.swept;
      level.claimed += shared.changed;
      level.bytes += shared.bytes;
      level.seconds.communicate += stopwatch.lap();
    }
    std::uint64_t sums[] = {level.edges_examined, level.bytes};
    context_.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    level.edges_examined = sums[0];
    level.bytes = sums[1];
    levels.push_back(level);
    return level.claimed;
  }

  /// The same of hubs: each rank looks along its share of their edges.
  void sweep_hubs(int shift, const SweepBounds& bounds, LevelStatistics& level) {
    if (hubs_.count() == 0) return;
    Stopwatch stopwatch;
    const std::size_t count = std::min(hubs_.count(), leaves_ >> shift);
    level.edges_examined += hubs_.pull(rows_, count, bounds);
    level.frontier += context_.ranks.all_reduce(std::uint64_t{count}, Reduction::maximum);
    level.seconds.compute += stopwatch.lap();
    hubs_.reduce([&](std::uint32_t hub) { improved_.push_back(hub); });
    level.claimed += improved_.size();
    level.bytes += hubs_.take_bytes();
    level.seconds.communicate += stopwatch.lap();
  }

  /// Vertices with one edge, on which nothing depends. What their neighbours got since they were last shared was pushed
  /// to them.
  LeafPass visit_leaves() {
    const Stopwatch stopwatch;
    pull_.sweep({leaves_, tree_.size()}, {.base = 0, .settled = 0, .limit = limit_});
    pull_.name_parents(partition_, context_);
    return {.claimed = context_.ranks.all_reduce(std::uint64_t{pull_.improved_count()}, Reduction::sum),
            .seconds = {.compute = stopwatch.seconds()}};
  }

  TentativeTree<Neighbour>& tree_;
  HubBounds<Neighbour>& hubs_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  Context context_;
  std::uint64_t vertices_;       ///< on all ranks
  std::uint64_t share_in_ball_;  ///< one of so many; 0 for the source alone
  bool hubs_first_;
  float limit_;
  std::size_t leaves_;
  std::size_t pieces_;
  double delta_;
  DistanceBall<Neighbour> ball_;
  PrunedPull pull_;
  ReplicatedDistances& replicas_;
  BucketSearch<Neighbour, Exchange, Distances> buckets_;
  std::vector<std::uint32_t> improved_;  ///< here in the last sweep, some perhaps twice
};

}  // namespace breadth
