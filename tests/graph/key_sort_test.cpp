#include "graph/key_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "support/instruction_sets.hpp"

namespace breadth {
namespace {

class KeySortTest : public test::InstructionSetTest {
 protected:
  std::mt19937_64 random_{11};
  hwy::Sorter sorter_;
};

/// From nothing to more than any network sorts, and around the sizes of vectors.
const std::vector<std::size_t> sizes = {0, 1, 2, 3, 7, 8, 9, 31, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000, 5000};

TEST_P(KeySortTest, SortsNarrowKeys) {
  for (const std::size_t size : sizes) {
    for (const std::uint32_t values : {3U, 1000U, 0xFFFFFFFFU}) {
      std::vector<std::uint32_t> keys(size);
      for (auto& key : keys) key = static_cast<std::uint32_t>(random_() % values);
      std::vector<std::uint32_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      sort_keys(sorter_, std::span(keys));
      ASSERT_EQ(keys, expected) << size;
    }
  }
}

TEST_P(KeySortTest, SortsWideKeysByTheUpperHalfFirst) {
  for (const std::size_t size : sizes) {
    for (const std::uint64_t values : {std::uint64_t{2}, std::uint64_t{100}, ~std::uint64_t{0}}) {
      std::vector<hwy::uint128_t> keys(size);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
      for (auto& key : keys) {
        key.hi = random_() % values;
        key.lo = random_() % values;
        expected.emplace_back(key.hi, key.lo);
      }
      std::sort(expected.begin(), expected.end());
      sort_keys(sorter_, std::span(keys));
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(keys[i].hi, expected[i].first) << i << " of " << size;
        ASSERT_EQ(keys[i].lo, expected[i].second) << i << " of " << size;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, KeySortTest, test::instruction_sets(), test::instruction_set_name);

}  // namespace
}  // namespace breadth
