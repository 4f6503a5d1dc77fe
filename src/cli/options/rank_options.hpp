// Options of searches on several ranks: routes, messages, and hubs.
#pragma once

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

// Routes that messages take.

/// Adds --route, --unique, --monitor, --group-size and --groups.
void add_route_options(OptionSet& options, RouteOptions& route);
/// Adds --topology, for commands that count hops.
void add_topology_option(OptionSet& options, RouteOptions& route);
/// Reads the files that the options name, on rank 0 for all ranks. Throws AgreedError with file and line, or if the
/// number of lines differs from the number of ranks. Collective.
void load_route_files(RouteOptions& route, const Communicator& ranks);

// Messages between ranks.

/// Adds the options for exchanging queries between ranks: --exchange, --ending, --packets, --coalescing, and the route
/// options.
void add_message_options(OptionSet& options, BfsOptions& bfs);
/// Adds the options for exchanging relaxations, in a search for shortest paths alone, and --replicate.
void add_message_options(OptionSet& options, SsspOptions& sssp);

// Subgraphs by hubs.

/// Adds --subgraphs and --light-parents.
void add_subgraphs_option(OptionSet& options, SubgraphOptions& subgraphs);
/// Adds these options and the direction factors of each subgraph: --hub-to-hub, --hub-to-light and --light-to-hub.
void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs);

/// Sets the maximum number of hubs for `--hubs auto`: few if the frontier is replicated, which takes a bit for each
/// other vertex; more if pulls ask by message; most if light vertices push to each other (separate subgraphs, or
/// devices).
void settle_hub_rule(HubChoice& hubs, const BfsOptions& bfs);

/// Throws UsageError for separate subgraphs without hubs or without CSR rows.
void check_subgraphs_option(const OptionSet& options, const SubgraphOptions& subgraphs, const GraphLayout& layout);

}  // namespace breadth::cli
