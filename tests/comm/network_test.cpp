#include "comm/routes/network.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace breadth {
namespace {

TEST(Network, HopsGoUpAndDownTheTree) {
  const NetworkPlace here{.chip = 1, .board = 1, .bunch = 1, .cabinet = 1};
  EXPECT_EQ(hops_between(here, here), (Hops{.chip = 1}));
  EXPECT_EQ(hops_between(here, {0, 1, 1, 1}), (Hops{.chip = 2, .board = 1}));
  EXPECT_EQ(hops_between(here, {1, 0, 1, 1}), (Hops{.chip = 2, .board = 2, .bunch = 1})) << "on another board";
  EXPECT_EQ(hops_between(here, {1, 1, 0, 1}), (Hops{.chip = 2, .board = 2, .bunch = 2, .cabinet = 1}));
  EXPECT_EQ(hops_between(here, {1, 1, 1, 0}), (Hops{.chip = 2, .board = 2, .bunch = 2, .cabinet = 2}));
  EXPECT_EQ(hops_between(here, {1, 1, 1, 0}).all(), 8U);
}

// Rank 0 of five sent 10 messages to rank 1 on its chip, 3 to rank 2 on its board, 5 to rank 4 in another cabinet.
TEST(Network, AccumulatesHopsOfWhatWasSent) {
  const Groups groups(std::vector<int>{0, 0, 1, 1, 1});
  const std::vector<SentTraffic> sent = {{}, {10, 1000}, {3, 90}, {}, {5, 7}};
  const std::vector<NetworkPlace> places = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}};
  const TrafficByDistance traffic = by_distance(sent, 0, groups, places);
  EXPECT_EQ(traffic.inside_groups, (SentTraffic{10, 1000}));
  EXPECT_EQ(traffic.between_groups, (SentTraffic{8, 97}));
  EXPECT_EQ(traffic.hops,
            (Hops{.chip = 10 * 1 + 3 * 2 + 5 * 2, .board = 3 * 1 + 5 * 2, .bunch = 5 * 2, .cabinet = 10}));
  EXPECT_EQ(traffic.hops.all(), 10U + 9U + 40U);
  // Places derived from groups alone: 1 hop inside a group, 3 between groups.
  EXPECT_EQ(by_distance(sent, 0, groups, places_of(groups)).hops, (Hops{.chip = 10 + 2 * 8, .board = 8}));
}

}  // namespace
}  // namespace breadth
