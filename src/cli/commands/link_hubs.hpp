// Whether links between nodes are slow enough for hubs.
#pragma once

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

/// Whether a run is left to find out if its graph should have hubs: where trying options is (choose_tunables), for
/// breadth-first searches alone, on a graph whose size is known beforehand, and nobody gave --hubs.
bool leaves_hubs_open(const OptionSet& options, const BenchmarkOptions& benchmark);

/// Has the run's graph made with hubs, by `--hubs auto`, where ranks are on several machines and what hubs are expected
/// to save takes the links between these longer than a round of them, which hubs cost more. Before kernel 1, since hubs
/// are part of the graph; measures links (measure_links). Sets benchmark.layout.hubs and says why in
/// benchmark.link_hubs; nothing on one. Collective, the same on every rank.
void choose_hubs_by_links(BenchmarkOptions& benchmark, const Communicator& ranks);

}  // namespace breadth::cli
