// Queries between devices by way of the hosts' memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/message_exchange.hpp"
#include "gpu/part_search.hpp"

namespace breadth {

/// How the queries of a level come from each device to all others: copied to the host, sent all to all, copied to the
/// device that answers. Needs nothing of the MPI library but that it sends bytes, and any number of ranks may share a
/// device. What another transport would be asked for is run() and what was sent.
class StagedExchange {
 public:
  explicit StagedExchange(const Communicator& ranks);

  /// Sends what this rank's device has noted and has it answer what others' devices ask. Collective.
  void run(gpu::PartSearch& part);

  /// As MessageExchange counts: at most one message a level for each other rank, which has 8 bytes a query.
  [[nodiscard]] std::uint64_t messages() const noexcept { return total_.messages; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return total_.bytes; }
  [[nodiscard]] std::uint64_t queries() const noexcept { return total_.bytes / sizeof(gpu::Query); }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// Messages have no size that they could fill.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return 0; }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return seconds_; }

 private:
  Communicator ranks_;
  std::vector<std::size_t> counts_;  ///< of queries for each rank
  std::vector<SentTraffic> sent_;
  SentTraffic total_;
  ExchangeSeconds seconds_;
};

}  // namespace breadth
