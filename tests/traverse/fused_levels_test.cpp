// Fused levels (small push levels that threads process without returning in between), and the choice between one thread
// and all.
#include "traverse/bfs/row_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "support/edge_lists.hpp"
#include "support/rounds.hpp"
#include "support/tree_checks.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/fused_levels.hpp"

namespace breadth {
namespace {

using test::edge;
using test::NamedEdges;
using test::search_from_0;
using test::world;

/// A broom: `paths` paths lead away from vertex 0. The first has `length` edges, and each next one has `shorter` edges
/// less.
NamedEdges broom(std::int64_t paths, std::int64_t length, std::int64_t shorter = 0) {
  NamedEdges list{.name = "a broom"};
  std::int64_t next = 1;
  for (std::int64_t path = 0; path < paths; ++path) {
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < length - path * shorter; ++i) {
      list.edges.push_back(edge(end, next));
      end = next++;
    }
  }
  return list;
}
/// A binary tree, in which frontiers double at each level.
NamedEdges binary_tree(std::int64_t vertices) {
  NamedEdges list{.name = "a binary tree"};
  for (std::int64_t vertex = 1; vertex < vertices; ++vertex) list.edges.push_back(edge((vertex - 1) / 2, vertex));
  return list;
}

std::int64_t fused(const BfsResult& result) {
  return std::count_if(result.levels.begin(), result.levels.end(), [](const auto& level) { return level.fused; });
}

void expect_same_levels(const BfsResult& result, const BfsResult& expected) {
  ASSERT_EQ(result.levels.size(), expected.levels.size());
  for (std::size_t i = 0; i < result.levels.size(); ++i) {
    const LevelStatistics& level = result.levels[i];
    EXPECT_EQ(level.direction, expected.levels[i].direction) << "level " << i;
    EXPECT_EQ(level.frontier, expected.levels[i].frontier) << "level " << i;
    EXPECT_EQ(level.claimed, expected.levels[i].claimed) << "level " << i;
    EXPECT_EQ(level.edges_examined, expected.levels[i].edges_examined) << "level " << i;
    EXPECT_EQ(level.traffic.bytes_between_nodes, expected.levels[i].traffic.bytes_between_nodes) << "level " << i;
  }
}

/// All levels are fused except the first and the last ones.
TEST(FusedLevels, AreThoseOfLongTails) {
  const std::int64_t length = test::sized(200, 80);
  const NamedEdges list = broom(300, length);
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
      for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::compressed}) {
        for (const int threads : {2, 3}) {
          const GraphOptions graph{directedness, width, {.adjacency = adjacency}};
          const BfsOptions options{.adaptive_levels = false, .small_level = 16};
          const BfsResult result = search_from_0(list, graph, options, threads);
          if (world().size() > 1) {
            EXPECT_EQ(fused(result), 0);
          } else {
            // The last levels are not fused, because by the frontier's edges they might be pulls.
            constexpr std::int64_t last = 50;
            EXPECT_GT(fused(result), length - last);
          }
          BfsOptions without = options;
          without.fuse_levels = false;
          const BfsResult expected = search_from_0(list, graph, without, threads);
          EXPECT_EQ(fused(expected), 0);
          expect_same_levels(result, expected);
        }
      }
    }
  }
}

TEST(FusedLevels, EndAtTheDepthThatWasAskedFor) {
  const NamedEdges list = broom(300, 50);
  for (const std::int64_t depth : {1, 2, 3, 17, 18, 49, 50, 51}) {
    const BfsResult result = search_from_0(list, {}, {.small_level = 16, .max_depth = depth}, 2);
    EXPECT_EQ(result.levels.size(), static_cast<std::size_t>(depth));
    EXPECT_EQ(result.reached, 1 + 300 * std::min<std::uint64_t>(static_cast<std::uint64_t>(depth), 50));
  }
}

