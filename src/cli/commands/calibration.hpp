// What a run of the benchmark finds out before anything is timed: whether links between nodes are slow enough for hubs,
// and options by trying them.
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

/// Whether a run is left to find out if its graph should have hubs: where trying options is (choose_tunables), for
/// breadth-first searches alone, on a graph whose size is known beforehand, and nobody gave --hubs.
bool leaves_hubs_open(const OptionSet& options, const BenchmarkOptions& benchmark);

/// Has the run's graph made with hubs, by `--hubs auto`, where ranks are on several machines and what hubs are expected
/// to save takes the links between these longer than a round of them, which hubs cost more. Before kernel 1, since hubs
/// are part of the graph; measures links (measure_links). Sets benchmark.layout.hubs and says why in
/// benchmark.link_hubs; nothing on one. Collective, the same on every rank.
void choose_hubs_by_links(BenchmarkOptions& benchmark, const Communicator& ranks);

// Options by trying them.

/// What a run is left to find out.
struct CalibrationSettings {
  double seconds = 5;  ///< that it may take; 0 for nothing to try
  bool asked = false;  ///< whether somebody gave those seconds
  /// Options that nobody has chosen and that matter between ranks.
  std::vector<Tunable> tunables;
};

/// --calibrate.
void add_calibrate_option(OptionSet& options, CalibrationSettings& calibration);

/// Leaves to calibration what the user, a profile and a preset leave open. Throws UsageError where that is nothing and
/// somebody asked for calibration.
void choose_tunables(const OptionSet& options, const BenchmarkOptions& benchmark, CalibrationSettings& calibration);

/// Tries the options on this graph, from vertices that are no search keys, and sets those in `benchmark.bfs` that are
/// proved to be faster. Collective; the same on every rank. Returns nothing where there is nothing to try: on one rank,
/// and on a graph so small that no choice matters; the observer hears why, where somebody asked for it.
std::optional<CalibrationReport> calibrate(const Graph& graph, const SearchKeySeed& seed, BenchmarkOptions& benchmark,
                                           const CalibrationSettings& calibration, RunObserver& observer,
                                           const Context& context);

}  // namespace breadth::cli
