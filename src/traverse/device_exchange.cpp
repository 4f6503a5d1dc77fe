#include "traverse/device_exchange.hpp"

namespace breadth {

DeviceExchange::DeviceExchange(const Communicator& ranks)
    : ranks_(ranks), sent_(static_cast<std::size_t>(ranks.size())) {}

void DeviceExchange::count(std::span<const std::size_t> counts, std::size_t bytes_each) {
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] == 0) continue;
    const std::uint64_t bytes = counts[rank] * bytes_each;
    ++sent_[rank].messages;
    sent_[rank].bytes += bytes;
    ++total_.messages;
    total_.bytes += bytes;
    queries_ += counts[rank];
  }
}

}  // namespace breadth
