// Messages between ranks' devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "core/stopwatch.hpp"
#include "gpu/device_control.hpp"
#include "gpu/nccl.hpp"

namespace breadth {

/// Brings what a level has to tell from each device to all others: sent all to all from where it lies, in the memory of
/// the host or the device's own, to where it is read, by MPI or by NCCL (gpu/device_control.hpp).
class DeviceExchange {
 public:
  /// Each rank has its device. Throws Error, the same on all ranks, where NCCL does not bring them together.
  /// Collective.
  DeviceExchange(const Communicator& ranks, DeviceTransport transport);

  /// Sends these, rank after rank, so many to each, and receives what comes from others in the inbox, which has room
  /// for it. Returns how much came. Collective.
  template <class Message>
  std::size_t run(std::span<const Message> messages, std::span<const std::size_t> counts, std::span<Message> inbox) {
    count(counts, sizeof(Message));
    Stopwatch stopwatch;
    const std::vector<std::size_t> coming = ranks_.exchange_counts(counts);
    seconds_.finish += stopwatch.lap();
    const std::size_t total = std::accumulate(coming.begin(), coming.end(), std::size_t{0});
    if (nccl_) {
      nccl_->all_to_all(std::as_bytes(messages).data(), bytes_of(counts, sizeof(Message)),
                        std::as_writable_bytes(inbox).data(), bytes_of(coming, sizeof(Message)));
    } else {
      ranks_.all_to_all(messages, counts, inbox.first(total), coming);
    }
    seconds_.send += stopwatch.lap();
    return total;
  }

  /// As MessageExchange counts: at most one message a level for each other rank, which has all queries for it.
  [[nodiscard]] std::uint64_t messages() const noexcept { return total_.messages; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return total_.bytes; }
  [[nodiscard]] std::uint64_t queries() const noexcept { return queries_; }
  [[nodiscard]] std::span<const SentTraffic> sent() const noexcept { return sent_; }
  /// Messages have no size that they could fill.
  [[nodiscard]] std::uint64_t partial_packets() const noexcept { return 0; }
  [[nodiscard]] ExchangeSeconds seconds() const noexcept { return seconds_; }

 private:
  void count(std::span<const std::size_t> counts, std::size_t bytes_each);
  static std::vector<std::size_t> bytes_of(std::span<const std::size_t> counts, std::size_t bytes_each);

  Communicator ranks_;
  std::unique_ptr<gpu::NcclGroup> nccl_;  ///< where that is the transport
  std::vector<SentTraffic> sent_;
  SentTraffic total_;
  std::uint64_t queries_ = 0;
  ExchangeSeconds seconds_;
};

}  // namespace breadth
