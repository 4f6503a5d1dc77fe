#include "core/parallel/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

namespace breadth {
namespace {

const std::vector<std::size_t> counts{0, 1, 2, 7, 8, 63, 64, 65, 1000, 32767, 32768, 100003};

class ParallelLoops : public testing::TestWithParam<int> {
 protected:
  ThreadTeam threads_{GetParam()};
};

TEST_P(ParallelLoops, BlocksCoverEachIndexOnce) {
  for (const std::size_t count : counts) {
    for (const std::size_t grain : {std::size_t{1}, std::size_t{3}, std::size_t{64}, std::size_t{1} << 40}) {
      if (count / grain > 50000) continue;
      std::vector<int> visits(count);
      parallel_blocks(threads_, count, grain, [&](IndexRange range, int thread) {
        EXPECT_LT(range.begin, range.end);
        EXPECT_LE(range.size(), grain);
        EXPECT_EQ(range.begin % grain, 0U);
        EXPECT_TRUE(thread >= 0 && thread < threads_.size());
        for (std::size_t i = range.begin; i < range.end; ++i) ++visits[i];
      });
      ASSERT_EQ(visits, std::vector<int>(count, 1)) << count << " by " << grain;
    }
  }
}

TEST_P(ParallelLoops, SharedBlocksCoverEachIndexOnce) {
  for (const std::size_t count : counts) {
    for (const std::size_t grain : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 40}) {
      if (count / grain > 50000) continue;
      std::vector<int> visits(count);
      SharedBlocks blocks(count, grain, threads_.size());
      threads_.run([&](int thread) {
        blocks.take(thread, [&](IndexRange range) {
          EXPECT_LT(range.begin, range.end);
          EXPECT_LE(range.size(), grain);
          for (std::size_t i = range.begin; i < range.end; ++i) ++visits[i];
        });
      });
      ASSERT_EQ(visits, std::vector<int>(count, 1)) << count << " by " << grain;
    }
  }
}

TEST(SharedBlocks, AThreadBeginsWithItsOwnShareAndTakesWhatIsLeft) {
  std::vector<std::size_t> begins;
  SharedBlocks blocks(100, 10, 3);
  blocks.take(1, [&](IndexRange range) { begins.push_back(range.begin); });
  EXPECT_EQ(begins, (std::vector<std::size_t>{34, 44, 54, 64, 67, 77, 87, 97, 0, 10, 20, 30}));
  blocks.take(0, [](IndexRange) { ADD_FAILURE() << "nothing is left"; });
}

TEST(SharedBlocks, SharesAreCutAtMultiplesOfAUnit) {
  std::vector<std::size_t> begins;
  SharedBlocks blocks(100, 10, 3, 10);
  blocks.take(1, [&](IndexRange range) { begins.push_back(range.begin); });
  EXPECT_EQ(begins, (std::vector<std::size_t>{40, 50, 60, 70, 80, 90, 0, 10, 20, 30}));
}

TEST_P(ParallelLoops, ForCallsTheBodyOnceAnIndex) {
  for (const std::size_t count : counts) {
    std::vector<int> visits(count);
    parallel_for(threads_, count, 100, [&](std::size_t i) { ++visits[i]; });
    ASSERT_EQ(visits, std::vector<int>(count, 1));
  }
}

TEST_P(ParallelLoops, ReduceCombinesEveryBlock) {
  for (const std::size_t count : counts) {
    const auto sum_of = [](IndexRange range) {
      std::uint64_t sum = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) sum += i;
      return sum;
    };
    const auto sum = parallel_reduce(threads_, count, 10, std::uint64_t{0}, sum_of, std::plus<>());
    EXPECT_EQ(sum, count == 0 ? 0 : std::uint64_t{count} * (count - 1) / 2);
    EXPECT_EQ(parallel_sum(threads_, count, 10, [](std::size_t i) { return std::uint64_t{i} * i; }),
              count == 0 ? 0 : std::uint64_t{count} * (count - 1) * (2 * count - 1) / 6);
    const auto largest = parallel_reduce(
        threads_, count, 10, std::size_t{5}, [](IndexRange range) { return range.end; },
        [](std::size_t a, std::size_t b) { return std::max(a, b); });
    EXPECT_EQ(largest, std::max<std::size_t>(5, count));
  }
}

TEST_P(ParallelLoops, PrefixSumsEqualTheSerialOnes) {
  std::mt19937_64 random(5);
  for (const std::size_t count : counts) {
    std::vector<std::uint64_t> values(count);
    for (auto& value : values) value = random() % 1000 << 40;  // sums beyond 32 bits
    std::vector<std::uint64_t> expected(count);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), std::uint64_t{0});
    const std::uint64_t expected_total = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    EXPECT_EQ(exclusive_prefix_sum(threads_, std::span(values)), expected_total);
    ASSERT_EQ(values, expected) << count;
  }
}

TEST_P(ParallelLoops, SortsAsOneThreadDoes) {
  std::mt19937_64 random(7);
  for (const std::size_t count : {0U, 1U, 2U, 1000U, 65536U, 65537U, 300000U}) {
    std::vector<std::uint64_t> values(count);
    for (auto& value : values) value = random() % (count + 1);
    std::vector<std::uint64_t> expected = values;
    std::ranges::sort(expected, std::greater<>());
    parallel_sort(threads_, std::span(values), std::greater<>());
    ASSERT_EQ(values, expected) << count;
  }
}

TEST_P(ParallelLoops, PassExceptionsOn) {
  EXPECT_THROW(parallel_for(threads_, 1000, 10,
                            [](std::size_t i) {
                              if (i == 777) throw std::runtime_error("777");
                            }),
               std::runtime_error);
  EXPECT_THROW(parallel_for(threads_, 5, 10, [](std::size_t) { throw std::runtime_error("alone"); }),
               std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelLoops, testing::Values(1, 2, 3, 8));

TEST(EvenShare, PartsAreConsecutiveNearlyEqualAndCutAtUnits) {
  for (const std::size_t count : {0U, 1U, 5U, 63U, 64U, 65U, 640U, 1000U, 12345U}) {
    for (const std::size_t parts : {1U, 2U, 3U, 7U, 64U, 1000U}) {
      for (const std::size_t unit : {1U, 8U, 64U}) {
        std::size_t end = 0;
        std::size_t least = count;
        std::size_t most = 0;
        for (std::size_t part = 0; part < parts; ++part) {
          const IndexRange range = even_share(count, part, parts, unit);
          ASSERT_EQ(range.begin, end);
          ASSERT_LE(range.begin, range.end);
          ASSERT_TRUE(range.end == count || range.end % unit == 0);
          end = range.end;
          least = std::min(least, range.size());
          most = std::max(most, range.size());
        }
        ASSERT_EQ(end, count);
        // Parts differ by one unit at most; the last part may also be short by up to one unit.
        ASSERT_LT(most - least, 2 * unit);
      }
    }
  }
  const std::size_t all = std::size_t{1} << 60;
  EXPECT_EQ(even_share(all, 6, 7).end, all);
}

}  // namespace
}  // namespace breadth
