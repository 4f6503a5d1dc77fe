#include "core/data/label_array.hpp"
#include "core/ids.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace breadth {
namespace {

/// Checks everything that the distribution promises about one label, computed from its block size alone.
void expect_consistent(const BlockDistribution& distribution, std::uint64_t value) {
  const Label label{static_cast<std::int64_t>(value)};
  const auto owner = static_cast<int>(value / distribution.block());
  ASSERT_EQ(distribution.owner(label), owner) << value << " of " << distribution.vertex_count();
  ASSERT_LT(owner, distribution.ranks());
  const std::size_t offset = distribution.offset(label, owner);
  ASSERT_EQ(offset, value % distribution.block());
  ASSERT_LT(offset, distribution.count(owner));
  ASSERT_EQ(distribution.label(owner, offset), label);
}

void expect_blocks_fill_the_labels(const BlockDistribution& distribution) {
  ASSERT_EQ(distribution.block() % 64, 0U);
  std::uint64_t end = 0;
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    ASSERT_EQ(static_cast<std::uint64_t>(distribution.first(rank).value), end);
    ASSERT_LE(distribution.count(rank), distribution.block());
    end += distribution.count(rank);
  }
  ASSERT_EQ(end, distribution.vertex_count());
}

TEST(BlockDistribution, GivesEveryLabelToItsBlock) {
  for (const std::uint64_t vertices : {0U, 1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U, 4096U, 5000U}) {
    for (const int ranks : {1, 2, 3, 4, 5, 7, 16, 64, 100}) {
      const BlockDistribution distribution(vertices, ranks);
      EXPECT_EQ(distribution.vertex_count(), vertices);
      EXPECT_EQ(distribution.ranks(), ranks);
      expect_blocks_fill_the_labels(distribution);
      for (std::uint64_t value = 0; value < vertices; ++value) expect_consistent(distribution, value);
    }
  }
}

TEST(BlockDistribution, BlocksAreNoLargerThanEqualSharesNeed) {
  EXPECT_EQ(BlockDistribution(1000, 1).block(), 1024U);
  EXPECT_EQ(BlockDistribution(1024, 4).block(), 256U);
  EXPECT_EQ(BlockDistribution(1025, 4).block(), 320U);
  EXPECT_EQ(BlockDistribution(3, 7).block(), 64U);
  EXPECT_EQ(BlockDistribution(3, 7).count(0), 3U);
  EXPECT_EQ(BlockDistribution(3, 7).count(6), 0U);
}

TEST(BlockDistribution, HoldsForLabelsOf48Bits) {
  constexpr std::uint64_t bound = label_bound;
  for (const std::uint64_t vertices : {bound, bound - 1, bound - 63, bound / 3, (std::uint64_t{1} << 32) + 1}) {
    for (const int ranks : {1, 2, 3, 7, 64, 1000, 40960, 1000003}) {
      const BlockDistribution distribution(vertices, ranks);
      if (ranks <= 40960) expect_blocks_fill_the_labels(distribution);
      for (const int rank : {0, 1, ranks / 2, ranks - 2, ranks - 1}) {  // where a division would be off by one
        if (rank < 0 || rank >= ranks || distribution.count(rank) == 0) continue;
        const auto first = static_cast<std::uint64_t>(distribution.first(rank).value);
        for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, distribution.count(rank) / 2,
                                           std::uint64_t{distribution.count(rank) - 1}}) {
          if (offset < distribution.count(rank)) expect_consistent(distribution, first + offset);
        }
      }
    }
  }
}

TEST(BlockDistribution, OfNothingIsEmpty) {
  const BlockDistribution distribution;
  EXPECT_EQ(distribution.vertex_count(), 0U);
  EXPECT_EQ(distribution.count(0), 0U);
}

}  // namespace
}  // namespace breadth
