// Queries between ranks' devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/message_exchange.hpp"
#include "gpu/part_search.hpp"

namespace breadth {

/// Brings the queries of a level from each device to all others: sent all to all from where they lie, in the memory of
/// the host or the device's own (gpu/device_transport.hpp), to where they are answered from.
class DeviceExchange {
 public:
  explicit DeviceExchange(const Communicator& ranks);

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
