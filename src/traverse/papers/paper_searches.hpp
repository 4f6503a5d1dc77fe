// Searches from papers, for comparison. No default uses them.
#pragma once

#include "comm/communicator.hpp"
#include "graph/forms/paper_adjacencies.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"

namespace breadth {

/// Makes the engine for a graph whose edges are on a grid of ranks (docs/partition.md). Only the option max_depth has
/// an effect; all levels push. Graph, adjacencies and context must outlive it. Collective.
///
/// A level expands the frontier along each column of the grid, n / C vertices as bits or as a list, whichever is
/// shorter. Then it scans the rows of these vertices, and folds the vertices found along each row of the grid: it sends
/// each with a parent to its owner, once in a search from each rank. With n vertices, all ranks together send at most
/// n (R - 1) / 8 bytes per level and 2 n (C - 1) words a search, in R + C - 2 messages a rank and level.
template <class Neighbour>
BfsEnginePointer make_grid_search(const Graph& graph, const GridAdjacencies<Neighbour>& adjacencies,
                                  const BfsOptions& options, const Context& context);

/// Bytes of memory of all ranks together for a grid search of `vertices` vertices with edges: parents and bitmaps of
/// the ranks' own vertices, bitmaps of each column's frontier and of the vertices sent in each row, and the candidates
/// folded in a level, at most all vertices, sent and received.
constexpr std::uint64_t grid_search_bytes(std::uint64_t vertices, std::uint64_t own_vertices, std::uint64_t word_bytes,
                                          GridShape grid) {
  const auto copies = static_cast<std::uint64_t>(grid.rows) + static_cast<std::uint64_t>(grid.columns);
  return own_vertices * word_bytes + 2 * own_vertices / 8 + copies * vertices / 8 + 6 * word_bytes * vertices;
}

/// Makes the engine for degree-separated subgraphs of a graph with hubs, on several ranks (Pan et al. 2018, sections IV
/// and V; docs/hubs.md). Graph, adjacencies and context must outlive it. Neighbours must be in the order of vertices,
/// unless there are no hubs. Collective.
///
/// A level first visits hubs, by a push or a pull, on every rank along its share of their edges. While the masks of
/// hubs are combined, it visits light vertices from hubs, by a push or a pull, and pushes from light vertices to light
/// vertices. Only these last pushes send queries to other ranks: 4 to 8 bytes per edge, at most one message a rank and
/// level besides full ones. Only hubs are replicated, two bits each a level.
template <class Neighbour>
BfsEnginePointer make_separated_search(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                       const BfsOptions& options, const Context& context);

}  // namespace breadth
