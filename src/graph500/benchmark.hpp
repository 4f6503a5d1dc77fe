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

/// Chooses how searches go about their work, in `options.bfs`, once their graph is built and before anything is made
/// for searches: kernel 1's time stands still meanwhile. Collective, the same on every rank. Returns nothing where it
/// changed nothing.
using Calibrate = std::function<std::optional<CalibrationReport>(const Graph& graph, const SearchKeySeed& seed,
                                                                 BenchmarkOptions& options)>;

/// Who runs it, and who watches and may stop it.
struct BenchmarkSurroundings {
  Context context;
  RunObserver& observer;
  /// Asked on every rank before each search: whether to stop and report what there is.
  std::function<bool()> stop;
  AdmitGraph admit = [](const GraphSize&) {};
  Machine machine = {};           ///< for the report
  Calibrate calibrate = nullptr;  ///< asked if there is one
  MakeKernel make = [](const KernelType& type, const auto&... of) { return type.make(of...); };
};

/// Carries out the steps of Graph500 specification 2.0 in its order: edge list; kernel 1, timed; search keys; for each
/// key kernel 2, timed, then validated; for each key kernel 3, the same. Collective; every rank gets the whole report.
/// Options are in their ranges. Throws AgreedError where the edge list cannot be had or has no edges.
BenchmarkReport run_benchmark(const BenchmarkOptions& options, const BenchmarkSurroundings& surroundings);

}  // namespace breadth
