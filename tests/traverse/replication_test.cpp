// What searches report about the replication of their frontiers.
#include <gtest/gtest.h>

#include "support/edge_lists.hpp"
#include "traverse/bfs.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

TEST(Replication, CountsWhatGoesBetweenNodes) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 14, 7);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const auto expect_counts = [&](Replication how, int ranks_per_node) {
    const BfsOptions options{.direction = {.alpha = 2}, .replication = {how, ranks_per_node}};
    BreadthFirstSearch search(graph, options, context);
    const BfsResult result = search.run(list.edges.front().source);
    const bool one_node = ranks_per_node >= world().size();
    EXPECT_EQ(result.leaves.traffic.bytes_between_nodes > 0, !one_node);
    for (const LevelStatistics& level : result.levels) {
      const bool mixed = !one_node && ranks_per_node > 1;
      ASSERT_EQ(level.traffic.bytes_between_nodes.has_value(), level.direction == Direction::pull || !mixed);
      if (one_node) {
        EXPECT_EQ(*level.traffic.bytes_between_nodes, 0U);
      } else if (ranks_per_node == 1) {
        EXPECT_EQ(*level.traffic.bytes_between_nodes, level.traffic.bytes) << "every rank is a node";
      } else if (level.direction == Direction::pull) {
        EXPECT_GT(*level.traffic.bytes_between_nodes, 0U);
        EXPECT_EQ(*level.traffic.bytes_between_nodes == level.traffic.bytes, how == Replication::shared)
            << "everything inside nodes is shared";
      }
    }
  };
  for (const int ranks_per_node : {1, 2, 100}) {
    expect_counts(Replication::allgather, ranks_per_node);
    expect_counts(Replication::shared, ranks_per_node);
  }
}

}  // namespace
}  // namespace breadth
