// Options of kernels: which ones the benchmark runs on what, and those of searches for shortest paths.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/options/option_set.hpp"
#include "core/policy/replication.hpp"
#include "graph500/report/report.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

// Which kernels are run.

/// --kernels.
void add_kernels_option(OptionSet& options, Kernels& kernels);

/// --edge-list, which all of them read.
void add_edge_list_option(OptionSet& options, EdgeListPlace& place);

/// Throws UsageError for kernels that the chosen partition does not have.
void check_partition(const OptionSet& options, const Kernels& kernels, const GraphLayout& layout);
/// Throws UsageError for kernels that do not run on so many ranks.
void check_ranks(const Kernels& kernels, int ranks);

// Searches for shortest paths.

/// How a search for shortest paths goes about its work, but for its messages: --delta, --sweeps, --ball, --hubs-first,
/// --fuse, --bucket-batch, --small-batch, --known-distances.
void add_sssp_options(OptionSet& options, SsspOptions& sssp);
/// What searches for shortest paths take over from the options of breadth-first searches, where a run has both.
void share_options(const OptionSet& options, const Kernels& kernels, const BfsOptions& bfs, SsspOptions& sssp);
/// What --replicate of breadth-first search, the field `given`, means for shortest paths: `auto` unless it was given.
/// Throws UsageError for a way that they do not have.
std::optional<Replication> sssp_replication(const OptionSet& options, const Replication& given);
/// How many --weighted-columns a graph for shortest paths has.
void add_weighted_columns_option(OptionSet& options, std::size_t& columns);

}  // namespace breadth::cli
