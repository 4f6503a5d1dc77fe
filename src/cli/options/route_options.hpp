// Options of the routes that messages take.
#pragma once

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "traverse/exchange/message_routes.hpp"

namespace breadth::cli {

/// --route, --unique, --monitor, --group-size and --groups.
void add_route_options(OptionSet& options, RouteOptions& route);
/// --topology, for commands that count hops.
void add_topology_option(OptionSet& options, RouteOptions& route);
/// Throws UsageError for groups that are given twice.
void check_route_options(const OptionSet& options, const RouteOptions& route);
/// Reads the files that the options name, on rank 0 for all. Throws AgreedError naming file and line, or where there
/// are more or fewer lines than ranks. Collective.
void load_route_files(RouteOptions& route, const Communicator& ranks);

}  // namespace breadth::cli
