// What kernel 1 sorts: one directed edge in one integer.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace breadth {

/// An edge as a sortable number of 64 bits: row above, column below, 32 bits each. No weight.
struct NarrowEntry {
  using Key = std::uint64_t;
  static constexpr bool has_weight = false;

  static Key pack(std::uint32_t row, std::uint64_t column, float /*weight*/) {
    return (std::uint64_t{row} << 32) | column;
  }
  static std::uint32_t row(Key key) { return static_cast<std::uint32_t>(key >> 32); }
  static std::uint64_t column(Key key) { return key & 0xFFFFFFFFU; }
  static float weight(Key /*key*/) { return 0; }
  static bool same_edge(Key a, Key b) { return a == b; }
};

/// The same in 128 bits, for columns of up to 64 bits or with a weight: row and the column's upper half above, the
/// column's lower half and the weight below, its bits arranged so that they sort like its value.
struct WideEntry {
  using Key = hwy::uint128_t;
  static constexpr bool has_weight = true;

  static Key pack(std::uint32_t row, std::uint64_t column, float weight) {
    return {.lo = (column << 32) | sortable(weight), .hi = (std::uint64_t{row} << 32) | (column >> 32)};
  }
  static std::uint32_t row(Key key) { return static_cast<std::uint32_t>(key.hi >> 32); }
  static std::uint64_t column(Key key) { return (key.hi << 32) | (key.lo >> 32); }
  static float weight(Key key) {
    const auto bits = static_cast<std::uint32_t>(key.lo);
    return std::bit_cast<float>((bits & sign_bit) != 0 ? bits ^ sign_bit : ~bits);
  }
  static bool same_edge(Key a, Key b) { return a.hi == b.hi && (a.lo >> 32) == (b.lo >> 32); }

 private:
  static constexpr std::uint32_t sign_bit = 0x80000000U;
  static std::uint32_t sortable(float weight) {
    const auto bits = std::bit_cast<std::uint32_t>(weight);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
  }
};

/// Sorts the keys upwards: by row, then column, then weight.
template <class Key>
void sort_keys(const hwy::Sorter& sorter, std::span<Key> keys) {
  if (keys.size() > 1) sorter(keys.data(), keys.size(), hwy::SortAscending());
}

}  // namespace breadth
