// What kernel 1 sorts, one directed edge in one integer, and how it sorts.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace breadth {

// Sorting keys.

/// 128 bits that sort as one number.
struct WideKey {
  std::uint64_t lo;
  std::uint64_t hi;

  friend bool operator<(const WideKey& a, const WideKey& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
};

/// One thread's tool to sort keys, a few thousand at a time: digit by digit from the lowest on, each by counting, and
/// only the digits in which keys differ. The cost of a digit is a read and a write in the cache for each key, in no
/// order that a branch could get wrong. Key: std::uint32_t or WideKey.
template <class Key>
class KeySorter {
 public:
  /// The keys upwards, where they were or in memory of the sorter, there until the next call; where they were holds
  /// anything then. They are as fast as can be while both places fit the second-level cache.
  std::span<const Key> sorted(std::span<Key> keys);

 private:
  std::vector<Key> other_;
  std::vector<std::uint32_t> places_;
};

// Entries.

/// An edge as a number of 32 bits that sorts by row, then column: as many low bits for the column as columns need, the
/// rest for the row. No weight. What is sorted together are few rows, so that half the width of an edge is enough, and
/// sorts in half the time.
class NarrowEntry {
 public:
  using Key = std::uint32_t;
  static constexpr bool has_weight = false;

  /// For columns below `column_bound`, from 1 to 2^32.
  explicit NarrowEntry(std::uint64_t column_bound)
      : column_bits_(static_cast<int>(std::bit_width(column_bound - 1))),
        column_mask_(static_cast<Key>((std::uint64_t{1} << column_bits_) - 1)) {}

  /// Rows are below this.
  [[nodiscard]] std::uint64_t row_bound() const { return std::uint64_t{1} << (32 - column_bits_); }
  [[nodiscard]] Key pack(std::uint32_t row, std::uint64_t column, float /*weight*/) const {
    return static_cast<Key>((std::uint64_t{row} << column_bits_) | column);
  }
  [[nodiscard]] std::uint32_t row(Key key) const {
    return static_cast<std::uint32_t>(std::uint64_t{key} >> column_bits_);
  }
  [[nodiscard]] std::uint64_t column(Key key) const { return key & column_mask_; }
  static float weight(Key /*key*/) { return 0; }
  static bool same_edge(Key a, Key b) { return a == b; }

 private:
  int column_bits_;
  Key column_mask_;
};

/// The bits of a weight, arranged so that they sort like its value.
struct SortableWeight {
  static std::uint32_t bits(float weight) {
    const auto bits = std::bit_cast<std::uint32_t>(weight);
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
  }
  static float value(std::uint32_t bits) {
    return std::bit_cast<float>((bits & sign_bit) != 0 ? bits ^ sign_bit : ~bits);
  }

 private:
  static constexpr std::uint32_t sign_bit = 0x80000000U;
};

/// The same in 128 bits, for columns of up to 64 bits or with a weight: row and the column's upper half above, the
/// column's lower half and the weight below. Sorts by row, column and weight.
class WideEntry {
 public:
  using Key = WideKey;
  static constexpr bool has_weight = true;

  explicit WideEntry(std::uint64_t /*column_bound*/) {}

  static std::uint64_t row_bound() { return std::uint64_t{1} << 32; }
  static Key pack(std::uint32_t row, std::uint64_t column, float weight) {
    return {.lo = (column << 32) | SortableWeight::bits(weight), .hi = (std::uint64_t{row} << 32) | (column >> 32)};
  }
  static std::uint32_t row(Key key) { return static_cast<std::uint32_t>(key.hi >> 32); }
  static std::uint64_t column(Key key) { return (key.hi << 32) | (key.lo >> 32); }
  static float weight(Key key) { return SortableWeight::value(static_cast<std::uint32_t>(key.lo)); }
  static bool same_edge(Key a, Key b) { return a.hi == b.hi && (a.lo >> 32) == (b.lo >> 32); }
};

/// The same in another order, by row, weight and column: row and weight above, the column below.
class LightestFirstEntry {
 public:
  using Key = WideKey;
  static constexpr bool has_weight = true;

  explicit LightestFirstEntry(std::uint64_t /*column_bound*/) {}

  static std::uint64_t row_bound() { return std::uint64_t{1} << 32; }
  static Key pack(std::uint32_t row, std::uint64_t column, float weight) {
    return {.lo = column, .hi = (std::uint64_t{row} << 32) | SortableWeight::bits(weight)};
  }
  static std::uint32_t row(Key key) { return static_cast<std::uint32_t>(key.hi >> 32); }
  static std::uint64_t column(Key key) { return key.lo; }
  static float weight(Key key) { return SortableWeight::value(static_cast<std::uint32_t>(key.hi)); }
};

}  // namespace breadth
