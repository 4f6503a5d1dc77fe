// How ranks replicate frontiers and distances on every rank, and where this pays.
#pragma once

#include <cstdint>

#include "core/policy/search.hpp"

namespace breadth {

// Frontiers of breadth-first searches.

/// Whether the ranks of a node share one in-queue.
constexpr bool shares_in_queues(Replication how) { return how >= Replication::shared_in; }
/// Whether the ranks of a node share out-queues and summaries too.
constexpr bool shares_all(Replication how) { return how >= Replication::shared; }

/// Whether ranks on `nodes` nodes send only bits that were not set before. With a summary they send groups that have
/// changed instead.
constexpr bool leaves_out_visited(SharedBits bits, std::uint64_t nodes, bool summarized) {
  if (summarized) return false;
  return bits == SharedBits::unvisited || (bits == SharedBits::automatic && nodes > 1);
}

// Distances of shortest paths.

/// Whether it pays that buckets know the distances of other ranks' vertices, which takes 4 bytes on each node for each
/// vertex of the graph with edges. It pays where a vertex has at least two edges from a node, because one of them often
/// brings no improvement. `entries` counts the entries of all rows used for push; an undirected edge has two.
constexpr bool worth_knowing_others(std::uint64_t nodes, std::uint64_t vertices, std::uint64_t entries) {
  return nodes == 1 || 2 * nodes * vertices <= entries;
}

// Replicas of other ranks' vertices in searches.

/// How shortest-path searches store and exchange all ranks' distances (traverse/replication/replicated_distances.hpp).
/// Sweeps read them, and buckets do where that pays (worth_knowing_others).
struct DistancePlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;       ///< nodes with equally many ranks each; 0: each rank is on its own
  bool may_sweep = true;         ///< whether sweeps are allowed; they need vertices in the order of degrees
  bool known_in_buckets = true;  ///< whether buckets may use other ranks' distances, where that pays
};

/// Where a pull finds the frontier. `replicated`: every rank has the whole frontier. `asked`: each rank has its own
/// part twice, and asks the other ranks. `per_subgraph`: each rank has what it needs, because each subgraph has its own
/// direction and light vertices of other ranks are never looked up (traverse/papers/paper_searches.hpp). `on_devices`:
/// the device of each rank has what it needs (traverse/devices/gpu_search.hpp).
enum class FrontierHolding { replicated, asked, per_subgraph, on_devices };

/// How a search stores and exchanges the frontier of its pulls (traverse/replication/replicated_frontier.hpp).
struct FrontierPlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;        ///< nodes with equally many ranks each; 0: each rank is on its own
  std::uint64_t granularity = 0;  ///< of the summary; 0 for no summary
  SharedBits bits = SharedBits::automatic;
  FrontierHolding holding = FrontierHolding::replicated;
  bool keeps_levels = false;  ///< a word for each vertex (traverse/papers/separated_search.cpp)
  bool keeps_depths = false;  ///< a byte for each vertex (traverse/bfs/vertex_depths.hpp)
  bool only_pushes = false;   ///< there are no pulls: every edge to another rank is a query

  /// The number of nodes of `ranks` ranks.
  [[nodiscard]] std::uint64_t node_count(std::uint64_t ranks) const { return nodes == 0 ? ranks : nodes; }
  /// Whether ranks send only the bits of unvisited vertices, except the first time in a search.
  [[nodiscard]] bool leaves_out_visited(std::uint64_t ranks) const {
    return ranks > 1 && breadth::leaves_out_visited(bits, node_count(ranks), granularity != 0);
  }
};

}  // namespace breadth
