// Breadth-first search in which each of the subgraphs that hubs make goes its own way.
#pragma once

#include <memory>

#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

/// Searches a graph with hubs, on several ranks, subgraph by subgraph (Pan et al. 2018, sections IV and V;
/// docs/hubs.md). All outlive it. Neighbours are in the order of vertices, unless there are no hubs. Collective.
///
/// A level goes from the frontier to hubs, pushing or pulling, on every rank along its share of their edges; while the
/// masks of hubs are combined, it goes from hubs to light vertices, either way, and pushes from light ones to light
/// ones. Only these are sent to other ranks: 4 to 8 bytes an edge, at most one message a rank and level beside full
/// ones. Nothing is replicated but hubs, two bits each a level.
template <class Neighbour>
std::unique_ptr<BreadthFirstSearch::Engine> make_separated_search(const Graph& graph,
                                                                  const Adjacencies<Neighbour>& adjacencies,
                                                                  const BfsOptions& options,
                                                                  const ExchangeStrategy& strategy,
                                                                  const Context& context);

}  // namespace breadth
