// Sweeps, in which vertices pull shorter distances from their neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "simd/kernels.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Vertices look along their rows, the lightest edge first, and stop where no neighbour can be near enough to help. The
/// first edges are in the head, where vertices are searched side by side; the others are in the rows. One thread
/// handles a vertex, so that nothing is atomic. Distances that this rank found earlier in the sweep are already used.
/// Distances of other ranks' vertices are those that the tree has by global id. For global ids of 32 bits.
class PrunedPull {
 public:
  /// All arguments must outlive the pull.
  PrunedPull(TentativeTree<std::uint32_t>& tree, const Adjacencies<std::uint32_t>& adjacencies,
             const LabelLookup& labels, ThreadTeam& threads)
      : tree_(tree),
        rows_(adjacencies.pull_rows()),
        labels_(labels),
        threads_(threads),
        shares_(static_cast<std::size_t>(threads.size())) {
    for (const HeadColumn<std::uint32_t>& column : adjacencies.head) {
      columns_.push_back({column.global_ids.data(), column.labels.data(), column.weights.data()});
    }
  }

  /// Improves the vertices of a range. `bounds` says which vertices and edges may be skipped. Returns how many edges it
  /// examined.
  std::uint64_t sweep(IndexRange vertices, const SweepBounds& bounds) {
    for (Share& share : shares_) share.improved.clear();
    parallel_blocks(threads_, vertices.size(), at_a_time, [&](IndexRange block, int thread) {
      visit({vertices.begin + block.begin, vertices.begin + block.end}, bounds,
            shares_[static_cast<std::size_t>(thread)]);
    });
    std::uint64_t edges = 0;
    for (Share& share : shares_) edges += std::exchange(share.edges_examined, 0);
    return edges;
  }

  /// The number of vertices that came closer in the last sweep; some may count twice.
  [[nodiscard]] std::size_t improved_count() const {
    std::size_t count = 0;
    for (const Share& share : shares_) count += share.improved.size();
    return count;
  }
  /// Appends the vertices that came closer in the last sweep, some perhaps twice.
  void append_improved(std::vector<std::uint32_t>& all) const {
    for (const Share& share : shares_) all.insert(all.end(), share.improved.begin(), share.improved.end());
  }

  /// Asks the owners for the labels of parents that this rank does not know, of all vertices improved since the last
  /// call. Skips vertices that came closer again; a vertex takes each distance only once, so that equal distances mean
  /// that the parent is still valid. Collective, one exchange; does nothing if every rank knows all labels.
  void look_up_parents(const Partition& partition, const Context& context) {
    if (labels_.complete()) return;
    std::vector<std::uint32_t> vertices;
    std::vector<std::uint32_t> global_ids;
    for (Share& share : shares_) {
      for (const UnknownParent& unknown : share.unknown_parents) {
        if (tree_.distance(unknown.vertex) != unknown.distance) continue;
        vertices.push_back(unknown.vertex);
        global_ids.push_back(unknown.parent);
      }
      share.unknown_parents.clear();
    }
    std::vector<std::uint32_t> labels(global_ids.size());
    labels_.look_up(std::span<const std::uint32_t>(global_ids), std::span(labels), partition, context);
    for (std::size_t i = 0; i < vertices.size(); ++i) tree_.parents()[vertices[i]] = labels[i];
  }

 private:
  static constexpr std::size_t at_a_time = 2048;
  /// A vertex that took a distance from a neighbour whose label is not known here.
  struct UnknownParent {
    std::uint32_t vertex;
    std::uint32_t parent;  ///< its global id
    float distance;
  };
  /// The results of one thread.
  struct alignas(64) Share {
    std::vector<std::uint32_t> improved;
    std::vector<UnknownParent> unknown_parents;
    std::uint64_t edges_examined = 0;
  };

  void visit(IndexRange block, const SweepBounds& bounds, Share& share) {
    constexpr std::size_t ahead = 8;
    std::array<std::uint32_t, at_a_time + max_lanes> improved;
    std::array<std::uint32_t, at_a_time + max_lanes> unfinished;
    PulledVertices pulled{.improved = improved.data(), .unfinished = unfinished.data()};
    pull_from_columns(columns_, bounds, block.begin, block.end, tree_.by_global_id().data(), tree_.distances(),
                      tree_.parents().data(), pulled);
    share.edges_examined += pulled.edges_examined;
    share.improved.insert(share.improved.end(), improved.data(), improved.data() + pulled.improved_count);
    for (std::size_t i = 0; i < pulled.unfinished_count; ++i) {
      prefetch_rest(unfinished[std::min(i + ahead, pulled.unfinished_count - 1)]);
      visit_rest(unfinished[i], bounds, share);
    }
  }

  /// Always inlined, because g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch_rest(std::uint32_t vertex) const {
    const EdgeOffset edge = rows_.offsets[vertex] + columns_.size();
    __builtin_prefetch(rows_.weights.data() + edge);
    __builtin_prefetch(rows_.neighbours.data() + edge);
  }

  /// Looks along the edges of a vertex that are not in the head.
  void visit_rest(std::uint32_t vertex, const SweepBounds& bounds, Share& share) {
    const float before = std::min(tree_.distance(vertex), bounds.limit);
    const EdgeOffset end = rows_.offsets[vertex + 1];
    EdgeOffset edge = rows_.offsets[vertex] + columns_.size();
    EdgeOffset nearest = edge;
    float best = before;
    for (; edge < end && bounds.base + rows_.weights[edge] < best; ++edge) {
      ++share.edges_examined;
      const float candidate = tree_.distance_at(rows_.neighbours[edge]) + rows_.weights[edge];
      if (candidate >= best) continue;
      best = candidate;
      nearest = edge;
    }
    if (best == before) return;
    const std::uint32_t parent = rows_.neighbours[nearest];
    const bool known = labels_.contains(parent);
    tree_.set(vertex, best, known ? static_cast<std::uint32_t>(labels_.label(parent).value) : 0);
    if (!known) share.unknown_parents.push_back({vertex, parent, best});
    share.improved.push_back(vertex);
  }

  TentativeTree<std::uint32_t>& tree_;
  const Adjacency<std::uint32_t>& rows_;
  const LabelLookup& labels_;
  ThreadTeam& threads_;
  std::vector<WeightedColumn> columns_;
  std::vector<Share> shares_;  ///< one per thread
};

}  // namespace breadth
