// What degree separation makes of a graph.
#pragma once

#include <cstdint>

#include "comm/context.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Entries of rows on all ranks by what they lead from and to: an undirected edge is two, a directed one is one. Light
/// are the vertices that are no hubs (nn, nd, dn and dd in Pan et al. 2018, section III).
struct Subgraphs {
  std::uint64_t light_to_light = 0;
  std::uint64_t light_to_hub = 0;
  std::uint64_t hub_to_light = 0;
  std::uint64_t hub_to_hub = 0;
  std::uint64_t most_from_hubs = 0;  ///< of the last two, on the rank that has the most
};

/// Counts them. Collective; O(edges / ranks). Throws Error for a graph that is scanned.
Subgraphs count_subgraphs(const Graph& graph, const Context& context);

/// What the four take by Pan's table I, 32 bits for each row and neighbour but 64 for the light neighbours of light
/// vertices, on all ranks: 8 n + 8 d p + 4 m + 4 |light to light| bytes, of n vertices, d of them hubs, and m entries.
std::uint64_t tabulated_bytes(const Subgraphs& subgraphs, std::uint64_t vertices, std::uint64_t hubs, int ranks);

}  // namespace breadth
