// The operations of a warp, carried out for 32 lanes in lock step.
#include "gpu/simulated/simulated_grid.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace breadth::gpu {
namespace {

const LockStepWarp alone({});

template <class T>
ArrayView<T> view(std::vector<T>& values) {
  return {values.data(), values.size()};
}

TEST(LockStepWarp, LanesTakePartInArithmeticEachWithItsOwnValue) {
  const auto lane = alone.lane();
  const auto value = (lane * 3U + 5U) % 7U - lane / 32U;
  const Lanes<std::uint64_t> wide = Lanes<std::uint64_t>(std::uint64_t{1} << 40U) + lane;
  for (std::uint32_t i = 0; i < warp_lanes; ++i) {
    EXPECT_EQ(value.values[i], (i * 3 + 5) % 7);
    EXPECT_EQ(wide.values[i], (std::uint64_t{1} << 40U) + i);
    EXPECT_EQ((lane >= 4U).values[i], i >= 4);
    EXPECT_EQ((!(lane == 4U)).values[i], i != 4);
  }
}

TEST(LockStepWarp, BallotsAndRanks) {
  const LockStepWarp::Mask odd = alone.lane() % 2U == 1U;
  EXPECT_EQ(alone.ballot(odd), 0xAAAAAAAAU);
  EXPECT_FALSE(alone.any(odd & !odd));
  const auto rank = alone.rank(0xAAAAAAAAU);
  for (std::uint32_t i = 0; i < warp_lanes; ++i) EXPECT_EQ(rank.values[i], i / 2);
  EXPECT_EQ(alone.ballot(alone.bits_of(0x80000001U)), 0x80000001U);
  EXPECT_EQ(alone.lowest(0x50U), 4);
  EXPECT_EQ(alone.popcount(0xF0F0U), 8);
  EXPECT_EQ(alone.broadcast(alone.lane() * 2U, 21), 42);
  const auto reversed = alone.shuffle(alone.lane() * 2U, alone.same(31) - alone.lane());
  const auto sums = alone.sums_before(alone.lane());
  const auto ranks = alone.rank(alone.lane());
  for (std::uint32_t i = 0; i < warp_lanes; ++i) {
    EXPECT_EQ(reversed.values[i], 2 * (31 - i));
    EXPECT_EQ(sums.values[i], i * (i - 1) / 2);
    EXPECT_EQ(ranks.values[i], alone.popcount(i));  // all bits of i are below bit i
  }
}

TEST(LockStepWarp, TheFirstLaneOfTheLeastValues) {
  Lanes<float> values;
  for (std::uint32_t i = 0; i < warp_lanes; ++i) values.values[i] = static_cast<float>((i + 11) % 16);
  EXPECT_EQ(alone.lane_of_least(values, alone.lane() < 32U), 5);
  EXPECT_EQ(alone.lane_of_least(values, alone.lane() >= 6U), 21);
  EXPECT_EQ(alone.lane_of_least(values, alone.lane() == 9U), 9);
}

TEST(LockStepWarp, OnlyLanesOfTheMaskReachMemory) {
  std::vector<std::uint32_t> values(20, 7);
  const auto inside = alone.lane() < 20U;
  const auto read = alone.load(view(values), alone.lane(), inside);
  for (std::uint32_t i = 0; i < warp_lanes; ++i) EXPECT_EQ(read.values[i], i < 20 ? 7 : 0);
  alone.store(view(values), alone.lane(), alone.lane(), inside & (alone.lane() >= 18U));
  EXPECT_EQ(values[17], 7);
  EXPECT_EQ(values[18], 18);
  EXPECT_THROW((void)alone.load(view(values), alone.lane(), alone.lane() < 21U), std::logic_error);
  EXPECT_THROW((void)alone.load_one(view(values), 20), std::logic_error);
}

TEST(LockStepWarp, StoresOfTwoLanesToOnePlaceAreRefused) {
  std::vector<std::uint32_t> values(32);
  EXPECT_THROW(alone.store(view(values), alone.lane() / 2U, alone.lane(), alone.lane() < 32U), std::logic_error);
  EXPECT_NO_THROW(alone.store(view(values), alone.lane() / 2U, alone.lane(), alone.lane() % 2U == 0U));
}

TEST(LockStepWarp, OfLanesThatSetTheSameBitOneIsFirst) {
  std::vector<std::uint32_t> words(2);
  const auto before = alone.fetch_or(view(words), alone.same(1), alone.bit(alone.lane() / 4U), alone.lane() < 12U);
  EXPECT_EQ(words[1], 7);
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < 12; ++i) first += (before.values[i] & 1U << i / 4U) == 0 ? 1U : 0U;
  EXPECT_EQ(first, 3);
}

TEST(LockStepWarp, ReservationsAndSums) {
  std::vector<std::uint32_t> sizes{4, 0};
  EXPECT_EQ(alone.reserve(view(sizes), 0, 5), 4);
  EXPECT_EQ(alone.reserve(view(sizes), 0, 1), 9);
  EXPECT_EQ(sizes[0], 10);
  const auto before = alone.fetch_add(view(sizes), alone.lane() % 2U, alone.same(3), alone.lane() < 3U);
  EXPECT_EQ(before.values[0] + before.values[1] + before.values[2], 10 + 0 + 13);
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{16, 3}));
  std::vector<std::uint64_t> sums(1, std::uint64_t{1} << 33U);
  alone.add(view(sums), 0, alone.lane());
  EXPECT_EQ(sums[0], (std::uint64_t{1} << 33U) + 496);
}

}  // namespace
}  // namespace breadth::gpu
