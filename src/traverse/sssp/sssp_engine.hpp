// The engine of a search for shortest paths, how wide the buckets of delta-stepping are, and the search in buckets
// alone on one rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "comm/context.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "gpu/device_control.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// The width of buckets.

/// Twice the average weight over the average degree: a vertex then has about two edges that stay inside a bucket
/// (Meyer & Sanders 2003 take a width of the order of 1/degree for weights up to 1). Positive.
inline double bucket_width(double average_weight, double entries, double vertices) {
  return average_weight > 0 ? 2 * average_weight * (vertices / entries) : 1;
}

/// The width for the weights of all ranks' rows. Collective, O(m / ranks).
template <class Neighbour>
double choose_delta(const Adjacency<Neighbour>& rows, const Context& context) {
  const double sum = parallel_reduce(
      context.threads, rows.weights.size(), std::size_t{1} << 16, 0.0,
      [&](IndexRange range) {
        double part = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) part += double{rows.weights[i]};
        return part;
      },
      std::plus<>());
  const double weights = context.ranks.all_reduce(sum, Reduction::sum);
  std::uint64_t sums[] = {rows.entries(), rows.offsets.size() - 1};
  context.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
  const auto entries = static_cast<double>(sums[0]);
  const auto vertices = static_cast<double>(sums[1]);
  return bucket_width(weights / entries, entries, vertices);
}

// The engine.

class ShortestPathSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual SsspResult run(Label source, ShortestPathTree& tree) = 0;
  /// Until all targets have their distance.
  virtual SsspResult run_to(Label /*source*/, std::span<const Label> /*targets*/, ShortestPathTree& /*tree*/) {
    fail("a search for shortest paths to targets goes by buckets alone, on processors");
  }
  [[nodiscard]] virtual CommunicationRecord communication() const { return {}; }
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const { return 0; }
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

/// A source that is this rank's and has no edges is its own parent at distance 0. Returns whether it is one.
inline bool set_lone_source(const Graph& graph, Label source, ShortestPathTree& tree) {
  const bool lone = set_lone_source(graph, source, tree.parents);
  if (lone) tree.distances[graph.distribution().offset(source, graph.partition().rank())] = 0;
  return lone;
}

/// Delta-stepping with LocalBuckets, for any graph on one rank. Graph, adjacencies and context outlive it. Memory: 8
/// bytes a vertex, and 8 for each distance that one waits with.
template <class Neighbour>
std::unique_ptr<ShortestPathSearch::Engine> make_local_paths(const Graph& graph,
                                                             const Adjacencies<Neighbour>& adjacencies,
                                                             const SsspOptions& options, const Context& context);

}  // namespace breadth
