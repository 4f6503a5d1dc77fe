// What a level sends to other ranks, and how long that takes.
#pragma once

#include <cstdint>
#include <optional>

#include "comm/exchange/message_exchange.hpp"
#include "core/stopwatch.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/mask_reduction.hpp"

namespace breadth {

/// Counts an exchange's queries from when it is made on. Exchange is a QueryExchange, or a NoExchange.
template <class Exchange>
class LevelTraffic {
 public:
  explicit LevelTraffic(const Exchange& exchange)
      : exchange_(exchange),
        messages_(exchange.messages()),
        bytes_(exchange.bytes()),
        queries_(exchange.queries()),
        seconds_(exchange.seconds()) {}

  /// Adds what was sent to the level, and divides the time since the stopwatch's last lap into what it went on.
  void report(LevelStatistics& level, Stopwatch& stopwatch) const {
    level.messages += exchange_.messages() - messages_;
    level.bytes += exchange_.bytes() - bytes_;
    level.queries += exchange_.queries() - queries_;
    const ExchangeSeconds after = exchange_.seconds();
    const double talked = after.receive - seconds_.receive + after.send - seconds_.send;
    const double idle = after.finish - seconds_.finish;
    level.seconds.communicate += talked;
    level.seconds.wait += idle;
    level.seconds.compute += stopwatch.lap() - talked - idle;
  }

 private:
  const Exchange& exchange_;
  std::uint64_t messages_;
  std::uint64_t bytes_;
  std::uint64_t queries_;
  ExchangeSeconds seconds_;
};

/// Adds what the masks of hubs took to a level.
inline void add_traffic(LevelStatistics& level, const MaskTraffic& traffic) {
  level.bytes += traffic.bytes;
  if (level.bytes_between_nodes && traffic.between_nodes) {
    *level.bytes_between_nodes += *traffic.between_nodes;
  } else {
    level.bytes_between_nodes = std::nullopt;
  }
}

/// All that an exchange has sent so far.
template <class Exchange>
CommunicationRecord record_of(const Exchange& exchange, double all_reduce_seconds) {
  return {.sent = {exchange.sent().begin(), exchange.sent().end()},
          .queries = exchange.queries(),
          .partial_packets = exchange.partial_packets(),
          .seconds = exchange.seconds(),
          .all_reduce_seconds = all_reduce_seconds};
}

}  // namespace breadth