/// Covers frontiers that grow, that shrink, and that end up with one thread.
TEST(FusedLevels, ChangeNothingOfASearch) {
  const std::int64_t side = test::sized(90, 40);
  for (const NamedEdges& list :
       {broom(150, 150, 1), test::grid(side, side), binary_tree(test::sized(1 << 13, 1 << 11))}) {
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push}) {
      for (const double alpha : {1.0, 100.0}) {
        for (const std::uint64_t small_level : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{64}}) {
          for (const bool leaves_last : {true, false}) {
            BfsOptions options{.direction = {direction, alpha},
                               .adaptive_levels = false,
                               .small_level = small_level,
                               .leaves_last = leaves_last};
            const BfsResult result = search_from_0(list, {}, options, 3);
            if (world().size() == 1 && small_level == 0 && alpha == 1.0) {
              EXPECT_GT(fused(result), 0) << list.name;
            }
            options.adaptive_levels = true;
            expect_same_levels(result, search_from_0(list, {}, options, 3));
            options.fuse_levels = false;
            expect_same_levels(result, search_from_0(list, {}, options, 3));
          }
        }
      }
    }
  }
}

TEST(FusedLevels, NeedThreadsAndShortRowsInTheOrderOfDegrees) {
  const NamedEdges list = broom(300, 50);
  EXPECT_EQ(fused(search_from_0(list, {}, {.small_level = 16}, 1)), 0);
  EXPECT_EQ(fused(search_from_0(list, {.layout = {.order = VertexOrder::label}}, {.small_level = 16}, 2)), 0);
  EXPECT_EQ(fused(search_from_0(list, {}, {.direction = {DirectionPolicy::pull}, .small_level = 16}, 2)), 0);
  EXPECT_EQ(fused(search_from_0(list, {}, {.small_level = 1 << 20}, 2)), 0);
}

/// Simulates `levels` levels in which all threads and one thread have these speeds. Returns how many ran on one thread.
std::int64_t carry_out(OneOrAll& choice, std::int64_t levels, double seconds_of_all, double seconds_of_one) {
  constexpr std::uint64_t edges = 1000;
  std::int64_t alone = 0;
  for (std::int64_t i = 0; i < levels; ++i) {
    if (choice.is_alone()) ++alone;
    choice.add(edges, edges * (choice.is_alone() ? seconds_of_one : seconds_of_all));
  }
  return alone;
}
constexpr std::int64_t some = OneOrAll::levels_to_try;
constexpr std::int64_t many = OneOrAll::levels_to_judge;

TEST(OneOrAll, IsAllUnlessTheyAreMuchSlower) {
  for (const double seconds_of_all : {0.5, 1.4}) {
    OneOrAll choice;
    EXPECT_EQ(carry_out(choice, some, seconds_of_all, 1), 0);
    EXPECT_EQ(carry_out(choice, some, seconds_of_all, 1), some) << "both ways are tried";
    EXPECT_EQ(carry_out(choice, 20 * many, seconds_of_all, 1), 0);
  }
}

TEST(OneOrAll, IsOneWhileAllAreSlow) {
  OneOrAll choice;
  (void)carry_out(choice, 2 * some, 0.5, 1);
  EXPECT_EQ(carry_out(choice, some, 0.5, 1), 0);
  EXPECT_EQ(carry_out(choice, many, 9, 1), 0);
  EXPECT_EQ(carry_out(choice, OneOrAll::least_alone, 9, 1), OneOrAll::least_alone);
  const std::int64_t levels = 100 * many;
  EXPECT_GT(carry_out(choice, levels, 9, 1), levels * 9 / 10) << "all threads are rarely tried";
  EXPECT_LT(carry_out(choice, 2 * OneOrAll::most_alone, 0.5, 1), 2 * OneOrAll::most_alone);
  EXPECT_EQ(carry_out(choice, levels, 0.5, 1), 0) << "all threads are fast again";
}

TEST(OneOrAll, IsNotThatOfTheFirstLevelsAfterAChange) {
  OneOrAll choice;
  (void)carry_out(choice, OneOrAll::levels_to_settle, 1000, 1);
  (void)carry_out(choice, some - OneOrAll::levels_to_settle, 1, 1);
  (void)carry_out(choice, some, 1, 1);
  EXPECT_FALSE(choice.is_alone());
}

}  // namespace
}  // namespace breadth
