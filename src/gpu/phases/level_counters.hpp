// What the levels of a search count, and how many they have queued.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Sets of counters that levels take in turn. While a level counts in its own set and queues by the next one, blocks
/// that are behind may still read the set before, and the one after the next is cleared: so a level needs no barrier
/// but the one at its end.
inline constexpr std::uint32_t counter_sets = 4;

/// All sets, one behind the other.
struct LevelCounters {
  ArrayView<std::uint32_t> queue_sizes;  ///< row_classes a set: the frontier that the level starts from
  ArrayView<std::uint32_t> miss_sizes;   ///< miss_classes a set
  ArrayView<std::uint64_t> tallies;      ///< tally_kinds a set

  [[nodiscard]] constexpr ArrayView<std::uint32_t> queue_sizes_of(std::uint64_t level) const {
    return set(queue_sizes, row_classes, level);
  }
  [[nodiscard]] constexpr ArrayView<std::uint32_t> miss_sizes_of(std::uint64_t level) const {
    return set(miss_sizes, miss_classes, level);
  }
  [[nodiscard]] constexpr ArrayView<std::uint64_t> tallies_of(std::uint64_t level) const {
    return set(tallies, tally_kinds, level);
  }

 private:
  template <class T>
  static constexpr ArrayView<T> set(const ArrayView<T>& all, std::uint32_t size, std::uint64_t level) {
    return {all.data + level % counter_sets * size, size};
  }
};

}  // namespace breadth::gpu
