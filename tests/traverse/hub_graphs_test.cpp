// Hubs in graphs without generated skew: a real graph, and grids, in which vertices are alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "graph/graph_contents.hpp"
#include "io/graph_file.hpp"
#include "traverse/validated_searches.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

/// Searches with these choices of hubs, with all edges of a level together and with degree-separated subgraphs.
void expect_searches_with_hubs(const NamedEdges& list, std::initializer_list<HubChoice> choices) {
  for (const HubChoice& hubs : choices) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const bool apart = directedness == Directedness::directed || hubs.vertices_per_hub == 3;
      SCOPED_TRACE(fmt::format("{}, hubs by rule {} above {}, {}, {}", list.name, static_cast<int>(hubs.rule),
                               hubs.degree, directedness == Directedness::directed ? "directed" : "undirected",
                               apart ? "apart" : "together"));
      BfsOptions options{.hub_masks = apart ? HubMaskPolicy::nonblocking : HubMaskPolicy::two_phase};
      if (apart && world().size() > 1) options.subgraphs.policy = SubgraphPolicy::apart;
      test::expect_valid_searches(list, {.directedness = directedness, .layout = {.hubs = hubs}}, options,
                                  apart ? 2 : 1, 1);
    }
  }
}

TEST(HubGraphs, WordNet) {
  ThreadTeam threads(1);
  const GraphFile file = read_graph(BREADTH_TEST_DATA "/wordnet.txt.gz", {}, {world(), threads});
  std::vector<Edge> part(file.edges->size(), Edge{no_label, no_label});
  file.edges->read(0, part, {});
  const NamedEdges list{"WordNet", world().all_gather_varying(std::span<const Edge>(part)), {}};
  expect_searches_with_hubs(list, {{HubRule::automatic}, {HubRule::automatic, 0, 3}, {HubRule::degree, 3}});
}

/// With hubs above degree 3 only vertices at the rim are light. With the automatic rule all vertices are light.
TEST(HubGraphs, Grids) {
  NamedEdges list{"grid", {}, {}};
  constexpr std::int64_t width = 61;
  for (std::int64_t i = 0; i < width * 40; ++i) {
    if ((i + 1) % width != 0) list.edges.push_back(test::edge(i, i + 1));
    if (i + width < width * 40) list.edges.push_back(test::edge(i, i + width));
  }
  expect_searches_with_hubs(
      list, {{HubRule::automatic}, {HubRule::automatic, 0, 3}, {HubRule::degree, 3}, {HubRule::degree, 2}});
}

/// Each rank sends a label once per search for every hub that it does not own.
TEST(HubGraphs, SettlingParentsIsCounted) {
  const NamedEdges list = test::skewed_edges(1 << 11, 1 << 14, 7);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
    const Graph graph = build_graph(test::part_of(list),
                                    {.neighbour_width = width, .layout = {.hubs = {HubRule::degree, 20}}}, context);
    const std::uint64_t label_bytes = width == NeighbourWidth::bits64 ? 8 : 4;
    const std::uint64_t expected =
        graph.partition().hubs().count() * label_bytes * (static_cast<std::uint64_t>(world().size()) - 1);
    EXPECT_EQ(expected > 0, world().size() > 1);
    for (const int ranks_per_node : {1, 1000}) {
      BfsOptions options{.replication = {.ranks_per_node = ranks_per_node}};
      if (ranks_per_node == 1 && world().size() > 1) options.subgraphs.policy = SubgraphPolicy::apart;
      BreadthFirstSearch search(graph, options, context);
      for (int i = 0; i < 2; ++i) {
        const BfsResult result = search.run(list.edges[0].source);
        EXPECT_EQ(result.settled.bytes, expected);
        EXPECT_EQ(result.settled.bytes_between_nodes, ranks_per_node == 1 ? expected : 0);
      }
    }
  }
}

}  // namespace
}  // namespace breadth
