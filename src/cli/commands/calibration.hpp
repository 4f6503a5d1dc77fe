// Choices that a benchmark run makes before anything is timed: hubs, by the speed of links between nodes, and options,
// by trying them.
#pragma once

#include <optional>
#include <vector>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "graph/graph.hpp"
#include "graph500/report/progress.hpp"
#include "graph500/report/report.hpp"
#include "graph500/search_keys.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth::cli {

// Hubs by the speed of links.

/// Whether a run may decide if its graph has hubs: if options may be tried (choose_tunables), for breadth-first
/// searches only, on a graph whose size is known in advance, and if --hubs was not given.
bool leaves_hubs_open(const OptionSet& options, const BenchmarkOptions& benchmark);

/// Sets `--hubs auto` if ranks are on several machines and hubs are expected to save more time on the links between
/// them than the extra round that hubs cost. Measures the links (measure_links). Runs before kernel 1, because hubs are
/// part of the graph. Sets benchmark.layout.hubs, and the reason in benchmark.link_hubs; does nothing on one machine.
/// Collective, with the same result on every rank.
void choose_hubs_by_links(BenchmarkOptions& benchmark, const Communicator& ranks);

// Options by trying them.

/// The options that a run may choose, and the time for it.
struct CalibrationSettings {
  double seconds = 5;  ///< the most that calibration may take; 0: no calibration
  bool asked = false;  ///< whether the user gave the seconds
  /// Options that were not chosen otherwise and that matter between ranks.
  std::vector<Tunable> tunables;
};

/// Adds --calibrate.
void add_calibrate_option(OptionSet& options, CalibrationSettings& calibration);

/// Selects the options for calibration: those that the user, a profile and a preset leave open. Throws UsageError if
/// there are none although the user requested calibration.
void choose_tunables(const OptionSet& options, const BenchmarkOptions& benchmark, CalibrationSettings& calibration);

/// Tries the options on this graph, from vertices that are not search keys, and sets those in `benchmark.bfs` that are
/// proved to be faster. Collective, with the same result on every rank. Returns nothing if there is nothing to try: on
/// one rank, or on a graph so small that no choice matters. If the user requested calibration, the observer is given
/// the reason.
std::optional<CalibrationReport> calibrate(const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& benchmark,
                                           const CalibrationSettings& calibration, RunObserver& observer,
                                           const Context& context);

}  // namespace breadth::cli
