#include "graph/label_lookup.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
template <class Entry>
void gather_labels(const Partition& partition, std::size_t known, const Communicator& ranks, std::span<Entry> all) {
  const auto label = [&](std::size_t local) {
    return static_cast<Entry>(partition.label(LocalVertex{static_cast<std::uint32_t>(local)}).value);
  };
  const std::size_t hubs_end = partition.hubs().end();
  for (std::size_t hub = 0; hub < partition.hubs().count(); ++hub) all[hub] = label(hub);
  std::vector<Entry> mine(std::min(known, partition.local_count() - hubs_end));
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = label(hubs_end + i);
  const std::vector<std::size_t> counts = ranks.all_gather(mine.size());
  std::vector<std::size_t> places(counts.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) places[rank] = hubs_end + rank * known;
  ranks.all_gather(std::span<const Entry>(mine), all, counts, places);
}
}  // namespace

LabelLookup::LabelLookup(const Partition& partition, const Communicator& ranks) {
  constexpr std::uint64_t tables = 4;
  constexpr std::uint64_t least_known = 1024;
  const std::uint64_t stride = partition.code().stride();
  const auto count = static_cast<std::uint64_t>(ranks.size());
  hubs_end_ = partition.hubs().end();
  known_ = std::min(stride - hubs_end_, std::bit_ceil(std::max(least_known, tables * stride / count)));
  local_bits_ = std::countr_zero(stride);
  local_mask_ = stride - 1;
  labels_ = LabelArray(hubs_end_ + known_ * count, partition.distribution().vertex_count());
  if (labels_.wide()) {
    gather_labels(partition, known_, ranks, labels_.entries<std::uint64_t>());
  } else {
    gather_labels(partition, known_, ranks, labels_.entries<std::uint32_t>());
  }
}

template <class Neighbour>
void LabelLookup::name(std::span<const Neighbour> global_ids, std::span<Neighbour> labels, const Partition& partition,
                       const Context& context) const {
  parallel_for(context.threads, global_ids.size(), std::size_t{1} << 14, [&](std::size_t i) {
    if (knows(global_ids[i])) labels[i] = static_cast<Neighbour>(label(global_ids[i]).value);
  });
  if (complete()) return;

  const GlobalIdCode code = partition.code();
  std::vector<std::vector<std::size_t>> places(static_cast<std::size_t>(context.ranks.size()));  // by owner
  for (std::size_t i = 0; i < global_ids.size(); ++i) {
    if (!knows(global_ids[i])) places[static_cast<std::size_t>(code.rank(global_ids[i]))].push_back(i);
  }
  std::vector<std::uint32_t> asked;
  std::vector<std::size_t> counts;
  for (const auto& of_owner : places) {
    counts.push_back(of_owner.size());
    for (const std::size_t i : of_owner) asked.push_back(code.local(global_ids[i]).value);
  }
  std::vector<std::size_t> asked_here_counts;
  std::vector<std::uint32_t> asked_here =
      context.ranks.all_to_all(std::span<const std::uint32_t>(asked), counts, asked_here_counts);
  for (std::uint32_t& local : asked_here) local = partition.offset_of_local()[local];
  std::vector<std::uint32_t>& answers = asked;
  context.ranks.all_to_all(std::span<const std::uint32_t>(asked_here), asked_here_counts, std::span(answers), counts);

  std::size_t next = 0;
  for (std::size_t owner = 0; owner < places.size(); ++owner) {
    for (const std::size_t i : places[owner]) {
      const Label named = partition.distribution().label(static_cast<int>(owner), answers[next++]);
      labels[i] = static_cast<Neighbour>(named.value);
    }
  }
}

template void LabelLookup::name(std::span<const std::uint32_t>, std::span<std::uint32_t>, const Partition&,
                                const Context&) const;
template void LabelLookup::name(std::span<const std::uint64_t>, std::span<std::uint64_t>, const Partition&,
                                const Context&) const;

}  // namespace breadth
