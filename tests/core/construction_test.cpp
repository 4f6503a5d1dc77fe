// When kernel 1 builds rows the direct way.
#include "core/policy/graph_layout.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace breadth {
namespace {

TEST(Construction, IsDirectOnOneRankThatCountsAllLabels) {
  const Construction one{.labels = 100, .tuples = 1000};
  EXPECT_TRUE(builds_directly(one));
  const auto changed = [&one](const auto& change) {
    Construction other = one;
    change(other);
    return other;
  };
  EXPECT_FALSE(builds_directly(changed([](Construction& graph) { graph.ranks = 2; })));
  EXPECT_FALSE(builds_directly(changed([](Construction& graph) { graph.directed = true; })));
  EXPECT_FALSE(builds_directly(changed([](Construction& graph) { graph.weighted = true; })));
  EXPECT_FALSE(builds_directly(changed([](Construction& graph) { graph.narrow = false; })));
  for (const AdjacencyForm form : {AdjacencyForm::full_scan, AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
    EXPECT_TRUE(builds_directly(changed([form](Construction& graph) { graph.layout.adjacency = form; })));
  }
  EXPECT_FALSE(
      builds_directly(changed([](Construction& graph) { graph.layout.adjacency = AdjacencyForm::compressed; })));
  for (const NeighbourOrder order : {NeighbourOrder::labels, NeighbourOrder::weights}) {
    EXPECT_FALSE(builds_directly(changed([order](Construction& graph) { graph.layout.neighbours = order; })));
  }
}

TEST(Construction, IsDirectWhileEachThreadHasRoomToCount) {
  const auto direct = [](std::uint64_t labels, std::uint64_t tuples, std::uint64_t threads) {
    return builds_directly({.threads = threads, .labels = labels, .tuples = tuples});
  };
  constexpr std::uint64_t few = min_scratch_bytes;
  EXPECT_TRUE(direct(few, 1, 1)) << "a byte for each label fits";
  EXPECT_FALSE(direct(few, 1, 2));
  EXPECT_TRUE(direct(few / 2, 1, 2));
  EXPECT_TRUE(direct(8 * few, 8 * few, 4));
  EXPECT_FALSE(direct(8 * few, 8 * few, 5));
}

}  // namespace
}  // namespace breadth
