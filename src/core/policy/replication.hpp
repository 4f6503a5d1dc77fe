// How what each rank has comes to every rank, and where that pays.
#pragma once

#include <cstdint>

#include "core/policy/search.hpp"

namespace breadth {

// Frontiers of breadth-first searches.

/// Whether the ranks of a node have the in-queue once between them.
constexpr bool shares_in_queues(Replication how) { return how >= Replication::shared_in; }
/// Whether they share out-queues and summaries too.
constexpr bool shares_all(Replication how) { return how >= Replication::shared; }

/// Whether ranks on so many nodes leave out what all know. With a summary they send groups that have changed.
constexpr bool leaves_out_visited(SharedBits bits, std::uint64_t nodes, bool summarized) {
  if (summarized) return false;
  return bits == SharedBits::unvisited || (bits == SharedBits::automatic && nodes > 1);
}

// Distances of shortest paths.

/// Whether it pays that buckets know what others' vertices have, 4 bytes for each vertex with edges of the graph on
/// each node: where one has at least two edges from a node, of which one often comes in vain. `entries` are those of
/// all rows that are pushed along: an undirected edge is two.
constexpr bool worth_knowing_others(std::uint64_t nodes, std::uint64_t vertices, std::uint64_t entries) {
  return nodes == 1 || 2 * nodes * vertices <= entries;
}

// What searches keep of other ranks' vertices.

/// How searches for shortest paths keep and move all ranks' distances (traverse/replication/replicated_distances.hpp):
/// sweeps read them, and so do buckets where that pays (worth_knowing_others).
struct DistancePlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;       ///< that the ranks are on, evenly; 0: each is on its own
  bool may_sweep = true;         ///< where vertices are in the order of degrees
  bool known_in_buckets = true;  ///< unless it does not pay
};

/// Where a pull finds the frontier: every rank has all of it; each has its own part twice, and asks the others; or each
/// has what it needs, since subgraphs go their own ways and light vertices of other ranks are never looked at
/// (traverse/papers/paper_searches.hpp), or since its device has it (traverse/devices/gpu_search.hpp).
enum class FrontierHolding { replicated, asked, apart, on_devices };

/// How a search keeps and moves the frontier of its pulls (traverse/replication/replicated_frontier.hpp).
struct FrontierPlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;        ///< that the ranks are on, evenly; 0: each is on its own
  std::uint64_t granularity = 0;  ///< of the summary; 0 for none
  SharedBits bits = SharedBits::automatic;
  FrontierHolding holding = FrontierHolding::replicated;
  bool keeps_levels = false;  ///< a word for each vertex (traverse/papers/separated_search.cpp)
  bool keeps_depths = false;  ///< a byte for each vertex (traverse/bfs/vertex_depths.hpp)
  bool only_pushes = false;   ///< every edge to another rank is a query

  /// The nodes of so many ranks.
  [[nodiscard]] std::uint64_t node_count(std::uint64_t ranks) const { return nodes == 0 ? ranks : nodes; }
  /// Whether so many ranks share the bits of unvisited vertices alone, but for the first time in a search.
  [[nodiscard]] bool leaves_out_visited(std::uint64_t ranks) const {
    return ranks > 1 && breadth::leaves_out_visited(bits, node_count(ranks), granularity != 0);
  }
};

}  // namespace breadth
