// The engine of a search for shortest paths, the default width of buckets, and the search on one rank in buckets only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp.hpp"

namespace breadth {

// The width of buckets.

/// Returns twice the average weight over the average degree, so that about two edges of a vertex stay inside a bucket
/// (Meyer & Sanders 2003 take a width of the order of 1/degree for weights up to 1). Positive.
inline double bucket_width(double average_weight, double entries, double vertices) {
  return average_weight > 0 ? 2 * average_weight * (vertices / entries) : 1;
}

/// Returns the width of buckets for a graph. `weights` are those beside this rank's rows, `vertices` is the number of
/// its rows. Collective, O(m / ranks).
template <class Weight>
double choose_delta(std::span<const Weight> weights, std::size_t vertices, const Context& context) {
  const std::array<std::uint64_t, 2> sums = context.ranks.sums({weights.size(), vertices});
  const auto entries = static_cast<double>(sums[0]);
  const double average = parallel_reduce(
      context.threads, weights.size(), std::size_t{1} << 16, 0.0,
      [&](IndexRange range) {
        double part = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(weights[i]) / entries;
        return part;
      },
      std::plus<>());
  return bucket_width(context.ranks.all_reduce(average, Reduction::sum), entries, static_cast<double>(sums[1]));
}
template <class Neighbour>
double choose_delta(const Adjacency<Neighbour>& rows, const Context& context) {
  return choose_delta(rows.weights.span(), rows.offsets.size() - 1, context);
}

// The engine.

class ShortestPathSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual SsspResult run(Label source, ShortestPathTree& tree) = 0;
  /// Searches until all targets have their distance.
  virtual SsspResult run_to(Label /*source*/, std::span<const Label> /*targets*/, ShortestPathTree& /*tree*/) {
    fail("a search for shortest paths to targets needs buckets without sweeps, on processors");
  }
  [[nodiscard]] virtual CommunicationRecord communication() const { return {}; }
  [[nodiscard]] virtual std::uint64_t bytes_counted_elsewhere() const { return 0; }
  [[nodiscard]] virtual std::optional<DeviceRecord> device() const { return std::nullopt; }
};

using PathEnginePointer = std::unique_ptr<ShortestPathSearch::Engine>;

// Results.

/// If the source is this rank's and has no edges, sets its parent to itself and its distance to 0. Returns whether it
/// did.
inline bool set_lone_source(const Graph& graph, Label source, ShortestPathTree& tree) {
  const std::optional<std::size_t> place = lone_source(graph, source);
  if (!place) return false;
  tree.parents.set(*place, source);
  tree.distances[*place] = 0;
  return true;
}

/// Writes distances and parents of all labels of a rank, in their order. Vertices beyond `most` get `unreached` and
/// no_label; `most` must be less than Tree::unreached. Returns how many vertices have a distance. `distance_of` and
/// `label_of` translate the tree's distances and parents.
template <class Tree, class Key, class Distance, class Entry, class DistanceOf, class LabelOf>
std::uint64_t write_paths(const Tree& tree, const ConnectedLabels& connected, Key most, Distance unreached,
                          std::span<Distance> distances, std::span<Entry> parents, ThreadTeam& threads,
                          DistanceOf&& distance_of, LabelOf&& label_of) {
  constexpr std::size_t words_per_block = 256;
  const auto write_block = [&](IndexRange words) {
    std::uint64_t reached = 0;
    connected.for_each(words, distances.size(), [&](std::size_t label, LocalVertex vertex) {
      const Key found = vertex != no_local_vertex ? tree.distance(vertex.index()) : Tree::unreached;
      const bool is_reached = found <= most;
      distances[label] = is_reached ? distance_of(found) : unreached;
      parents[label] = static_cast<Entry>(is_reached ? label_of(tree.parent(vertex.index())) : no_label.value);
      reached += is_reached ? 1 : 0;
    });
    return reached;
  };
  return parallel_reduce(threads, connected.words().size(), words_per_block, std::uint64_t{0}, write_block,
                         std::plus<>());
}

/// Makes the engine for any graph on one rank: delta-stepping with LocalBuckets. Graph, adjacencies and context must
/// outlive it. Memory: 8 bytes per vertex, and 8 for each distance that a vertex waits with.
template <class Neighbour>
PathEnginePointer make_local_paths(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                   const SsspOptions& options, const Context& context);

}  // namespace breadth
