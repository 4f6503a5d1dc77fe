// Options of kernels: the kernels that the benchmark runs and their input, and options of searches for shortest paths.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/options/option_set.hpp"
#include "core/policy/replication.hpp"
#include "graph500/report/report.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

// The choice of kernels.

/// Adds --kernels.
void add_kernels_option(OptionSet& options, Kernels& kernels);

/// Adds --edge-list: where the edge list, which all kernels read, is kept.
void add_edge_list_option(OptionSet& options, EdgeListPlace& place);

/// Adds the options of a benchmark run: --kernels, --keys, --input, --edge-list, --edge-folder and --validate.
void add_run_options(OptionSet& options, BenchmarkOptions& benchmark);

/// Throws UsageError for kernels that do not support the chosen partition.
void check_partition(const OptionSet& options, const Kernels& kernels, const GraphLayout& layout);
/// Throws UsageError for kernels that do not run on this number of ranks.
void check_ranks(const Kernels& kernels, int ranks);

// Searches for shortest paths.

/// Adds the options of a search for shortest paths except those for messages: --delta, --sweeps, --ball, --hubs-first,
/// --fuse, --bucket-batch, --small-batch, --known-distances.
void add_sssp_options(OptionSet& options, SsspOptions& sssp);
/// Copies the options that searches for shortest paths share with breadth-first searches, in a run with both.
void share_options(const OptionSet& options, const Kernels& kernels, const BfsOptions& bfs, SsspOptions& sssp);
/// Converts --replicate of breadth-first search, the field `given`, for shortest paths: `auto` unless it was given.
/// Throws UsageError for a value that shortest paths do not support.
std::optional<Replication> sssp_replication(const OptionSet& options, const Replication& given);
/// Adds --weighted-columns of a graph for shortest paths.
void add_weighted_columns_option(OptionSet& options, std::size_t& columns);

}  // namespace breadth::cli
