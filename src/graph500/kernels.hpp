// Kernels 2 and 3: every search of a benchmark, timed and verified.
#pragma once

#include <span>

#include "core/edge_list.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"
#include "graph500/batch_plan.hpp"
#include "graph500/benchmark.hpp"
#include "graph500/report.hpp"

namespace breadth {

/// What the searches of a run start from. Outlived by what it refers to.
struct KernelInput {
  const Graph& graph;
  const EdgeList& edges;  ///< what the graph was made of: validation goes by it alone
  std::span<const Label> keys;
  const BenchmarkOptions& options;
  const BenchmarkSurroundings& surroundings;
};

/// A breadth-first search for every key, as many at a time as the plan says. Collective.
KernelReport run_bfs_kernel(const KernelInput& input, const BatchPlan& plan);
/// The same with searches for shortest paths.
KernelReport run_sssp_kernel(const KernelInput& input, const BatchPlan& plan);

}  // namespace breadth
