// The numbers that costs depend on: how a search keeps the frontier and distances of all ranks, how large a graph is,
// and how large a Kronecker graph comes out before it is generated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/policy/graph_layout.hpp"
#include "core/policy/replication.hpp"

namespace breadth {

// What searches keep of other ranks' vertices.

/// How searches for shortest paths keep and move all ranks' distances (traverse/replication/replicated_distances.hpp):
/// sweeps read them, and so do buckets where that pays (core/policy/replication.hpp).
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
  bool only_pushes = false;   ///< every edge to another rank is a query

  /// The nodes of so many ranks.
  [[nodiscard]] std::uint64_t node_count(std::uint64_t ranks) const { return nodes == 0 ? ranks : nodes; }
  /// Whether so many ranks share the bits of unvisited vertices alone, but for the first time in a search.
  [[nodiscard]] bool leaves_out_visited(std::uint64_t ranks) const {
    return ranks > 1 && breadth::leaves_out_visited(bits, node_count(ranks), granularity != 0);
  }
};

// The size of any graph.

/// Sizes of a graph and of the edge list it comes from, all ranks together, how the graph lies in memory
/// and what searches keep beside it.
struct GraphSize {
  std::uint64_t labels = 0;              ///< N: the largest label plus one
  std::uint64_t tuples = 0;              ///< of the edge list, self-loops and duplicates among them
  std::uint64_t connected_vertices = 0;  ///< with an edge to another vertex
  std::uint64_t edges = 0;               ///< distinct edges that are not self-loops, an undirected one counted once
  std::uint64_t hubs = 0;                ///< vertices of which every rank has a replica
  bool weighted = false;
  bool directed = false;
  GraphLayout layout = {};
  FrontierPlan frontier = {};   ///< of breadth-first searches
  DistancePlan distances = {};  ///< of searches for shortest paths
};

/// The most that so many tuples can make of so many labels: each is an edge of its own.
inline GraphSize largest_size(std::uint64_t labels, std::uint64_t tuples) {
  return {.labels = labels, .tuples = tuples, .connected_vertices = std::min(labels, 2 * tuples), .edges = tuples};
}

// The size of a Kronecker graph.

/// The expected size of the benchmark's graph of 2^scale labels and edgefactor times as many tuples: each tuple is an
/// independent draw of one of the four quadrants a bit (0.57, 0.19, 0.19, 0.05), so the chance that no tuple meets a
/// vertex or joins a pair depends only on how many of their bits are set, and the expectation is a sum over these
/// numbers. Exact but for rounding. O(scale^3).
GraphSize expected_kronecker_size(int scale, std::uint64_t edgefactor, bool weighted);

/// What degree separation is expected to make of that graph: entries of rows, of which an edge is two, by what they
/// lead from and to (graph/graph.hpp).
struct ExpectedHubs {
  std::uint64_t count = 0;           ///< vertices with more neighbours than the degree
  std::uint64_t light_to_light = 0;  ///< nn in Pan et al. 2018, section III
  std::uint64_t light_to_hub = 0;    ///< nd, as many as dn
  std::uint64_t hub_to_hub = 0;      ///< dd
};

/// Neighbours of a vertex are independent draws, one for each other vertex, so that their number is close to a Poisson
/// distribution where it is small and to a normal one where it is large; that neighbours' degrees depend on each other
/// beyond that is left out. O(scale^3).
ExpectedHubs expected_hubs(int scale, std::uint64_t edgefactor, std::uint64_t degree);

/// Pairs of a vertex of that graph and a group of ranks that has neighbours of it but not the vertex itself, where each
/// vertex is in any of `groups` alike: the occupancy of groups by neighbours, sum over v of
/// (groups - 1) (1 - product over u of (1 - chance of an edge / groups)). `groups` is at least 1; it may be the mean of
/// uneven ones. O(scale^3).
double expected_group_pairs(int scale, std::uint64_t edgefactor, double groups);

}  // namespace breadth
