#include "graph/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/degree_bins.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

ConnectedLabels::ConnectedLabels(std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads)
    : connected_(local_of_offset.size()), first_in_word_(words_for_bits(local_of_offset.size())) {
  constexpr std::size_t words_per_block = 1024;
  const auto labels_of = [&](std::size_t word) {
    return local_of_offset.subspan(word * bits_per_word,
                                   std::min(bits_per_word, local_of_offset.size() - word * bits_per_word));
  };
  parallel_for(threads, first_in_word_.size(), words_per_block, [&](std::size_t word) {
    std::uint64_t bits = 0;
    const auto labels = labels_of(word);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      bits |= static_cast<std::uint64_t>(labels[i] != no_local_vertex.value) << i;
    }
    connected_.words()[word] = bits;
    first_in_word_[word] = static_cast<std::uint32_t>(std::popcount(bits));
  });
  locals_ = Buffer<std::uint32_t>(exclusive_prefix_sum(threads, first_in_word_.span()));
  parallel_for(threads, first_in_word_.size(), words_per_block, [&](std::size_t word) {
    std::uint32_t* next = locals_.data() + first_in_word_[word];
    for (const std::uint32_t local : labels_of(word)) {
      if (local != no_local_vertex.value) *next++ = local;
    }
  });
}

// Orders.

namespace {
/// One bin for all vertices with edges; they keep their order in it.
struct OneBin {
  static constexpr std::size_t count = 2;
  static std::size_t bin_of(std::uint32_t degree) { return degree > 0 ? 1 : 0; }
};

template <class Bins>
LocalOrder order_in_bins(std::span<const std::uint32_t> degrees, ThreadTeam& threads) {
  const auto parts = static_cast<std::size_t>(threads.size());
  using BinCounts = std::array<std::uint32_t, Bins::count>;
  std::vector<BinCounts> next(parts, BinCounts{});  // first the count of each bin, then where its next vertex goes
  threads.run([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    const IndexRange range = even_share(degrees.size(), part, parts);
    for (std::size_t i = range.begin; i < range.end; ++i) ++next[part][Bins::bin_of(degrees[i])];
  });

  std::uint32_t total = 0;
  for (std::size_t bin = Bins::count - 1; bin > 0; --bin) {
    for (BinCounts& counts : next) {
      const std::uint32_t count = counts[bin];
      counts[bin] = total;
      total += count;
    }
  }

  LocalOrder order{Buffer<std::uint32_t>(degrees.size()), Buffer<std::uint32_t>(total)};
  threads.run([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    const IndexRange range = even_share(degrees.size(), part, parts);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t bin = Bins::bin_of(degrees[i]);
      if (bin == 0) {
        order.local_of_offset[i] = no_local_vertex.value;
        continue;
      }
      const std::uint32_t place = next[part][bin]++;
      order.local_of_offset[i] = place;
      order.offset_of_local[place] = static_cast<std::uint32_t>(i);
    }
  });
  return order;
}
}  // namespace

LocalOrder order_vertices(VertexOrder order, std::span<const std::uint32_t> degrees, ThreadTeam& threads) {
  return order == VertexOrder::degree ? order_in_bins<DegreeBins>(degrees, threads)
                                      : order_in_bins<OneBin>(degrees, threads);
}

// Look-ups.

namespace {
template <class Entry>
void gather_labels(const Partition& partition, std::size_t known, const Context& context, std::span<Entry> all) {
  const auto label = [&](std::size_t local) {
    return static_cast<Entry>(partition.label(LocalVertex{static_cast<std::uint32_t>(local)}).value);
  };
  const std::size_t hubs_end = partition.hubs().end();
  for (std::size_t hub = 0; hub < partition.hubs().count(); ++hub) all[hub] = label(hub);
  const std::size_t here = std::min(known, partition.local_count() - hubs_end);
  const std::vector<std::size_t> counts = context.ranks.all_gather(here);
  std::vector<std::size_t> places(counts.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank) places[rank] = hubs_end + rank * known;
  const auto mine = all.subspan(places[static_cast<std::size_t>(context.ranks.rank())], here);
  parallel_for(context.threads, here, std::size_t{1} << 14, [&](std::size_t i) { mine[i] = label(hubs_end + i); });
  context.ranks.all_gather(std::span<const Entry>(mine), all, counts, places);
}
}  // namespace

