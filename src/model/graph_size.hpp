// How large a graph is, in the numbers that costs depend on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/policy/graph_layout.hpp"
#include "model/frontier_plan.hpp"

namespace breadth {

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

}  // namespace breadth
