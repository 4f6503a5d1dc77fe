// What a run takes of memory: its graphs as they lie there, and the searches that wait for their validation at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph500/report/report.hpp"
#include "model/graph_size.hpp"
#include "model/memory_prediction.hpp"

namespace breadth {

// Graphs and searches.

/// What hubs are expected to make of the benchmark's graph where they are chosen so: none on one rank.
ExpectedHubs expected_hubs(const HubChoice& choice, int scale, std::uint64_t edgefactor, int ranks);

/// Whether breadth-first searches keep every vertex's level, to settle parents of light vertices in the end.
bool keeps_levels(const BfsOptions& options, int ranks);
/// How searches with these options will keep and move the frontier on so many ranks and nodes.
FrontierPlan frontier_plan(const BfsOptions& options, int ranks, std::uint64_t nodes);
/// How shortest paths will keep all ranks' distances on so many nodes, where there is memory to share.
DistancePlan distance_plan(const SsspOptions& options, std::uint64_t nodes);

/// What a run of these kernels by processors takes on a graph of that size, in the layout that it says for
/// breadth-first searches. Kernel 1 builds a graph for each, and all stay until the last search.
MemoryPrediction predict_run(const GraphSize& size, const Kernels& kernels, int ranks, int threads,
                             bool edge_list_in_memory);

/// What a run takes of the host's memory, wherever it stays.
MemoryPrediction predict_run(const GraphSize& size, const BenchmarkOptions& options, int ranks, int threads,
                             bool edge_list_in_memory);

// Batches of searches that wait for their validation.

/// Searches run in batches, one after the other, and a batch is validated afterwards, `a_pass` searches in one pass
/// over the edge list.
struct BatchPlan {
  std::size_t searches = 1;
  std::size_t a_pass = 1;
  std::uint64_t bytes = 0;  ///< results and validation, all ranks together, beside edge list, graph and search
};

/// The fastest batches of `keys` searches that take at most `bytes`, or else one search at a time: the most searches a
/// pass first, then as many passes a batch as there is room for.
BatchPlan plan_batches(const SearchCosts& costs, std::uint64_t keys, std::uint64_t bytes);

/// One search at a time, each validated before the next.
BatchPlan one_search(const SearchCosts& costs);

/// Batches that fill one pass: more memory makes no validation faster.
BatchPlan full_batch(const SearchCosts& costs, std::uint64_t keys);

/// What a run takes at the most that is predicted so, if its searches are batched by this plan.
std::uint64_t peak_with_batch(const MemoryPrediction& run, const BatchPlan& plan);

}  // namespace breadth