bool neighbours_fit_32_bits(const BlockDistribution& distribution) {
  const GlobalIdCode widest(distribution.block(), distribution.ranks());
  constexpr std::uint64_t bound = std::uint64_t{1} << 32;
  return distribution.vertex_count() < bound - 1 && widest.bound() <= bound / 2;
}

std::uint64_t LabelLookup::known_of_rank(std::uint64_t stride, std::uint64_t hubs_end, std::uint64_t ranks) noexcept {
  constexpr std::uint64_t tables = 4;
  constexpr std::uint64_t min_known = 1024;
  return std::min(stride - hubs_end, std::bit_ceil(std::max(min_known, tables * stride / ranks)));
}

LabelLookup::LabelLookup(const Partition& partition, const Context& context) {
  const std::uint64_t stride = partition.code().stride();
  const auto count = static_cast<std::uint64_t>(context.ranks.size());
  hubs_end_ = partition.hubs().end();
  known_ = known_of_rank(stride, hubs_end_, count);
  local_bits_ = std::countr_zero(stride);
  local_mask_ = stride - 1;
  labels_ = run_together(context.ranks, [&] {
    return LabelArray(labels_for(stride, hubs_end_, count), partition.distribution().vertex_count());
  });
  if (labels_.wide()) {
    gather_labels(partition, known_, context, labels_.entries<std::uint64_t>());
  } else {
    gather_labels(partition, known_, context, labels_.entries<std::uint32_t>());
  }
}

template <class Neighbour>
void LabelLookup::look_up(std::span<const Neighbour> global_ids, std::span<Neighbour> labels,
                          const Partition& partition, const Context& context) const {
  parallel_for(context.threads, global_ids.size(), std::size_t{1} << 14, [&](std::size_t i) {
    if (contains(global_ids[i])) labels[i] = static_cast<Neighbour>(label(global_ids[i]).value);
  });
  if (complete()) return;

  const GlobalIdCode code = partition.code();
  std::vector<std::vector<std::size_t>> places(static_cast<std::size_t>(context.ranks.size()));  // by owner
  for (std::size_t i = 0; i < global_ids.size(); ++i) {
    if (!contains(global_ids[i])) places[static_cast<std::size_t>(code.rank(global_ids[i]))].push_back(i);
  }
  std::vector<std::uint32_t> asked;
  std::vector<std::size_t> counts;
  for (const auto& of_owner : places) {
    counts.push_back(of_owner.size());
    for (const std::size_t i : of_owner) asked.push_back(code.local(global_ids[i]).value);
  }
  auto [asked_here, asked_here_counts] = context.ranks.all_to_all(std::span<const std::uint32_t>(asked), counts);
  for (std::uint32_t& local : asked_here) local = partition.offset_of_local()[local];
  std::vector<std::uint32_t>& answers = asked;
  context.ranks.all_to_all(std::span<const std::uint32_t>(asked_here), asked_here_counts, std::span(answers), counts);

  std::size_t next = 0;
  for (std::size_t owner = 0; owner < places.size(); ++owner) {
    for (const std::size_t i : places[owner]) {
      const Label found = partition.distribution().label(static_cast<int>(owner), answers[next++]);
      labels[i] = static_cast<Neighbour>(found.value);
    }
  }
}

template void LabelLookup::look_up(std::span<const std::uint32_t>, std::span<std::uint32_t>, const Partition&,
                                   const Context&) const;
template void LabelLookup::look_up(std::span<const std::uint64_t>, std::span<std::uint64_t>, const Partition&,
                                   const Context&) const;

}  // namespace breadth
