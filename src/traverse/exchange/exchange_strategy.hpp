// The choices of an exchange between ranks: how queries travel, and by which routes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "comm/communicator.hpp"
#include "comm/routes/network.hpp"
#include "comm/routes/routed_exchange.hpp"
#include "core/errors.hpp"
#include "core/policy/search.hpp"
#include "graph/graph.hpp"

namespace breadth {

// How queries travel.

/// What a rank that sends others' queries on to another group does with those that have the same target: nothing, send
/// one of them, or the one with the smallest distance ("uniquify", Pan et al. 2018, section V-B).
enum class Combining { none, one, lightest };

/// What queries ask of a vertex: to take a parent, one word, or to come as near as a distance, two
/// (traverse/sssp/bucket_search.hpp).
enum class QueryKind { visits, relaxations };

struct ExchangeStrategy {
  ExchangePolicy policy = ExchangePolicy::asynchronous;
  std::optional<Termination> ending = {};  ///< of asynchronous ones; nothing: as termination_for says
  PacketFormat packets = PacketFormat::runs;
  QueryKind queries = QueryKind::visits;
  std::size_t coalescing = 256;  ///< queries that a message holds at most; in bulk a message holds them all
  Route route = {};              ///< this rank's
  Combining combining = Combining::none;
};

// Routes between ranks.

/// Throws Error that names the option unless every value is in its range and there are as many entries as ranks.
inline void check(const RouteOptions& options, int ranks) {
  if (options.group_size < 0) fail("group-size is {}; it must be at least 0", options.group_size);
  const auto check_entries = [ranks](const char* option, const std::string& file, std::size_t entries) {
    if (entries == 0 || entries == static_cast<std::size_t>(ranks)) return;
    fail("{} {} has {} ranks, where the run has {}", option, file, entries, ranks);
  };
  check_entries("groups", options.groups_file, options.groups.size());
  check_entries("topology", options.network_file, options.network.size());
}

/// The groups that the options mean. Collective.
Groups make_groups(const RouteOptions& options, const Communicator& ranks);

/// This rank's route for searches of a graph, whose heavy vertices elect monitors; direct where all messages go
/// straight to their receivers and none become one. Collective.
Route make_route(const RouteOptions& options, const Graph& graph, const Context& context);

/// How queries of a search with these options travel. `combining` is what its options call unique. Collective.
ExchangeStrategy exchange_strategy(const MessageOptions& options, Combining combining, const Graph& graph,
                                   const Context& context);

}  // namespace breadth
