// Options that a run of the benchmark finds by trying them, before anything is timed.
#pragma once

#include <optional>
#include <vector>

#include "cli/options/option_set.hpp"
#include "comm/context.hpp"
#include "graph/graph.hpp"
#include "graph500/report/observer.hpp"
#include "graph500/report/report.hpp"
#include "graph500/search_keys.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth::cli {

/// What a run is left to find out.
struct CalibrationSettings {
  double seconds = 5;  ///< that it may take; 0 for nothing to try
  /// Options that nobody has chosen and that matter between ranks.
  std::vector<Tunable> tunables;
};

/// --calibrate.
void add_calibrate_option(OptionSet& options, CalibrationSettings& calibration);

/// Leaves to calibration what the user, a profile and a preset leave open.
void choose_tunables(const OptionSet& options, const BenchmarkOptions& benchmark, CalibrationSettings& calibration);

/// Tries the options on this graph, from vertices that are no search keys, and sets those in `benchmark.bfs` that are
/// proved to be faster. Collective; the same on every rank. Returns nothing where there is nothing to try: on one rank,
/// and on a graph so small that no choice matters.
std::optional<CalibrationReport> calibrate(const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& benchmark,
                                           const CalibrationSettings& calibration, RunObserver& observer,
                                           const Context& context);

}  // namespace breadth::cli
