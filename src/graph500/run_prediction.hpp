// How the graphs of a run lie in memory, and what that takes.
#pragma once

#include "graph500/report/report.hpp"
#include "model/graph_size.hpp"
#include "model/kronecker_size.hpp"
#include "model/memory_prediction.hpp"

namespace breadth {

/// The layout in which shortest paths are searched for: rows with the lightest edge first, in the vertex order of the
/// other and with its weighted columns.
GraphLayout sssp_layout(const GraphLayout& layout);

/// What hubs are expected to make of the benchmark's graph where they are chosen so: none on one rank.
ExpectedHubs expected_hubs(const HubChoice& choice, int scale, std::uint64_t edgefactor, int ranks);

/// What a run of these kernels takes on a graph of that size, in the layout that it says. Kernel 1 builds a graph for
/// each: that of breadth-first searches, which is without weights, stays while the other is built and searched.
MemoryPrediction predict_run(GraphSize size, Kernels kernels, int ranks, int threads, bool edge_list_in_memory);

}  // namespace breadth
