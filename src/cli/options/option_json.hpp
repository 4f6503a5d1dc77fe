// Options in results: each under its name, with '_' for '-', and with the value that the option's row shows.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/policy/graph_layout.hpp"
#include "graph500/report/report.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

/// The options of a breadth-first search on `ranks` ranks, including the graph's layout. In a run of other kernels,
/// only the options that those share.
nlohmann::ordered_json bfs_json(GraphLayout layout, BfsOptions bfs, int ranks,
                                const Kernels& kernels = KernelKind::bfs);
/// The options of `breadth sssp`, with the layout of its graph.
nlohmann::ordered_json sssp_json(GraphLayout layout, SsspOptions sssp, int ranks);
/// The options of a benchmark run on `ranks` ranks, with those of its kernels.
nlohmann::ordered_json benchmark_json(BenchmarkOptions options, int ranks);

}  // namespace breadth::cli
