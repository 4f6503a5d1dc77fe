// The tree of a search for shortest paths with distances of 64 bits and, on one rank, the sweeps that improve it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/wide_weights.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp/tentative_tree.hpp"
#include "traverse/wide_paths.hpp"

namespace breadth {

// Distances as whole numbers.

/// Converts distances to keys, whole numbers in the same order. All are below 2^63, so that the highest bit can be a
/// lock.
template <class Distance>
struct DistanceKeys;

template <>
struct DistanceKeys<double> {
  static std::uint64_t key(double distance) noexcept { return std::bit_cast<std::uint64_t>(distance); }
  static double distance(std::uint64_t key) noexcept { return std::bit_cast<double>(key); }
  /// The key of a distance plus a weight; above all keys of finite distances if the sum overflows.
  static std::uint64_t sum(std::uint64_t key, double weight) noexcept {
    return DistanceKeys::key(distance(key) + weight);
  }
};

template <>
struct DistanceKeys<std::int64_t> {
  static std::uint64_t key(std::int64_t distance) noexcept { return static_cast<std::uint64_t>(distance); }
  static std::int64_t distance(std::uint64_t key) noexcept { return static_cast<std::int64_t>(key); }
  static std::uint64_t sum(std::uint64_t key, std::int64_t weight) noexcept {
    return key + static_cast<std::uint64_t>(weight);
  }
};

/// The key of an unreached vertex: above the keys of all distances.
inline constexpr std::uint64_t unreached_key = KeyLock<std::uint64_t>::unreached;

/// The distances and parents that the search knows so far.
template <class Parent>
using WideTree = LockedTree<std::uint64_t, Parent>;

// Distances in buckets.

/// The distances of searches in buckets: keys, along rows that are not sorted by weight.
template <class Weight, class Distance>
struct WideLengths {
  using Key = std::uint64_t;
  using Keys = DistanceKeys<Distance>;
  static constexpr bool in_order = false;
  static constexpr Key unreached = unreached_key;

  /// Weights must outlive it. -0 as max_distance means 0.
  WideLengths(std::span<const Weight> weights, Distance max_distance)
      : weights(weights.data()),
        most(std::min(Keys::key(max_distance + Distance{0}), Keys::key(wide_unreached<Distance>) - 1)) {}

  static Key sum(Key distance, Weight weight) noexcept { return Keys::sum(distance, weight); }
  static double difference(Key distance, Key from) noexcept {
    return static_cast<double>(Keys::distance(distance) - Keys::distance(from));
  }
  /// The end of a bucket that begins at `least`: above `least`, and `unreached` if the bucket holds all distances.
  static Key bucket_end(Key least, double width) noexcept {
    const double end = static_cast<double>(Keys::distance(least)) + width;
    if (!(end < static_cast<double>(Keys::distance(unreached - 1)))) return unreached;
    return std::max(Keys::key(static_cast<Distance>(end)), least + 1);
  }

  const Weight* weights;
  Key most;  ///< the largest distance
};

// Sweeps over all vertices of a graph with hubs.

/// Sweeps over an undirected graph: every vertex looks for a shorter path through its neighbours, the lightest edges
/// first, until edges are too heavy to help whatever the neighbour. No unsettled vertex is nearer than the *base*. Most
/// vertices next to a hub that is near the base need only an edge or two (traverse/sssp/sweep_search.hpp has these
/// sweeps for weights of 32 bits). A vertex reads its row if its lightest edges do not suffice.
template <class Neighbour, class Weight, class Distance>
class WideSweeps {
  using Keys = DistanceKeys<Distance>;

 public:
  /// All arguments must outlive it. No distance is above the key `most`.
  WideSweeps(WideTree<std::uint32_t>& tree, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
             const LightestEdges<Weight>& lightest, std::uint64_t most, ThreadTeam& threads)
      : tree_(tree),
        rows_(rows),
        weights_(weights),
        lightest_(lightest),
        most_(most),
        threads_(threads),
        shares_(static_cast<std::size_t>(threads.size())) {}

