// The bins that order vertices by degree.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace breadth {

/// Bins of degrees; the order of vertices starts with the last bin. There is one bin per degree up to 32, and four per
/// doubling above. Bin 0 is for vertices without edges, which have no place in the order.
struct DegreeBins {
  static constexpr std::uint32_t exact_up_to = 32;
  static constexpr int bins_per_doubling = 4;
  static constexpr std::size_t count = exact_up_to + 1 + (32 - 5) * bins_per_doubling;

  static constexpr std::size_t bin_of(std::uint32_t degree) {
    if (degree <= exact_up_to) return degree;
    const int doubling = static_cast<int>(std::bit_width(degree)) - 1;  // >= 5
    const std::uint32_t quarter = (degree >> (doubling - 2)) & (bins_per_doubling - 1);
    return exact_up_to + 1 + static_cast<std::size_t>(doubling - 5) * bins_per_doubling + quarter;
  }
};

}  // namespace breadth
