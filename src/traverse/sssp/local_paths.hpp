// Shortest paths on one rank in buckets alone.
#pragma once

#include <memory>

#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

/// Delta-stepping with LocalBuckets, for any graph on one rank. Graph, adjacencies and context outlive it. Memory: 8
/// bytes a vertex, and 8 for each distance that one waits with.
template <class Neighbour>
std::unique_ptr<ShortestPathSearch::Engine> make_local_paths(const Graph& graph,
                                                             const Adjacencies<Neighbour>& adjacencies,
                                                             const SsspOptions& options, const Context& context);

}  // namespace breadth
