// The bins in which vertices are ordered by degree.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace breadth {

/// Bins of degrees, filled from the last to the first: one a degree up to 32, four for each doubling above; bin 0 is
/// for the vertices without edges, which have no place.
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
