// How a search's options choose its directions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "comm/communicator.hpp"
#include "core/policy/direction.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs.hpp"

namespace breadth {

/// Whether no vertex has many times as many edges as an average one, as far as the order of vertices and rows tells.
/// Then no neighbour is much likelier than another to be in the frontier, and a pull looks at most of each row: it pays
/// later. Collective.
template <class Adjacencies>
bool rows_are_alike(const Graph& graph, const Adjacencies& adjacencies, const Communicator& ranks) {
  constexpr double many = 4;
  const Partition& partition = graph.partition();
  if (graph.layout().order != VertexOrder::degree || partition.hubs().end() > 0) return false;
  const std::uint64_t own = partition.local_count() == 0 ? 0 : adjacencies.total_degree(LocalVertex{0});
  const auto longest = static_cast<double>(ranks.all_reduce(own, Reduction::maximum));
  const double ends = 2 * static_cast<double>(graph.edge_count());
  return longest * static_cast<double>(graph.connected_vertices()) < many * ends;
}

inline DirectionRule direction_rule(const BfsOptions& options, bool alike = false) {
  constexpr double later = 2;  // benchmarks/results/bfs.md, "Rows that are alike"
  return {options.direction, alike ? std::max(1.0, options.alpha / later) : options.alpha, options.beta};
}

/// Frontier edges that are too few for a pull, whatever else holds: of `edges`, the frontier's and the unvisited ones
/// together.
inline std::uint64_t too_few_to_pull(std::uint64_t edges, double alpha) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / (alpha + 1));
}

}  // namespace breadth
