// The sorting keys of kernel 1, one directed edge in one integer, and how it sorts them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace breadth {

// Sorting keys.

/// 128 bits that sort as one number.
struct WideKey {
  std::uint64_t lo;
  std::uint64_t hi;

  friend bool operator<(const WideKey& a, const WideKey& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
};

/// One thread's radix sort for a few thousand keys at a time: digit by digit from the lowest on, each by counting, and
/// only the digits in which keys differ. A digit costs a read and a write in the cache for each key, without branches
/// to mispredict. Key: std::uint32_t or WideKey.
template <class Key>
class KeySorter {
 public:
  /// Returns the keys in ascending order, either in `keys` or in the sorter's own memory, where they stay until the
  /// next call; `keys` is undefined then. Fastest while both fit the second-level cache.
  std::span<const Key> sorted(std::span<Key> keys);

 private:
  std::vector<Key> other_;
  std::vector<std::uint32_t> places_;
};

// Sorting a few keys with a fixed sequence of comparisons: there is no branch to mispredict.

/// Exchanges keys that are in the wrong order.
[[gnu::always_inline]] inline void put_in_order(std::uint32_t& first, std::uint32_t& second) {
  const std::uint32_t exchanged = (first ^ second) & (0U - static_cast<std::uint32_t>(second < first));
  first ^= exchanged;
  second ^= exchanged;
}
[[gnu::always_inline]] inline void put_in_order(WideKey& first, WideKey& second) {
  const auto less_above = static_cast<std::uint64_t>(second.hi < first.hi);
  const auto less_below =
      static_cast<std::uint64_t>(second.hi == first.hi) & static_cast<std::uint64_t>(second.lo < first.lo);
  const std::uint64_t mask = std::uint64_t{0} - (less_above | less_below);
  const WideKey exchanged{.lo = (first.lo ^ second.lo) & mask, .hi = (first.hi ^ second.hi) & mask};
  first = {.lo = first.lo ^ exchanged.lo, .hi = first.hi ^ exchanged.hi};
  second = {.lo = second.lo ^ exchanged.lo, .hi = second.hi ^ exchanged.hi};
}

template <class Key>
inline constexpr Key largest_key = ~Key{0};
template <>
inline constexpr WideKey largest_key<WideKey> = {.lo = ~std::uint64_t{0}, .hi = ~std::uint64_t{0}};

/// The places that a sorting network for `width` keys compares, in order.
template <std::size_t width>
struct SortingNetwork;
template <>
struct SortingNetwork<4> {
  static constexpr std::array<std::size_t, 5> first = {0, 2, 0, 1, 1};
  static constexpr std::array<std::size_t, 5> second = {1, 3, 2, 3, 2};
};
template <>
struct SortingNetwork<8> {  // Batcher's
  static constexpr std::array<std::size_t, 19> first = {0, 2, 4, 6, 0, 1, 4, 5, 1, 5, 0, 3, 1, 2, 1, 3, 2, 3, 3};
  static constexpr std::array<std::size_t, 19> second = {1, 3, 5, 7, 2, 3, 6, 7, 2, 6, 4, 7, 5, 6, 4, 6, 4, 5, 4};
};

/// Returns `count` keys in ascending order, followed by largest keys. `count` is from 1 to `width`, which is 4 or 8.
template <std::size_t width, class Key>
[[gnu::always_inline]] inline std::array<Key, width> sorted_few(const Key* keys, std::size_t count) {
  std::array<Key, width> sorted;
  for (std::size_t i = 0; i < width; ++i) {
    const Key key = keys[std::min(i, count - 1)];
    sorted[i] = i < count ? key : largest_key<Key>;
  }
  using Network = SortingNetwork<width>;
#pragma GCC unroll 19
  for (std::size_t i = 0; i < Network::first.size(); ++i) {
    put_in_order(sorted[Network::first[i]], sorted[Network::second[i]]);
  }
  return sorted;
}

/// Sorts the keys of a row.
template <class Key>
void sort_row(std::span<Key> keys) {
  if (keys.size() <= 1) return;
  if (keys.size() <= 4) {
    const auto sorted = sorted_few<4>(keys.data(), keys.size());
    std::copy_n(sorted.begin(), keys.size(), keys.begin());
  } else if (keys.size() <= 8) {
    const auto sorted = sorted_few<8>(keys.data(), keys.size());
    std::copy_n(sorted.begin(), keys.size(), keys.begin());
  } else {
    std::sort(keys.begin(), keys.end());
  }
}

/// Whether rows have so few entries that it is best to sort them one by one: a counting pass that deals entries out to
/// the rows costs less than the passes of a sort of keys.
constexpr bool have_few_entries(std::size_t row_count, std::size_t entries) { return entries <= 8 * row_count; }

/// Deals keys out to their rows, which must be below row_count. for_each_key(body) must call body(key) for each key,
/// the same keys both times; put(place, key) stores a key. Afterwards row r ends at row_ends[r], where row r + 1
/// begins. O(keys + rows).
template <class Entry, class ForEachKey, class Put>
void deal_out_to_rows(const Entry& code, std::size_t row_count, std::vector<std::uint32_t>& row_ends,
                      ForEachKey&& for_each_key, Put&& put) {
  row_ends.assign(row_count, 0);
  for_each_key([&](const typename Entry::Key& key) { ++row_ends[code.row(key)]; });
  std::uint32_t next = 0;
  for (std::uint32_t& end : row_ends) next += std::exchange(end, next);
  for_each_key([&](const typename Entry::Key& key) { put(row_ends[code.row(key)]++, key); });
}

/// One thread's sorter for keys whose rows have few entries.
template <class Entry>
class ShortRowSorter {
  using Key = typename Entry::Key;

 public:
  /// Returns the keys in ascending order, valid until the next call. Their rows must be below row_count. O(keys + rows)
  /// where all rows are short.
  std::span<const Key> sorted(std::span<const Key> keys, const Entry& code, std::size_t row_count) {
    if (sorted_.size() < keys.size()) sorted_.resize(keys.size());
    deal_out_to_rows(
        code, row_count, row_ends_, [&](auto&& body) { std::for_each(keys.begin(), keys.end(), body); },
        [&](std::size_t place, const Key& key) { sorted_[place] = key; });
    std::size_t begin = 0;
    for (const std::uint32_t end : row_ends_) {
      sort_row(std::span(sorted_).subspan(begin, end - begin));
      begin = end;
    }
    return std::span(sorted_).first(keys.size());
  }

 private:
  std::vector<Key> sorted_;
  std::vector<std::uint32_t> row_ends_;
};

// Entries.

/// An edge as a number of 32 bits that sorts by row, then column: as many low bits for the column as columns need, the
/// rest for the row. No weight. Only a few rows are sorted together, so that half the width of an edge is enough, and
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

/// An edge in 128 bits, for columns of up to 64 bits or with a weight: row and upper half of the column in the high
/// word, lower half of the column and weight in the low word. Sorts by row, column and weight.
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

/// An edge in 128 bits that sorts by row, weight and column: row and weight in the high word, the column in the low
/// word.
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
