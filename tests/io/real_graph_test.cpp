// A real graph (tests/data/README.md): its size, and the levels that another program found.
#include <gtest/gtest.h>

#include <deque>

#include "file_support.hpp"
#include "io/graph_file.hpp"

namespace breadth {
namespace {

/// The number of vertices that a simple search finds at each level.
std::vector<std::size_t> level_sizes(const std::vector<std::vector<std::size_t>>& neighbours, std::size_t source) {
  std::vector<std::size_t> level(neighbours.size(), SIZE_MAX);
  std::vector<std::size_t> sizes;
  std::deque<std::size_t> queue{source};
  level[source] = 0;
  while (!queue.empty()) {
    const std::size_t vertex = queue.front();
    queue.pop_front();
    sizes.resize(level[vertex] + 1);
    ++sizes[level[vertex]];
    for (const std::size_t neighbour : neighbours[vertex]) {
      if (level[neighbour] != SIZE_MAX) continue;
      level[neighbour] = level[vertex] + 1;
      queue.push_back(neighbour);
    }
  }
  return sizes;
}

void check_wordnet(const GraphFile& graph) {
  EXPECT_EQ(graph.edge_count, 120481U);
  EXPECT_EQ(graph.names.count(), 95714U);
  EXPECT_EQ(graph.names.kind(), NameKind::integers);
  std::vector<Edge> edges(graph.edges->size(), Edge{no_label, no_label});
  graph.edges->read(0, edges, {});
  edges = test::world().all_gather_varying(std::span<const Edge>(edges));
  std::vector<std::vector<std::size_t>> outwards(graph.names.count());
  std::vector<std::vector<std::size_t>> both(graph.names.count());
  for (const Edge& edge : edges) {
    outwards[edge.source.index()].push_back(edge.target.index());
    both[edge.source.index()].push_back(edge.target.index());
    both[edge.target.index()].push_back(edge.source.index());
  }
  const auto entity = graph.names.find("100001740", test::world());
  const auto dog = graph.names.find("102084071", test::world());
  ASSERT_TRUE(entity && dog);
  EXPECT_THAT(level_sizes(both, entity->index()),
              testing::ElementsAre(1, 3, 22, 228, 2062, 6752, 14658, 24184, 20288, 9626, 3106, 858, 266, 56, 5));
  EXPECT_THAT(level_sizes(outwards, dog->index()), testing::ElementsAre(1, 4, 5, 9, 12, 6, 3, 1));
}

TEST(RealGraph, HasItsKnownLevelsAsTextAndAsBreadthFile) {
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const GraphFile text = read_graph(BREADTH_TEST_DATA "/wordnet.txt.gz", {}, context);
  check_wordnet(text);
  const test::TemporaryDirectory directory;
  GraphOutput(directory.file("wordnet.breadth"), test::world()).write(text, context);
  check_wordnet(read_graph(directory.file("wordnet.breadth"), {}, context));
}

}  // namespace
}  // namespace breadth
