// Searches from papers, which no default uses.
#pragma once

#include "comm/communicator.hpp"
#include "graph/forms/paper_adjacencies.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"

namespace breadth {

/// Searches a graph whose edges lie on a grid of ranks (docs/partition.md). Of the options only max_depth is looked at:
/// each level pushes, and travels as below. All outlive it. Collective.
///
/// A level expands the frontier along each column of the grid, n / C vertices as bits or as a list, whichever is
/// shorter; looks through the rows of these vertices; and folds what it found along each row of the grid, each vertex
/// with its parent, once in a search from each rank, to the owner. With n vertices, all ranks together send at most
/// n (R - 1) / 8 bytes a level and 2 n (C - 1) words a search, in R + C - 2 messages a rank and level.
template <class Neighbour>
BfsEnginePointer make_grid_search(const Graph& graph, const GridAdjacencies<Neighbour>& adjacencies,
                                  const BfsOptions& options, const Context& context);

/// Bytes of all ranks together for such a search of so many vertices with edges: parents and bitmaps of the ranks' own
/// vertices, the frontier of each column and what is sent in each row as bitmaps, and what is folded in a level, all
/// vertices at the most, on its way in and out.
constexpr std::uint64_t grid_search_bytes(std::uint64_t vertices, std::uint64_t own_vertices, std::uint64_t word_bytes,
                                          GridShape grid) {
  const auto copies = static_cast<std::uint64_t>(grid.rows) + static_cast<std::uint64_t>(grid.columns);
  return own_vertices * word_bytes + 2 * own_vertices / 8 + copies * vertices / 8 + 6 * word_bytes * vertices;
}

/// Searches a graph with hubs, on several ranks, subgraph by subgraph (Pan et al. 2018, sections IV and V;
/// docs/hubs.md). All outlive it. Neighbours are in the order of vertices, unless there are no hubs. Collective.
///
/// A level goes from the frontier to hubs, pushing or pulling, on every rank along its share of their edges; while the
/// masks of hubs are combined, it goes from hubs to light vertices, either way, and pushes from light ones to light
/// ones. Only these are sent to other ranks: 4 to 8 bytes an edge, at most one message a rank and level beside full
/// ones. Nothing is replicated but hubs, two bits each a level.
template <class Neighbour>
BfsEnginePointer make_separated_search(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                       const BfsOptions& options, const Context& context);

}  // namespace breadth
