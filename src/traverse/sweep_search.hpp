// Shortest paths on one rank, where a few hubs are near everything.
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
#include "traverse/bucket_search.hpp"
#include "traverse/bucket_width.hpp"
#include "traverse/distance_ball.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/pruned_pull.hpp"
#include "traverse/relaxation_exchange.hpp"
#include "traverse/sssp.hpp"
#include "traverse/tentative_tree.hpp"

namespace breadth {

/// Dijkstra's algorithm to the first hubs and a little farther, then sweeps in which every vertex looks at the few
/// edges that are light enough to matter: with hubs near, a vertex of degree d is about 1/d farther away than they are,
/// and of its d edges hardly more than one is lighter. The most connected vertices go first, several times, for most
/// ways lead over them; when a sweep hardly changes anything, what it changed is pushed on.
class SweepSearch {
 public:
  using Neighbour = std::uint32_t;

  /// Whether a graph has hubs, so that this is worth while, and lies in memory as it must for this.
  static bool suits(const Graph& graph, const Adjacencies<Neighbour>& adjacencies) {
    constexpr std::size_t hub_times_average = 32;
    const std::size_t vertices = graph.partition().local_count();
    return graph.layout().order == VertexOrder::degree && graph.partition().code().bound() <= std::uint64_t{1} << 31 &&
           vertices > 0 &&
           adjacencies.total_degree(LocalVertex{0}) > hub_times_average * adjacencies.edges() / vertices;
  }

  /// All of them outlive the search.
  SweepSearch(TentativeTree<Neighbour>& tree, const Adjacencies<Neighbour>& adjacencies, const Graph& graph,
              const SsspOptions& options, const Context& context)
      : tree_(tree),
        rows_(adjacencies.push_rows()),
        partition_(graph.partition()),
        limit_(std::nextafter(options.max_distance, std::numeric_limits<float>::infinity())),
        leaves_(
            first_with_at_most(1, tree.size(), [&](LocalVertex vertex) { return adjacencies.total_degree(vertex); })),
        ball_(tree, rows_, partition_, limit_),
        pull_(tree, adjacencies, graph.labels(), context.threads),
        buckets_(tree, rows_, partition_, options, context),
        delta_(choose_delta(rows_, context)) {}

  /// From the one vertex in `start`, whose distance is 0, on until no distance can be improved.
  LeafPass run(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    if (start.empty()) return {};
    SweepBounds bounds = grow_ball(start.front(), levels);
    if (std::isinf(bounds.settled)) return {};  // all that can be reached is in the ball
    for (const int shift : {6, 4, 2}) {
      for (int i = 0; i < 2; ++i) sweep(leaves_ >> shift, bounds, levels);
    }
    for (int i = 0; i < most_sweeps; ++i) {
      sweep(leaves_, bounds, levels);
      if (pull_.improved_count() <= leaves_ / few) break;
      bounds.base = bounds.settled;  // what is nearer was there for all to see
    }
    const bool nearly_done = pull_.improved_count() <= leaves_ / few;
    buckets_.run(pull_.improved(), nearly_done ? std::numeric_limits<double>::infinity() : delta_, levels);
    return visit_leaves();
  }
  /// One rank alone tells nobody anything.
  [[nodiscard]] CommunicationRecord communication() const { return {}; }

 private:
  static constexpr int most_sweeps = 8;
  /// So small a share of all vertices is pushed on one by one.
  static constexpr std::size_t few = 512;

  /// Settles the source's surroundings. The hubs among them are left to be pulled from: what the bounds call base is
  /// the first one's distance.
  SweepBounds grow_ball(std::uint32_t source, std::vector<LevelStatistics>& levels) {
    constexpr std::size_t share_of_vertices = 1024;
    constexpr std::size_t least_vertices = 64;
    const Stopwatch stopwatch;
    ball_.grow(source, std::max(least_vertices, tree_.size() / share_of_vertices));
    const float base = push_out();
    levels.push_back({.direction = Direction::push,
                      .frontier = 1,
                      .edges_examined = ball_.edges_examined(),
                      .claimed = ball_.settled().size(),
                      .seconds = {.compute = stopwatch.seconds()}});
    return {.base = base, .settled = ball_.radius(), .limit = limit_};
  }

  /// Relaxes the edges that the ball has not seen, of vertex after vertex, up to the first one with many. Returns a
  /// distance below which all vertices have all their edges relaxed.
  float push_out() {
    constexpr std::size_t many_edges = std::size_t{1} << 14;
    std::size_t edges = 0;
    for (const auto& settled : ball_.settled()) {
      const EdgeOffset end = rows_.offsets[settled.vertex + 1];
      edges += end - settled.next;
      if (edges > many_edges) return settled.distance;
      const auto label = static_cast<Neighbour>(partition_.label(LocalVertex{settled.vertex}).value);
      for (EdgeOffset edge = settled.next; edge < end; ++edge) {
        const float candidate = settled.distance + rows_.weights[edge];
        if (candidate >= limit_) break;
        tree_.improve(rows_.neighbours[edge], candidate, label);
      }
    }
    return ball_.radius();
  }

  void sweep(std::size_t end, const SweepBounds& bounds, std::vector<LevelStatistics>& levels) {
    const Stopwatch stopwatch;
    const std::uint64_t edges = pull_.sweep({0, end}, bounds);
    levels.push_back({.direction = Direction::pull,
                      .frontier = end,
                      .edges_examined = edges,
                      .claimed = pull_.improved_count(),
                      .seconds = {.compute = stopwatch.seconds()}});
  }

  /// Vertices with one edge, on which nothing depends.
  LeafPass visit_leaves() {
    const Stopwatch stopwatch;
    pull_.sweep({leaves_, tree_.size()}, {.base = 0, .settled = 0, .limit = limit_});
    return {.claimed = pull_.improved_count(), .seconds = {.compute = stopwatch.seconds()}};
  }

  TentativeTree<Neighbour>& tree_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  float limit_;
  std::size_t leaves_;
  DistanceBall<Neighbour> ball_;
  PrunedPull pull_;
  BucketSearch<Neighbour, NoRelaxationExchange> buckets_;
  double delta_;
};

}  // namespace breadth
