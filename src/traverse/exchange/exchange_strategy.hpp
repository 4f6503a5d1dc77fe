// The choices of an exchange between ranks: how queries travel, and by which routes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comm/context.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/network.hpp"
#include "comm/routes/routed_exchange.hpp"
#include "core/errors.hpp"
#include "core/words.hpp"
#include "graph/graph.hpp"

namespace breadth {

// How queries travel.

/// When queries travel: as messages fill, while the threads go on scanning (Fuentes et al. 2014, section III), or all
/// together once a rank has scanned its level (the bulk-synchronous two phases of Checconi & Petrini 2014, section
/// IV-B).
enum class ExchangePolicy { asynchronous, bulk };
constexpr auto words_of(ExchangePolicy) {
  return word_list<ExchangePolicy>({{ExchangePolicy::asynchronous, "asynchronous"}, {ExchangePolicy::bulk, "bulk"}});
}

/// What queries look like on their way (docs/communication.md has the bits): runs that share a parent, a pair of 16
/// bytes each (Fuentes et al. 2014, section III-B), or differences (Checconi & Petrini 2014, section III-B).
enum class PacketFormat { runs, pairs, compressed };
constexpr auto words_of(PacketFormat) {
  return word_list<PacketFormat>(
      {{PacketFormat::runs, "runs"}, {PacketFormat::pairs, "pairs"}, {PacketFormat::compressed, "compressed"}});
}

/// What a rank that sends others' queries on to another group does with those that have the same target: nothing, send
/// one of them, or the one with the smallest distance ("uniquify", Pan et al. 2018, section V-B).
enum class Combining { none, one, lightest };

/// How a pull learns who is in the frontier: every rank has that of all (traverse/replication/replicated_frontier.hpp),
/// or asks for the neighbours that others own (Checconi & Petrini 2014, section III-A;
/// traverse/bfs/message_pull.hpp).
enum class PullPolicy { replicated, messages };
constexpr auto words_of(PullPolicy) {
  return word_list<PullPolicy>({{PullPolicy::replicated, "replicated"}, {PullPolicy::messages, "messages"}});
}

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

struct RouteOptions {
  RoutePolicy policy = RoutePolicy::direct;
  /// Of what crosses to another group, one query for each target (Pan et al. 2018, section V-B, "uniquify").
  bool unique = false;
  MonitorPolicy monitors = MonitorPolicy::orchestra;
  /// What groups are: `groups`, the names of every rank's, if not empty; consecutive ranks, so many a group, if not 0;
  /// or nodes.
  std::vector<int> groups = {};
  int group_size = 0;
  int ranks_per_node = 0;  ///< as for Nodes
  /// Where each rank is attached to the network, for counts of hops alone; empty: places_of(groups).
  std::vector<NetworkPlace> network = {};
  std::string groups_file = {};   ///< where `groups` come from
  std::string network_file = {};  ///< where `network` comes from
};

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

/// How queries of a search with these options travel, BfsOptions or SsspOptions. `combining` is what its options call
/// unique. Collective.
template <class Options>
ExchangeStrategy exchange_strategy(const Options& options, Combining combining, const Graph& graph,
                                   const Context& context) {
  return {.policy = options.exchange,
          .ending = options.ending,
          .packets = options.packets,
          .coalescing = options.coalescing,
          .route = make_route(options.route, graph, context),
          .combining = options.route.unique ? combining : Combining::none};
}

}  // namespace breadth
