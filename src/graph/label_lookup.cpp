#include "graph/label_lookup.hpp"

#include <algorithm>
#include <vector>

namespace breadth {

LabelLookup::LabelLookup(const Partition& partition, const Communicator& ranks)
    : block_(partition.distribution().block()) {
  constexpr std::uint64_t tables = 4;
  constexpr std::uint64_t least_known = 1024;
  const auto count = static_cast<std::uint64_t>(ranks.size());
  const std::uint64_t most_local = ranks.all_reduce(std::uint64_t{partition.local_count()}, Reduction::maximum);
  known_ = std::min(most_local, std::max(least_known, tables * most_local / count));
  complete_ = known_ == most_local;
  offsets_ = Buffer<std::uint32_t>(known_ * count);

  const auto mine = partition.offset_of_local().first(std::min<std::size_t>(known_, partition.local_count()));
  const std::vector<std::size_t> counts = ranks.all_gather(mine.size());
  std::vector<std::size_t> places(counts.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) places[rank] = rank * known_;
  ranks.all_gather(mine, offsets_.span(), counts, places);
}

}  // namespace breadth
