// Options of searches on several ranks: the routes of messages, the messages, and hubs.
#pragma once

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

// Routes that messages take.

/// --route, --unique, --monitor, --group-size and --groups.
void add_route_options(OptionSet& options, RouteOptions& route);
/// --topology, for commands that count hops.
void add_topology_option(OptionSet& options, RouteOptions& route);
/// Reads the files that the options name, on rank 0 for all. Throws AgreedError naming file and line, or where there
/// are more or fewer lines than ranks. Collective.
void load_route_files(RouteOptions& route, const Communicator& ranks);

// Messages between ranks.

/// How queries travel between ranks: --exchange, --ending, --packets, --coalescing, and the route options.
void add_message_options(OptionSet& options, BfsOptions& bfs);
/// The same of relaxations, in a search for shortest paths alone, and --replicate.
void add_message_options(OptionSet& options, SsspOptions& sssp);

// How searches go about the subgraphs that hubs make.

/// --subgraphs and --light-parents.
void add_subgraphs_option(OptionSet& options, SubgraphOptions& subgraphs);
/// The same, and the factors of each: --hub-to-hub, --hub-to-light and --light-to-hub.
void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs);

/// How many hubs `--hubs auto` makes at the most: few where a replicated frontier takes a bit for each other
/// vertex, more where pulls ask for them, most where they push to each other, with subgraphs apart.
void settle_hub_rule(HubChoice& hubs, const BfsOptions& bfs);

/// Throws UsageError for subgraphs apart without hubs in rows.
void check_subgraphs_option(const OptionSet& options, const SubgraphOptions& subgraphs, const GraphLayout& layout);

}  // namespace breadth::cli
