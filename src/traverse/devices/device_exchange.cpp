#include "traverse/devices/device_exchange.hpp"

#include "comm/agreement.hpp"

namespace breadth {

namespace {
std::unique_ptr<gpu::NcclGroup> join_nccl(const Communicator& ranks) {
  gpu::NcclGroup::Key key{};
  run_together(ranks, [&] {
    if (ranks.rank() == 0) key = gpu::NcclGroup::make_key();
  });
  ranks.broadcast(std::span<char>(key), 0);
  return run_together(ranks, [&] { return std::make_unique<gpu::NcclGroup>(key, ranks.size(), ranks.rank()); });
}
}  // namespace

DeviceExchange::DeviceExchange(const Communicator& ranks, DeviceTransport transport)
    : ranks_(ranks), sent_(static_cast<std::size_t>(ranks.size())) {
  if (transport == DeviceTransport::nccl) nccl_ = join_nccl(ranks);
}

std::vector<std::size_t> DeviceExchange::bytes_of(std::span<const std::size_t> counts, std::size_t bytes_each) {
  std::vector<std::size_t> bytes;
  for (const std::size_t count : counts) bytes.push_back(count * bytes_each);
  return bytes;
}

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
