#include "graph/degree_order.hpp"

#include <array>
#include <bit>
#include <vector>

#include "core/ids.hpp"
#include "core/parallel.hpp"

namespace breadth {

namespace {
constexpr std::uint32_t exact_up_to = 32;
constexpr int bins_per_doubling = 4;
constexpr std::size_t bin_count = exact_up_to + 1 + (32 - 5) * bins_per_doubling;

/// Bins count upwards with the degree; bin 0 holds the vertices without edges.
std::size_t bin_of(std::uint32_t degree) {
  if (degree <= exact_up_to) return degree;
  const int doubling = static_cast<int>(std::bit_width(degree)) - 1;  // >= 5
  const std::uint32_t quarter = (degree >> (doubling - 2)) & (bins_per_doubling - 1);
  return exact_up_to + 1 + static_cast<std::size_t>(doubling - 5) * bins_per_doubling + quarter;
}

using BinCounts = std::array<std::uint32_t, bin_count>;
}  // namespace

DegreeOrder order_by_degree(std::span<const std::uint32_t> degrees, ThreadTeam& threads) {
  const auto parts = static_cast<std::size_t>(threads.size());
  std::vector<BinCounts> next(parts, BinCounts{});  // first how many, then where the next one goes
  threads.run([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    const IndexRange range = even_share(degrees.size(), part, parts);
    for (std::size_t i = range.begin; i < range.end; ++i) ++next[part][bin_of(degrees[i])];
  });

  std::uint32_t total = 0;
  for (std::size_t bin = bin_count - 1; bin > 0; --bin) {
    for (BinCounts& counts : next) {
      const std::uint32_t count = counts[bin];
      counts[bin] = total;
      total += count;
    }
  }

  DegreeOrder order{Buffer<std::uint32_t>(degrees.size()), Buffer<std::uint32_t>(total)};
  threads.run([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    const IndexRange range = even_share(degrees.size(), part, parts);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t bin = bin_of(degrees[i]);
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

}  // namespace breadth
