#include "core/data/bitmap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "core/parallel/parallel.hpp"

namespace breadth {
namespace {

TEST(Bitmap, CountsWords) {
  EXPECT_EQ(words_for_bits(0), 0U);
  EXPECT_EQ(words_for_bits(1), 1U);
  EXPECT_EQ(words_for_bits(64), 1U);
  EXPECT_EQ(words_for_bits(65), 2U);
  EXPECT_EQ(words_for_bits(std::size_t{1} << 48), std::size_t{1} << 42);
  EXPECT_EQ(bit_in_word(0), 1U);
  EXPECT_EQ(bit_in_word(127), std::uint64_t{1} << 63);
}

TEST(Bitmap, IsASet) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 1000U}) {
    Bitmap bitmap(size);
    std::set<std::size_t> expected;
    std::mt19937_64 random(size);
    for (int draw = 0; draw < 200; ++draw) {
      const std::size_t bit = random() % size;
      bitmap.insert(bit);
      expected.insert(bit);
    }
    EXPECT_EQ(bitmap.size(), size);
    EXPECT_EQ(bitmap.words().size(), words_for_bits(size));
    std::vector<std::size_t> listed;
    for (std::size_t word = 0; word < bitmap.words().size(); ++word) {
      for_each_set_bit(bitmap.words()[word], word * bits_per_word, [&](std::size_t bit) { listed.push_back(bit); });
    }
    EXPECT_EQ(listed, std::vector<std::size_t>(expected.begin(), expected.end()));
    for (std::size_t bit = 0; bit < size; ++bit) {
      EXPECT_EQ(bitmap.contains(bit), expected.contains(bit));
      EXPECT_EQ(test_bit(bitmap.words(), bit), expected.contains(bit));
    }
  }
}

TEST(Bitmap, MayBeEmpty) {
  const Bitmap none;
  const Bitmap zero(0);
  EXPECT_EQ(none.size() + zero.size() + none.words().size() + zero.words().size(), 0U);
  for_each_set_bit(0, 0, [](std::size_t) { FAIL() << "no bit is set"; });
}

TEST(Bitmap, OneThreadMakesEachInsertion) {
  constexpr std::size_t size = 2000;
  constexpr int rounds = 50;
  ThreadTeam threads(8);
  for (int round = 0; round < rounds; ++round) {
    Bitmap bitmap(size);
    std::vector<std::vector<std::size_t>> by_thread(8);
    threads.run([&](int thread) {
      // Every thread inserts every multiple of 3, so that all threads write to the same words.
      for (std::size_t bit = 0; bit < size; bit += 3) {
        if (bitmap.insert_atomic(bit)) by_thread[static_cast<std::size_t>(thread)].push_back(bit);
      }
    });
    std::vector<int> times(size);
    for (const auto& bits : by_thread) {
      for (const std::size_t bit : bits) ++times[bit];
    }
    for (std::size_t bit = 0; bit < size; ++bit) {
      ASSERT_EQ(times[bit], bit % 3 == 0 ? 1 : 0);
      ASSERT_EQ(bitmap.contains(bit), bit % 3 == 0);
    }
  }
}

}  // namespace
}  // namespace breadth
