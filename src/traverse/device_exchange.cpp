#include "traverse/device_exchange.hpp"

#include <numeric>

#include "core/stopwatch.hpp"

namespace breadth {

DeviceExchange::DeviceExchange(const Communicator& ranks)
    : ranks_(ranks), counts_(static_cast<std::size_t>(ranks.size())), sent_(counts_.size()) {}

void DeviceExchange::run(gpu::PartSearch& part) {
  const std::span<const gpu::Query> queries = part.take_queries(counts_);
  for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
    if (counts_[rank] == 0) continue;
    const std::uint64_t bytes = counts_[rank] * sizeof(gpu::Query);
    ++sent_[rank].messages;
    sent_[rank].bytes += bytes;
    ++total_.messages;
    total_.bytes += bytes;
  }
  Stopwatch stopwatch;
  const std::vector<std::size_t> coming = ranks_.exchange_counts(counts_);
  seconds_.finish += stopwatch.lap();
  const std::size_t count = std::accumulate(coming.begin(), coming.end(), std::size_t{0});
  ranks_.all_to_all(queries, counts_, part.inbox().first(count), coming);
  seconds_.send += stopwatch.lap();
  part.answer(count);
}

}  // namespace breadth