  /// Sweeps the first `count` vertices. Vertices nearer than the base must be settled and their edges relaxed.
  LevelStatistics sweep(std::uint64_t base, std::size_t count) {
    constexpr std::size_t vertices_per_block = 512;
    const Stopwatch stopwatch;
    for (Share& share : shares_) {
      share.closer.clear();
      share.edges_to_closer = 0;
    }
    parallel_blocks(threads_, count, vertices_per_block, [&](IndexRange range, int thread) {
      Share& share = shares_[static_cast<std::size_t>(thread)];
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (tree_.distance(i) >= base) look(static_cast<std::uint32_t>(i), base, share);
      }
    });
    LevelStatistics step{.direction = Direction::pull, .frontier = count};
    for (Share& share : shares_) {
      step.claimed += share.closer.size();
      step.edges_examined += std::exchange(share.edges_examined, 0);
    }
    step.seconds.compute = stopwatch.seconds();
    return step;
  }

  /// The number of edges of the vertices that came closer in the last sweep.
  [[nodiscard]] std::uint64_t edges_to_closer() const {
    std::uint64_t edges = 0;
    for (const Share& share : shares_) edges += share.edges_to_closer;
    return edges;
  }
  template <class Body>
  void for_each_closer(Body&& body) const {
    for (const Share& share : shares_) {
      for (const std::uint32_t vertex : share.closer) body(vertex);
    }
  }

 private:
  struct alignas(64) Share {
    std::vector<std::uint32_t> closer;
    std::uint64_t edges_to_closer = 0;
    std::uint64_t edges_examined = 0;
  };
  /// The best distance that a vertex has found, and the parent that gives it.
  struct Best {
    std::uint64_t key;
    std::uint32_t parent;
  };

  void look(std::uint32_t vertex, std::uint64_t base, Share& share) {
    const std::uint64_t before = tree_.distance(vertex);
    Best best{before, 0};
    if (!ends_among_light(vertex, base, best, share)) look_along_row(vertex, base, best, share);
    if (best.key == before) return;
    tree_.set(vertex, best.key, best.parent);
    share.closer.push_back(vertex);
    share.edges_to_closer += rows_.degree(LocalVertex{vertex});
  }

  /// Looks along the lightest edges of a vertex. Returns whether no heavier edge can give a shorter distance.
  bool ends_among_light(std::uint32_t vertex, std::uint64_t base, Best& best, Share& share) const {
    const EdgeOffset begin = lightest_.offsets[vertex];
    const EdgeOffset end = lightest_.offsets[vertex + 1];
    EdgeOffset edge = begin;
    while (edge < end && Keys::sum(base, lightest_.weights[edge]) < best.key) {
      consider(lightest_.neighbours[edge], lightest_.weights[edge], best);
      ++edge;
    }
    share.edges_examined += edge - begin;
    return edge < end || end - begin == rows_.degree(LocalVertex{vertex});
  }
  void look_along_row(std::uint32_t vertex, std::uint64_t base, Best& best, Share& share) const {
    for (EdgeOffset edge = rows_.offsets[vertex]; edge < rows_.offsets[vertex + 1]; ++edge) {
      if (Keys::sum(base, weights_[edge]) >= best.key) continue;
      consider(static_cast<std::uint32_t>(rows_.neighbours[edge]), weights_[edge], best);
    }
    share.edges_examined += rows_.degree(LocalVertex{vertex});
  }
  void consider(std::uint32_t neighbour, Weight weight, Best& best) const {
    const std::uint64_t key = tree_.distance(neighbour);
    if (key == unreached_key) return;
    const std::uint64_t candidate = Keys::sum(key, weight);
    if (candidate <= most_ && candidate < best.key) best = {candidate, neighbour};
  }

  WideTree<std::uint32_t>& tree_;
  const Adjacency<Neighbour>& rows_;
  std::span<const Weight> weights_;
  const LightestEdges<Weight>& lightest_;
  std::uint64_t most_;
  ThreadTeam& threads_;
  std::vector<Share> shares_;
};

}  // namespace breadth
