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

/// What a vertex without a distance has: infinity, or the largest integer.
template <class Distance>
inline constexpr Distance wide_unreached = std::numeric_limits<Distance>::has_infinity
                                               ? std::numeric_limits<Distance>::infinity()
                                               : std::numeric_limits<Distance>::max();

/// How such a search goes about its work. No option changes a distance.
template <class Distance>
struct WidePathOptions {
  /// Of these it looks at delta, fuse and check(); on one rank at sweeps, where the graph has hubs, bucket_batch and
  /// small_batch; on several at coalescing, exchange, ending and route. Packets are runs.
  SsspOptions engine = {};
  /// Vertices farther away count as unreached; where all are wanted, a distance that is too large is an error. >= 0.
  Distance max_distance = wide_unreached<Distance>;
};

/// What one search found: an entry for each label of this rank.
template <class Distance>
struct WidePaths {
  Buffer<Distance> distances;          ///< wide_unreached where nothing leads
  Buffer<std::int64_t> parents;        ///< the label before on a shortest path; its own for the source, -1 if unreached
  std::vector<LevelStatistics> steps;  ///< `frontier`: vertices settled, `claimed`: how often one came closer
  double seconds = 0;                  ///< from the key to distances and parents in memory, the slowest rank's
  std::uint64_t reached = 0;           ///< vertices with a distance, on all ranks
};

/// Searches one graph for shortest paths, again and again, by delta-stepping (Meyer & Sanders 2003) and, on one rank,
/// by sweeps where light edges are given. Weight and Distance are float and double, double and double, or std::int64_t
/// and std::int64_t. All members are collective.
///
/// Distances of integers are exact. Those of doubles are the greatest solution of d(source) = 0 and d(v) = min over
/// edges (u, v) of fl(d(u) + w): the same for any ranks, threads and options, and what Dijkstra's algorithm finds.
/// Parents are a tree also where weights are zero or too small to count.
template <class Weight, class Distance>
class WidePathSearch {
 public:
  /// `weights` stand beside the rows along the edges of the graph (Adjacency::weights, or graph/wide_weights.hpp): not
  /// negative, not infinite, numbers. `light` are the lightest of them, or none. Graph, weights and context outlive the
  /// search. Throws Error for a graph that is not in plain rows or has replicas of hubs, and for options out of range.
  /// O(m / ranks); takes 12 bytes a vertex, and 16 for each distance that one waits with; on several ranks 16 where ids
  /// of vertices have 64 bits, and what messages take.
  WidePathSearch(const Graph& graph, std::span<const Weight> weights, const LightEdges<Weight>* light,
                 const WidePathOptions<Distance>& options, const Context& context);
  ~WidePathSearch();
  WidePathSearch(const WidePathSearch&) = delete;
  WidePathSearch& operator=(const WidePathSearch&) = delete;

  /// Finds the shortest paths from `source`, a label of the graph (else Error). Throws DistanceOverflow where all
  /// vertices are wanted and one is too far away for its distance to be a finite number of the type.
  WidePaths<Distance> run(Label source) { return run_to({}, source); }
  /// The same until the last of `targets` has its distance, labels of the graph (else Error): vertices farther away
  /// than all of them count as unreached. Where not all can be reached, or there are none, it finds all paths. With
  /// targets it goes by buckets alone.
  WidePaths<Distance> run_to(std::span<const Label> targets, Label source);

  class Engine;

 private:
  const Graph& graph_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace breadth
