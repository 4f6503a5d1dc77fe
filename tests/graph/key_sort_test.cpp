#include "graph/build/entry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace breadth {
namespace {

/// Sizes from 0 on, around the size from which keys are sorted by digits, and around sizes from which digits are
/// longer.
const std::vector<std::size_t> sizes = {0, 1, 2, 3, 63, 64, 65, 127, 128, 255, 257, 1000, 2048, 5000, 40000};

TEST(KeySort, SortsNarrowKeys) {
  std::mt19937_64 random(11);
  KeySorter<std::uint32_t> sorter;
  for (const std::size_t size : sizes) {
    for (const std::uint32_t mask : {0U, 3U, 0x3FFU, 0x7FFU, 0xFFFU, 0x80000000U, 0xF0000F00U, 0xFFFFFFFFU}) {
      std::vector<std::uint32_t> keys(size);
      for (auto& key : keys) key = static_cast<std::uint32_t>(random()) & mask;
      std::vector<std::uint32_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      const auto sorted = sorter.sorted(keys);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), sorted.begin(), sorted.end())) << size << " " << mask;
    }
  }
}

TEST(KeySort, SortsWideKeysByTheUpperHalfFirst) {
  std::mt19937_64 random(12);
  KeySorter<WideKey> sorter;
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const std::vector<WideKey> masks = {{0, 0},   {1, 1},     {all, 0},        {0, all},
                                      {7, all}, {all, all}, {all << 63, 31}, {0xFFF00000FFF, std::uint64_t{1} << 63}};
  for (const std::size_t size : sizes) {
    for (const WideKey& mask : masks) {
      std::vector<WideKey> keys(size);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
      for (auto& key : keys) {
        key = {.lo = random() & mask.lo, .hi = random() & mask.hi};
        expected.emplace_back(key.hi, key.lo);
      }
      std::sort(expected.begin(), expected.end());
      const auto sorted = sorter.sorted(keys);
      ASSERT_EQ(sorted.size(), size);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(sorted[i].hi, expected[i].first) << i << " of " << size;
        ASSERT_EQ(sorted[i].lo, expected[i].second) << i << " of " << size;
      }
    }
  }
}

/// Checks rows of up to 20 keys, with the largest keys and equal ones among them. Keys behind the rows must stay
/// unchanged.
template <class Key, class Draw>
void expect_rows_sorted(Draw&& draw) {
  for (std::size_t size = 0; size <= 20; ++size) {
    for (int round = 0; round < 50; ++round) {
      std::vector<Key> keys(size + 1);
      for (Key& key : keys) key = draw();
      std::vector<Key> expected = keys;
      std::sort(expected.begin(), expected.end() - 1);
      sort_row(std::span(keys).first(size));
      for (std::size_t i = 0; i <= size; ++i) {
        ASSERT_FALSE(keys[i] < expected[i] || expected[i] < keys[i]) << i << " of " << size;
      }
    }
  }
}

TEST(KeySort, SortsTheKeysOfShortRows) {
  std::mt19937_64 random(13);
  const auto word = [&] { return random() % 3 == 0 ? ~std::uint64_t{0} : random() % 2 == 0 ? random() % 4 : random(); };
  expect_rows_sorted<std::uint32_t>([&] { return static_cast<std::uint32_t>(word()); });
  expect_rows_sorted<WideKey>([&] { return WideKey{.lo = word(), .hi = word()}; });
}

}  // namespace
}  // namespace breadth
