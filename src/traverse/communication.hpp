// What a search reports of the queries between ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/exchange/message_exchange.hpp"

namespace breadth {

/// One rank's part in the pushes of all searches so far: what Fuentes et al. 2014 count and time (section IV).
struct CommunicationRecord {
  std::vector<SentTraffic> sent;      ///< to each rank: a row of the communication matrix; empty on one rank
  std::uint64_t queries = 0;          ///< sent to all
  std::uint64_t partial_packets = 0;  ///< of the packets, those sent at the end of a level without being full
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;  ///< in the all-reduce that ends a push level

  /// What was added since an earlier record of the same searches.
  [[nodiscard]] CommunicationRecord since(const CommunicationRecord& earlier) const {
    CommunicationRecord added{.sent = sent,
                              .queries = queries - earlier.queries,
                              .partial_packets = partial_packets - earlier.partial_packets,
                              .seconds = {.receive = seconds.receive - earlier.seconds.receive,
                                          .send = seconds.send - earlier.seconds.send,
                                          .finish = seconds.finish - earlier.seconds.finish},
                              .all_reduce_seconds = all_reduce_seconds - earlier.all_reduce_seconds};
    for (std::size_t rank = 0; rank < earlier.sent.size(); ++rank) {
      added.sent[rank].messages -= earlier.sent[rank].messages;
      added.sent[rank].bytes -= earlier.sent[rank].bytes;
    }
    return added;
  }
};

}  // namespace breadth
