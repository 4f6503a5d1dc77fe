#include "graph/build/entry.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

namespace {

/// The most bits of a digit: the counters of all its values fit the first-level cache.
constexpr int max_digit_bits = 11;
/// Fewer keys than this are sorted by comparison.
constexpr std::size_t few_keys = 64;

template <class Key>
constexpr std::size_t words = 1;
template <>
constexpr std::size_t words<WideKey> = 2;

std::uint32_t word(std::uint32_t key, std::size_t /*index*/) { return key; }
std::uint64_t word(const WideKey& key, std::size_t index) { return index == 0 ? key.lo : key.hi; }

/// Some bits of a word of a key.
struct Digit {
  std::size_t word;
  int first_bit;
  int bits;

  [[nodiscard]] std::size_t values() const { return std::size_t{1} << bits; }
  template <class Key>
  [[nodiscard]] std::size_t of(const Key& key) const {
    return (breadth::word(key, word) >> first_bit) & (values() - 1);
  }
};

/// The digits in which keys differ, the lowest first. With fewer keys digits are shorter, because each value of a digit
/// costs time too.
template <class Key>
std::vector<Digit> differing_digits(std::span<const Key> keys) {
  const int widest = std::min(max_digit_bits, std::max(6, static_cast<int>(std::bit_width(keys.size())) - 1));
  std::vector<Digit> digits;
  for (std::size_t index = 0; index < words<Key>; ++index) {
    const std::uint64_t first = word(keys.front(), index);
    std::uint64_t differing = 0;
    for (const Key& key : keys) differing |= word(key, index) ^ first;
    for (int bit = 0; differing >> bit != 0;) {
      bit += std::countr_zero(differing >> bit);
      const int rest = static_cast<int>(std::bit_width(differing)) - bit;
      // As even as can be: two digits of 7 bits rather than one of 11 and one of 3.
      const int bits = (rest + (rest - 1) / widest) / ((rest - 1) / widest + 1);
      digits.push_back({index, bit, bits});
      bit += bits;
      if (bit >= 64) break;
    }
  }
  return digits;
}

/// Digits whose values are counted in one pass over the keys.
constexpr std::size_t counted_together = 3;

/// Counts the values of the first `digit_count` digits; the counts of digit d start at counts[d << max_digit_bits].
template <std::size_t digit_count, class Key>
void count_values(std::span<const Key> keys, std::span<const Digit> digits, std::span<std::uint32_t> counts) {
  std::array<Digit, digit_count> counted;
  std::copy_n(digits.begin(), digit_count, counted.begin());
  for (const Key& key : keys) {
    for (std::size_t d = 0; d < digit_count; ++d) ++counts[(d << max_digit_bits) + counted[d].of(key)];
  }
}

}  // namespace

template <class Key>
std::span<const Key> KeySorter<Key>::sorted(std::span<Key> keys) {
  if (keys.size() < few_keys) {
    std::sort(keys.begin(), keys.end());
    return keys;
  }
  if (keys.size() > std::numeric_limits<std::uint32_t>::max()) fail("more than 2^32 - 1 tuples of one vertex");
  if (other_.size() < keys.size()) other_.resize(keys.size());
  places_.resize(counted_together << max_digit_bits);
  std::span<Key> from = keys;
  std::span<Key> to = std::span(other_).first(keys.size());
  const std::vector<Digit> all = differing_digits(std::span<const Key>(keys));
  for (std::span<const Digit> digits = all; !digits.empty();) {
    const auto some = digits.first(std::min(counted_together, digits.size()));
    const auto places_of = [&](std::size_t d) {
      return std::span(places_).subspan(d << max_digit_bits, some[d].values());
    };
    for (std::size_t d = 0; d < some.size(); ++d) std::ranges::fill(places_of(d), 0);
    switch (some.size()) {
      case 1: count_values<1, Key>(from, some, places_); break;
      case 2: count_values<2, Key>(from, some, places_); break;
      default: count_values<counted_together, Key>(from, some, places_);
    }
    for (std::size_t d = 0; d < some.size(); ++d) {
      const Digit digit = some[d];
      const auto places = places_of(d);
      std::uint32_t next = 0;
      for (std::uint32_t& place : places) place = std::exchange(next, next + place);
      for (const Key& key : from) to[places[digit.of(key)]++] = key;
      std::swap(from, to);
    }
    digits = digits.subspan(some.size());
  }
  return from;
}

template class KeySorter<std::uint32_t>;
template class KeySorter<WideKey>;

}  // namespace breadth
