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

/// How a rank that forwards queries to another group combines those with the same target: not at all, to any one of
/// them, or to the one with the smallest distance ("uniquify", Pan et al. 2018, section V-B).
enum class Combining { none, one, lightest };

/// The kind of queries: visits propose a parent and have one word, relaxations also a distance and have two words
/// (traverse/sssp/bucket_search.hpp).
enum class QueryKind { visits, relaxations };

struct ExchangeStrategy {
  ExchangePolicy policy = ExchangePolicy::asynchronous;
  std::optional<Termination> ending = {};  ///< of an asynchronous exchange; nothing: termination_for(ranks)
  PacketFormat packets = PacketFormat::runs;
  QueryKind queries = QueryKind::visits;
  std::size_t coalescing = 256;  ///< most queries in a message; no effect in a bulk exchange
  Route route = {};              ///< this rank's
  Combining combining = Combining::none;
};

// Routes between ranks.

/// Throws Error that names the option if a value is out of range or the number of entries is not that of ranks.
inline void check(const RouteOptions& options, int ranks) {
  if (options.group_size < 0) fail("group-size is {}; it must be at least 0", options.group_size);
  const auto check_entries = [ranks](const char* option, const std::string& file, std::size_t entries) {
    if (entries == 0 || entries == static_cast<std::size_t>(ranks)) return;
    fail("{} {} has lines for {} ranks, but the run has {}", option, file, entries, ranks);
  };
  check_entries("groups", options.groups_file, options.groups.size());
  check_entries("topology", options.network_file, options.network.size());
}

/// Makes the groups that the options describe. Collective.
Groups make_groups(const RouteOptions& options, const Communicator& ranks);

/// Makes this rank's route for searches of a graph, whose heavy vertices elect monitors. The route is direct if all
/// messages go straight to their receivers and no queries are combined. Collective.
Route make_route(const RouteOptions& options, const Graph& graph, const Context& context);

/// Makes the exchange strategy of a search. `combining` is what RouteOptions::merge_duplicates means for its queries.
/// Collective.
ExchangeStrategy exchange_strategy(const MessageOptions& options, Combining combining, const Graph& graph,
                                   const Context& context);

}  // namespace breadth
