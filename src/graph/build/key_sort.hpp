// Sorting what kernel 1 sorts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace breadth {

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

}  // namespace breadth
