#include "graph/local_order.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include "core/degree_bins.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
/// All vertices with edges in one bin, where they keep their order.
struct OneBin {
  static constexpr std::size_t count = 2;
  static std::size_t bin_of(std::uint32_t degree) { return degree > 0 ? 1 : 0; }
};

template <class Bins>
LocalOrder order_in_bins(std::span<const std::uint32_t> degrees, ThreadTeam& threads) {
  const auto parts = static_cast<std::size_t>(threads.size());
  using BinCounts = std::array<std::uint32_t, Bins::count>;
  std::vector<BinCounts> next(parts, BinCounts{});  // first how many, then where the next one goes
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

}  // namespace breadth
