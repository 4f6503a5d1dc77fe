// What kernel 1 sorts on a device: a row's place and a neighbour in one number.
#pragma once

#include <bit>
#include <cstdint>

namespace breadth::gpu {

/// Rows from `first` on, of which a neighbour takes the lowest `column_bits`: sorted, rows follow each other and
/// neighbours rise in each.
struct EntryKeys {
  std::uint32_t first = 0;
  std::uint32_t column_bits = 0;

  // For Warp::map.
  struct Row;
  struct Column;
  struct Key;
};

/// Of a key.
struct EntryKeys::Row {
  EntryKeys keys;
  constexpr std::uint32_t operator()(std::uint64_t key) const {
    return static_cast<std::uint32_t>(key >> keys.column_bits) + keys.first;
  }
};
struct EntryKeys::Column {
  EntryKeys keys;
  constexpr std::uint32_t operator()(std::uint64_t key) const {
    return static_cast<std::uint32_t>(key & ((std::uint64_t{1} << keys.column_bits) - 1));
  }
};
/// Of a row and a column.
struct EntryKeys::Key {
  EntryKeys keys;
  constexpr std::uint64_t operator()(std::uint32_t row, std::uint32_t column) const {
    return std::uint64_t{row - keys.first} << keys.column_bits | column;
  }
};

/// Bits of numbers below `bound`.
constexpr std::uint32_t bits_below(std::uint64_t bound) {
  return bound == 0 ? 0 : static_cast<std::uint32_t>(std::bit_width(bound - 1));
}

}  // namespace breadth::gpu
