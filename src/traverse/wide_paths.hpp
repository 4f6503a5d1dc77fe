// Single-source shortest paths with distances of 64 bits.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph.hpp"
#include "graph/wide_weights.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

/// A distance is larger than its type has room for.
class DistanceOverflow : public Error {
 public:
  using Error::Error;
};

/// The distance of an unreached vertex: infinity, or the largest integer.
template <class Distance>
inline constexpr Distance wide_unreached = std::numeric_limits<Distance>::has_infinity
                                               ? std::numeric_limits<Distance>::infinity()
                                               : std::numeric_limits<Distance>::max();

/// The options of a WidePathSearch. `engine` never changes a distance.
template <class Distance>
struct WidePathOptions {
  /// Only these fields have an effect: delta and fuse; on one rank bucket_batch, small_batch and, if the graph has
  /// hubs, sweeps; on several ranks coalescing, exchange, ending and route. All must pass check(). Packets are runs.
  SsspOptions engine = {};
  /// Vertices farther away count as unreached. If this is wide_unreached, a distance that is too large is an error.
  /// >= 0.
  Distance max_distance = wide_unreached<Distance>;
};

/// The result of one search: an entry for each label of this rank.
template <class Distance>
struct WidePaths {
  Buffer<Distance> distances;    ///< wide_unreached if unreached
  Buffer<std::int64_t> parents;  ///< the previous label on a shortest path; the source's is itself; -1 if unreached
  std::vector<LevelStatistics> steps;  ///< `frontier`: vertices settled, `claimed`: how often a distance decreased
  double seconds = 0;                  ///< from the search key to distances and parents in memory; of the slowest rank
  std::uint64_t reached = 0;           ///< vertices with a distance, on all ranks
};

/// Searches one graph for shortest paths any number of times, by delta-stepping (Meyer & Sanders 2003) and, on one
/// rank, by sweeps if lightest edges are given. Weight and Distance are float and double, double and double, or
/// std::int64_t and std::int64_t. All members are collective.
///
/// Integer distances are exact. Double distances are the greatest solution of d(source) = 0 and d(v) = min over edges
/// (u, v) of fl(d(u) + w). They do not depend on ranks, threads and options, and equal those of Dijkstra's algorithm.
/// Parents form a tree even if weights are zero or vanish in rounding.
template <class Weight, class Distance>
class WidePathSearch {
 public:
  /// `weights` has one weight for each entry of the rows along the edges (Adjacency::weights, or
  /// graph/wide_weights.hpp); they must be finite and at least 0. `lightest` has the lightest edges of each vertex, or
  /// is nullptr or empty. Graph, weights and context must outlive the search. Throws Error for a graph that is not in
  /// plain rows or has replicas of hubs, and for options out of range. O(m / ranks). Takes 12 bytes per vertex, and 16
  /// for each distance that a vertex waits with. On several ranks it takes 16 bytes per vertex if global ids have 64
  /// bits, and room for messages.
  WidePathSearch(const Graph& graph, std::span<const Weight> weights, const LightestEdges<Weight>* lightest,
                 const WidePathOptions<Distance>& options, const Context& context);
  ~WidePathSearch();
  WidePathSearch(const WidePathSearch&) = delete;
  WidePathSearch& operator=(const WidePathSearch&) = delete;

  /// Finds the shortest paths from `source`, a label of the graph (else Error). Throws DistanceOverflow if there is no
  /// max_distance and the distance of a vertex that can be reached is not below wide_unreached.
  WidePaths<Distance> run(Label source) { return run_to({}, source); }
  /// Searches from `source` until the last of `targets` has its distance, labels of the graph (else Error). Vertices
  /// farther away than all targets count as unreached. If a target cannot be reached, or there are none, it finds all
  /// paths. With targets it uses buckets only.
  WidePaths<Distance> run_to(std::span<const Label> targets, Label source);

  class Engine;

 private:
  const Graph& graph_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace breadth
