// How searches go about the subgraphs that hubs make.
#pragma once

#include "cli/option_set.hpp"
#include "core/graph_layout.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// --subgraphs, and the factors of each: --hub-to-hub, --hub-to-light and --light-to-hub.
void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs);

/// Throws UsageError for options that nothing looks at, and for subgraphs apart without hubs in rows.
void check_subgraph_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout);

}  // namespace breadth::cli
