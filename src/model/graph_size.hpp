// The sizes of a graph, on which costs depend, and the expected size of a Kronecker graph before it is generated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/data/edge_list.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/replication.hpp"

namespace breadth {

// The size of any graph.

/// The sizes of a graph and its edge list on all ranks together, the layout of the graph, and the plans of its
/// searches.
struct GraphSize {
  std::uint64_t labels = 0;              ///< N: the largest label plus one
  std::uint64_t tuples = 0;              ///< of the edge list, including self-loops and duplicates
  std::uint64_t connected_vertices = 0;  ///< vertices with an edge to another vertex
  std::uint64_t edges = 0;               ///< distinct edges that are not self-loops, an undirected one counted once
  std::uint64_t hubs = 0;                ///< vertices of which every rank has a replica
  bool weighted = false;
  bool directed = false;
  GraphLayout layout = {};
  FrontierPlan frontier = {};   ///< of breadth-first searches
  DistancePlan distances = {};  ///< of searches for shortest paths
};

/// The largest graph of `tuples` tuples on `labels` labels: each tuple is a distinct edge. `summary` is the granularity
/// of the frontier's summary (FrontierPlan).
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

/// The expected size of the benchmark's graph of 2^scale labels and edgefactor times as many tuples. Each bit of a
/// tuple is an independent draw of one of the four quadrants (0.57, 0.19, 0.19, 0.05), so the chance that no tuple has
/// a vertex, or joins a pair, depends only on the number of bits set, and the expectation is a sum over these numbers.
/// Exact except for rounding. O(scale^3).
GraphSize expected_kronecker_size(int scale, std::uint64_t edgefactor, bool weighted);

/// The expected subgraphs of degree separation in the benchmark's graph: row entries by the kinds of their two ends,
/// two for each edge (graph/graph.hpp).
struct ExpectedHubs {
  std::uint64_t count = 0;           ///< vertices with more neighbours than the hub degree
  std::uint64_t light_to_light = 0;  ///< nn in Pan et al. 2018, section III
  std::uint64_t light_to_hub = 0;    ///< nd, equal to dn
  std::uint64_t hub_to_hub = 0;      ///< dd
};

/// The expected subgraphs if vertices with more than `degree` neighbours are hubs. Neighbours of a vertex are
/// independent draws, one for each other vertex, so their number is close to a Poisson distribution where it is small
/// and to a normal one where it is large. Other dependence between the degrees of neighbours is neglected. O(scale^3).
ExpectedHubs expected_hubs(int scale, std::uint64_t edgefactor, std::uint64_t degree);

/// The expected number of pairs of a vertex of the benchmark's graph and a group of ranks that owns neighbours of the
/// vertex but not the vertex itself. Each vertex is in any of `groups` groups with equal chance. This is the occupancy
/// of groups by neighbours: the sum over v of (groups - 1) (1 - product over u of (1 - chance of an edge / groups)).
/// `groups` is at least 1 and may be the mean of uneven groups. O(scale^3).
double expected_group_pairs(int scale, std::uint64_t edgefactor, double groups);

}  // namespace breadth
