#include "graph/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/ids.hpp"

namespace breadth {
namespace {

std::vector<std::uint32_t> random_degrees(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> degrees(count);
  for (auto& degree : degrees) degree = static_cast<std::uint32_t>(random() >> (33 + random() % 31));
  return degrees;
}

class AnyOrder : public testing::TestWithParam<VertexOrder> {};

TEST_P(AnyOrder, NamesEveryVertexWithEdgesOnceAndNoOther) {
  for (const int thread_count : {1, 2, 3}) {
    ThreadTeam threads(thread_count);
    for (const std::size_t count : {0U, 1U, 2U, 100U, 5000U}) {
      const auto degrees = random_degrees(count, count + 1);
      const LocalOrder order = order_vertices(GetParam(), degrees, threads);
      std::size_t connected = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (degrees[i] == 0) {
          EXPECT_EQ(order.local_of_offset[i], no_local_vertex.value);
          continue;
        }
        ++connected;
        ASSERT_LT(order.local_of_offset[i], order.offset_of_local.size());
        EXPECT_EQ(order.offset_of_local[order.local_of_offset[i]], i);
      }
      EXPECT_EQ(order.offset_of_local.size(), connected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LocalOrder, AnyOrder, testing::Values(VertexOrder::degree, VertexOrder::label));

TEST(LocalOrder, FallsByDegreeExactlyUpTo32AndWithinAQuarterAbove) {
  ThreadTeam threads(2);
  const auto degrees = random_degrees(20000, 7);
  const LocalOrder order = order_vertices(VertexOrder::degree, degrees, threads);
  for (std::size_t i = 1; i < order.offset_of_local.size(); ++i) {
    const std::uint32_t before = degrees[order.offset_of_local[i - 1]];
    const std::uint32_t here = degrees[order.offset_of_local[i]];
    if (before <= 32) {
      EXPECT_GE(before, here);
    } else {
      EXPECT_GE(before + before / 4 + 1, here);
    }
    if (before == here) {
      EXPECT_LT(order.offset_of_local[i - 1], order.offset_of_local[i]) << "not stable";
    }
  }
}

TEST(LocalOrder, KeepsTheOrderOfLabelsIfThatIsWanted) {
  ThreadTeam threads(3);
  const auto degrees = random_degrees(20000, 7);
  const LocalOrder order = order_vertices(VertexOrder::label, degrees, threads);
  ASSERT_GT(order.offset_of_local.size(), 1000U);
  EXPECT_TRUE(std::is_sorted(order.offset_of_local.begin(), order.offset_of_local.end()));
}

}  // namespace
}  // namespace breadth
