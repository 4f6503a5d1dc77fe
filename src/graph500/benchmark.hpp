// A run of the benchmark, from the edge list to the report.
#pragma once

#include <functional>
#include <optional>

#include "comm/communicator.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/kernels.hpp"
#include "graph500/report/progress.hpp"
#include "graph500/report/report.hpp"
#include "graph500/search_keys.hpp"
#include "model/graph_size.hpp"

namespace breadth {

/// Chooses the options of searches in `options.bfs`, after the graph is built and before kernels are made; kernel 1's
/// clock is stopped during the call. Collective, with the same result on every rank. Returns nothing if it changed
/// nothing.
using Calibrate = std::function<std::optional<CalibrationReport>(const Graph& graph, const SearchKeySeed& seed,
                                                                 BenchmarkOptions& options)>;

/// The environment of a run: its ranks and threads, its observer, and hooks that stop or change it.
struct BenchmarkSurroundings {
  Context context;
  RunObserver& observer;
  /// Called on every rank before each search; returns whether to stop and report the searches done so far.
  std::function<bool()> stop;
  AdmitGraph admit = [](const GraphSize&) {};
  Machine machine = {};           ///< for the report
  Calibrate calibrate = nullptr;  ///< called if set
  MakeKernel make = [](const KernelType& type, const auto&... of) { return type.make(of...); };
};

/// Carries out the steps of Graph500 specification 2.0 in its order: edge list; kernel 1, timed; search keys; for each
/// key kernel 2, timed, then validated; for each key kernel 3, timed, then validated. Collective; every rank gets the
/// whole report. Options must be in their ranges. Throws AgreedError if the edge list cannot be made or read, or if the
/// graph has no edge to search from.
BenchmarkReport run_benchmark(const BenchmarkOptions& options, const BenchmarkSurroundings& surroundings);

}  // namespace breadth
