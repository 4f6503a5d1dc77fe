// What a search reports of the queries between ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/message_exchange.hpp"

namespace breadth {

/// One rank's part in the pushes of all searches so far: what Fuentes et al. 2014 count and time (section IV).
struct CommunicationRecord {
  std::vector<SentTraffic> sent;      ///< to each rank: a row of the communication matrix; empty on one rank
  std::uint64_t queries = 0;          ///< sent to all
  std::uint64_t partial_packets = 0;  ///< of the packets, those sent at the end of a level without being full
  ExchangeSeconds seconds;
  double all_reduce_seconds = 0;  ///< in the all-reduce that ends a push level
};

}  // namespace breadth
