// Options in results: each under its name, '_' for '-', with its value from the row that declares it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/policy/graph_layout.hpp"
#include "graph500/report/report.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

/// The options of a breadth-first search on so many ranks, the graph's layout among them; in a run of other kernels
/// those that these share.
nlohmann::ordered_json bfs_json(GraphLayout layout, BfsOptions bfs, int ranks,
                                const Kernels& kernels = KernelKind::bfs);
/// The options of `breadth sssp`, with the layout of its graph.
nlohmann::ordered_json sssp_json(GraphLayout layout, SsspOptions sssp, int ranks);
/// The options that the kernels of a benchmark run on so many ranks have.
nlohmann::ordered_json benchmark_json(const BenchmarkOptions& options, int ranks);

}  // namespace breadth::cli
