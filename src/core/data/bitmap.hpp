// A set of small numbers, one bit each.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"

namespace breadth {

inline constexpr std::size_t bits_per_word = 64;

constexpr std::size_t words_for_bits(std::size_t bits) { return (bits + bits_per_word - 1) / bits_per_word; }
constexpr std::uint64_t bit_in_word(std::size_t bit) { return std::uint64_t{1} << (bit % bits_per_word); }

/// The bits of word `word` with bitmap indices below `bound`.
constexpr std::uint64_t bits_below(std::size_t bound, std::size_t word) {
  if (bound >= (word + 1) * bits_per_word) return ~std::uint64_t{0};
  return bound <= word * bits_per_word ? 0 : bit_in_word(bound) - 1;
}

inline bool test_bit(std::span<const std::uint64_t> words, std::size_t bit) {
  return (words[bit / bits_per_word] & bit_in_word(bit)) != 0;
}

/// Calls body(first_bit + position) for every set bit of one word, lowest first.
template <class Body>
void for_each_set_bit(std::uint64_t word, std::size_t first_bit, Body&& body) {
  for (; word != 0; word &= word - 1) body(first_bit + static_cast<std::size_t>(std::countr_zero(word)));
}

/// Bits 0..size-1, all clear at first. Whole words may be read and written by one thread each without
/// synchronisation; `insert_atomic` is for threads that share words.
class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(std::size_t bits) : words_(words_for_bits(bits)), size_(bits) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_.span(); }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_.span(); }
  [[nodiscard]] bool contains(std::size_t bit) const noexcept { return test_bit(words_.span(), bit); }

  void clear() noexcept { std::fill(words_.begin(), words_.end(), 0); }
  void insert(std::size_t bit) noexcept { words_[bit / bits_per_word] |= bit_in_word(bit); }
  /// Returns whether this call set the bit: of several threads, exactly one does.
  [[gnu::always_inline]] bool insert_atomic(std::size_t bit) noexcept {
    std::atomic_ref<std::uint64_t> word(words_[bit / bits_per_word]);
    const std::uint64_t mask = bit_in_word(bit);
    if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
    return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
  }

 private:
  Buffer<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace breadth
