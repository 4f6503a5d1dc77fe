// Predictions of the memory of a run (its graphs and searches), and batches of searches that wait for their validation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph500/report/report.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"

namespace breadth {

// Graphs and searches.

/// The expected hubs of the benchmark's graph, if they are chosen by this rule: none on one rank.
ExpectedHubs expected_hubs(const HubChoice& choice, int scale, std::uint64_t edgefactor, int ranks);

/// Whether breadth-first searches keep every vertex's level, to find the parents of light vertices at the end.
bool keeps_levels(const BfsOptions& options, int ranks);
/// How searches with these options keep and exchange the frontier on `ranks` ranks and `nodes` nodes.
FrontierPlan frontier_plan(const BfsOptions& options, int ranks, std::uint64_t nodes);
/// How searches for shortest paths keep all ranks' distances on `nodes` nodes, if memory can be shared.
DistancePlan distance_plan(const SsspOptions& options, std::uint64_t nodes);

/// The memory of a run of these kernels on processors, for a graph of this size. `size` has the layout for
/// breadth-first searches. Kernel 1 builds one graph for each kernel, and all graphs stay until the last search.
MemoryPrediction predict_run(const GraphSize& size, const Kernels& kernels, int ranks, int threads,
                             bool edge_list_in_memory);

/// The host memory of a run, on processors or on a device.
MemoryPrediction predict_run(const GraphSize& size, const BenchmarkOptions& options, int ranks, int threads,
                             bool edge_list_in_memory);

// Batches of searches that wait for their validation.

/// A plan of batches. Searches run in batches, one after the other. Each batch is then validated, `per_pass` searches
/// in each pass over the edge list.
struct BatchPlan {
  std::size_t searches = 1;
  std::size_t per_pass = 1;
  std::uint64_t bytes = 0;  ///< results and validation, all ranks together, without edge list, graph and search
};

/// Plans the fastest batches of `keys` searches that take at most `bytes`, or one search at a time if no batch fits.
/// Prefers the most searches per pass, then the most passes per batch.
BatchPlan plan_batches(const SearchCosts& costs, std::uint64_t keys, std::uint64_t bytes);

/// Plans one search at a time, each validated before the next.
BatchPlan one_search(const SearchCosts& costs);

/// Plans batches that fill one pass; more memory does not make validation faster.
BatchPlan full_batch(const SearchCosts& costs, std::uint64_t keys);

/// The peak memory of a run with this prediction, if its searches are batched by this plan.
std::uint64_t peak_with_batch(const MemoryPrediction& run, const BatchPlan& plan);

}  // namespace breadth
