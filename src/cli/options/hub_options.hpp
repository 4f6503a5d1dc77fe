// How searches go about the subgraphs that hubs make.
#pragma once

#include "cli/options/option_set.hpp"
#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// --subgraphs and --light-parents.
void add_subgraphs_option(OptionSet& options, SubgraphOptions& subgraphs);
/// The same, and the factors of each: --hub-to-hub, --hub-to-light and --light-to-hub.
void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs);

/// How many hubs `--hubs auto` makes at the most: few where a replicated frontier tells of all other vertices at a bit
/// each, more where pulls ask for them, most where they push to each other, with subgraphs apart.
void settle_hub_rule(HubChoice& hubs, const BfsOptions& bfs);

/// Throws UsageError for subgraphs apart without hubs in rows.
void check_subgraphs_option(const OptionSet& options, const SubgraphOptions& subgraphs, const GraphLayout& layout);

}  // namespace breadth::cli
