// The numbers that costs depend on: how large a graph is, and how large a Kronecker graph comes out before it is
// generated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/data/edge_list.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/replication.hpp"

namespace breadth {

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

/// The most that so many tuples can make of so many labels: each is an edge of its own. `summary`: of a search's
/// frontier, as FrontierPlan has it.
inline GraphSize largest_size(std::uint64_t labels, std::uint64_t tuples, bool weighted, Directedness directedness,
                              const GraphLayout& layout, std::size_t summary) {
  return {.labels = labels,
          .tuples = tuples,
          .connected_vertices = std::min(labels, 2 * tuples),
          .edges = tuples,
          .weighted = weighted,
          .directed = directedness == Directedness::directed,
          .layout = layout,
          .frontier = {.granularity = summary}};
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
