// Mixed levels: they pull to vertices by columns and long rows, and push to the vertices with short rows.
#include "traverse/bfs/row_levels.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/edge_lists.hpp"
#include "support/rounds.hpp"
#include "support/tree_checks.hpp"
#include "traverse/bfs.hpp"

namespace breadth {
namespace {

using test::edge;
using test::NamedEdges;
using test::search_from_0;
using test::world;

/// Vertex 0 leads to four hubs, and these lead to an eighth of a random graph and to some leaves. A pull from the hubs
/// finds few vertices.
NamedEdges few_hubs() {
  constexpr std::int64_t vertices = test::sized(16000, 4000);
  constexpr std::int64_t hubs = 4;
  NamedEdges list{.name = "a random graph behind four hubs"};
  std::mt19937_64 random(5);
  const auto any = [&] { return static_cast<std::int64_t>(random() % vertices) + hubs + 1; };
  for (std::int64_t hub = 1; hub <= hubs; ++hub) {
    list.edges.push_back(edge(0, hub));
    for (std::int64_t i = 0; i < vertices * 3 / 16; ++i) list.edges.push_back(edge(hub, any()));
  }
  for (int i = 0; i < 6 * vertices; ++i) list.edges.push_back(edge(any(), any()));
  for (std::int64_t leaf = 0; leaf < 100; ++leaf) list.edges.push_back(edge(1 + leaf % 50, vertices + hubs + 1 + leaf));
  return list;
}

TEST(MixedLevels, LookAtLessWhereAFewHubsAreTheFrontier) {
  const NamedEdges list = few_hubs();
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
      for (const std::size_t columns : {std::size_t{0}, std::size_t{2}}) {
        for (const int threads : {1, 2, 3}) {
          const GraphOptions graph{directedness, width, {.columns = columns}};
          const BfsResult mixed = search_from_0(list, graph, {}, threads);
          const BfsResult pulled = search_from_0(list, graph, {.direction = {DirectionPolicy::pull}}, threads);
          ASSERT_GE(mixed.levels.size(), 2U);
          ASSERT_EQ(mixed.levels.size(), pulled.levels.size());
          EXPECT_EQ(mixed.levels[1].direction, Direction::pull);
          EXPECT_EQ(mixed.levels[1].claimed, pulled.levels[1].claimed);
          if (world().size() == 1) {
            EXPECT_LT(mixed.levels[1].edges_examined, pulled.levels[1].edges_examined);
          } else {  // only a single rank has all targets in its rows
            EXPECT_EQ(mixed.levels[1].edges_examined, pulled.levels[1].edges_examined);
          }
        }
      }
    }
  }
}

TEST(MixedLevels, LeaveLevelsAndDepthsAsTheyAre) {
  const NamedEdges list = few_hubs();
  for (const bool leaves_last : {true, false}) {
    for (const std::int64_t max_depth : {std::int64_t{2}, std::int64_t{3}, INT64_MAX}) {
      search_from_0(list, {}, {.leaves_last = leaves_last, .max_depth = max_depth}, 2);
    }
  }
}

/// Mixed levels need push ranges and a free choice of directions. Each has an option of its own.
TEST(MixedLevels, NeedRangesAndAChoiceOfDirections) {
  const NamedEdges list = few_hubs();
  const Direction otherwise = world().size() == 1 ? Direction::push : Direction::pull;  // one rank samples its rows
  EXPECT_EQ(search_from_0(list, {}, {.mixed_levels = false}, 2).levels[1].direction, otherwise);
  EXPECT_EQ(search_from_0(list, {}, {.push_ranges = false}, 2).levels[1].direction, otherwise);
  const BfsResult pulls = search_from_0(list, {}, {.direction = {DirectionPolicy::pull}}, 2);
  const BfsResult pulls_alone =
      search_from_0(list, {}, {.direction = {DirectionPolicy::pull}, .mixed_levels = false}, 2);
  for (std::size_t i = 0; i < pulls.levels.size(); ++i) {
    EXPECT_EQ(pulls.levels[i].edges_examined, pulls_alone.levels[i].edges_examined);
  }
}

}  // namespace
}  // namespace breadth
