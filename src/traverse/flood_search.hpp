// Shortest paths where a search soon reaches much of the graph.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "traverse/bucket_width.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/local_buckets.hpp"
#include "traverse/pruned_pull.hpp"
#include "traverse/sssp.hpp"
#include "traverse/tentative_tree.hpp"

namespace breadth {

/// Delta-stepping on one rank until much of the graph waits in buckets. Then nearly every vertex has a distance, not
/// far from its own, and only its lightest edges can shorten it: vertices look for themselves, again and again, instead
/// of being told along every edge ("pull", Chakaravarthy et al. 2014, section III-C, here of all buckets at once). When
/// few came closer, that is pushed on. Where a search never has much of the graph before it, as on roads, it is
/// delta-stepping.
class FloodSearch {
 public:
  using Neighbour = std::uint32_t;

  /// Whether vertices have edges enough, and lie in memory as they must for this.
  static bool suits(const Graph& graph, const Adjacencies<Neighbour>& adjacencies) {
    constexpr std::uint64_t least_average = 6;
    return graph.partition().code().bound() <= std::uint64_t{1} << 31 &&
           adjacencies.edges() >= least_average * graph.connected_vertices();
  }

  static TentativeTree<Neighbour> make_tree(const Partition& partition, const Context& context) {
    return {partition.local_count(), context.threads};
  }

  /// All of them outlive the search.
  FloodSearch(TentativeTree<Neighbour>& tree, const Adjacencies<Neighbour>& adjacencies, const Graph& graph,
              const SsspOptions& options, const Context& context, const ExchangeStrategy& strategy)
      : tree_(tree),
        limit_(std::nextafter(options.max_distance, std::numeric_limits<float>::infinity())),
        delta_(choose_delta(adjacencies.push_rows(), context)),
        buckets_(tree, adjacencies.push_rows(), graph.partition(), options, context, strategy),
        pull_(tree, adjacencies, graph.labels(), context.threads) {}

  LeafPass run(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    const char* e = std::getenv("FLOOD");
    const auto most_waiting = static_cast<std::int64_t>(tree_.size() / (e ? std::strtoul(e, nullptr, 10) : 2));
    const float settled = buckets_.run_while(start, delta_, most_waiting, levels);
    if (std::isinf(settled)) return {};
    const SweepBounds bounds{.base = settled, .settled = settled, .limit = limit_};
    bool nearly_done = false;
    for (int i = 0; i < most_sweeps && !nearly_done; ++i) nearly_done = sweep(bounds, levels) <= tree_.size() / few;
    buckets_.run(pull_.improved(), nearly_done ? std::numeric_limits<double>::infinity() : delta_, levels);
    return {};
  }
  [[nodiscard]] CommunicationRecord communication() const { return {}; }

 private:
  static constexpr int most_sweeps = 8;
  /// So small a share of all vertices is pushed on one by one.
  static constexpr std::size_t few = 512;

  /// Returns how many vertices came closer.
  std::size_t sweep(const SweepBounds& bounds, std::vector<LevelStatistics>& levels) {
    const Stopwatch stopwatch;
    const std::uint64_t edges = pull_.sweep({0, tree_.size()}, bounds);
    const std::size_t improved = pull_.improved_count();
    levels.push_back({.direction = Direction::pull,
                      .frontier = tree_.size(),
                      .edges_examined = edges,
                      .claimed = improved,
                      .seconds = {.compute = stopwatch.seconds()}});
    return improved;
  }

  TentativeTree<Neighbour>& tree_;
  float limit_;
  double delta_;
  LocalBuckets<TentativeTree<Neighbour>> buckets_;
  PrunedPull pull_;
};

}  // namespace breadth
