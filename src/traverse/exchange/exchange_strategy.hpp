// The choices of an exchange between ranks.
#pragma once

#include <cstddef>
#include <optional>

#include "comm/exchange/message_exchange.hpp"
#include "comm/routes/route.hpp"
#include "core/words.hpp"

namespace breadth {

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
/// (traverse/sssp/relaxation_exchange.hpp).
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

}  // namespace breadth
