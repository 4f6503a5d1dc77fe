// Searches on degree-separated subgraphs compared with plain levels, and their traffic compared with the edge list.
#include "traverse/papers/paper_searches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/data/label_array.hpp"
#include "graph/graph_contents.hpp"
#include "support/plain_graph.hpp"
#include "support/tree_checks.hpp"
#include "traverse/papers/subgraph_visits.hpp"
#include "traverse/validated_searches.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

constexpr LightParents every_time[] = {LightParents::with_queries, LightParents::at_end};
constexpr DirectionPolicy every_direction[] = {DirectionPolicy::automatic, DirectionPolicy::push,
                                               DirectionPolicy::pull};

BfsOptions apart(DirectionPolicy direction, LightParents light_parents = LightParents::with_queries) {
  return {.direction = {direction},
          .subgraphs = {.policy = SubgraphPolicy::apart, .light_parents = light_parents},
          .messages = {.coalescing = 5},
          .leaves_last = world().size() == 1};  // one rank has no hubs
}

GraphOptions with_hubs(std::uint64_t above, Directedness directedness = Directedness::undirected) {
  return {.directedness = directedness, .layout = {.hubs = {HubRule::degree, above}}};
}

TEST(SubgraphWork, IsWhatPanEstimates) {
  const SubgraphWork work{.frontier = 10, .unvisited_sources = 30, .unvisited_targets = 100, .push_edges = 50};
  EXPECT_DOUBLE_EQ(work.pull_edges(), 400);
  EXPECT_FALSE(work.idle());
  EXPECT_TRUE((SubgraphWork{.frontier = 0, .unvisited_sources = 1, .unvisited_targets = 1}).idle());
  EXPECT_TRUE((SubgraphWork{.frontier = 1, .unvisited_sources = 1, .unvisited_targets = 0}).idle());
}

TEST(SubgraphDirection, ChangesByItsFactors) {
  SubgraphDirection direction({DirectionPolicy::automatic}, {0.5, 0.1});
  const auto choose = [&](std::uint64_t push_edges) {  // a pull examines 100 edges
    return direction.choose({10, 0, 100, push_edges});
  };
  EXPECT_EQ(choose(50), Direction::push);
  EXPECT_EQ(choose(51), Direction::pull);
  EXPECT_EQ(choose(10), Direction::pull);
  EXPECT_EQ(choose(9), Direction::push);
  EXPECT_EQ(choose(40), Direction::push);
  EXPECT_EQ(choose(1000), Direction::pull);
  direction.start();
  EXPECT_EQ(choose(40), Direction::push);
  SubgraphDirection fixed({DirectionPolicy::pull}, {0.5, 0.1});
  EXPECT_EQ(fixed.choose({10, 0, 100, 1}), Direction::pull);
}

/// With thresholds from "all vertices are hubs" to "no vertex is a hub", and factors with which directions change.
TEST(SeparatedSearch, DegenerateGraphs) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const Oracle oracle(list, directedness);
      for (const std::uint64_t above : {0U, 1U, 100U}) {
        ThreadTeam threads(above == 1 ? 2 : 1);
        const Context context{world(), threads};
        GraphOptions options = with_hubs(above, directedness);
        if (above == 1) options.neighbour_width = NeighbourWidth::bits64;
        const Graph graph = build_graph(test::part_of(list), options, context);
        for (const DirectionPolicy direction : every_direction) {
          SCOPED_TRACE(fmt::format("{}, {}, hubs above {}, direction {}", list.name,
                                   directedness == Directedness::directed ? "directed" : "undirected", above,
                                   static_cast<int>(direction)));
          for (const LightParents light_parents : every_time) {
            BfsOptions search_options = apart(direction, light_parents);
            search_options.hub_masks =
                static_cast<HubMaskPolicy>((above + 2 * static_cast<std::uint64_t>(light_parents)) % 4);
            BreadthFirstSearch search(graph, search_options, context);
            for (const std::size_t source : {std::size_t{0}, oracle.size() - 1}) {
              const Label label{static_cast<std::int64_t>(source)};
              test::expect_tree(oracle, graph, search.run(label), label, search_options);
            }
          }
          if (test::failed_anywhere()) return;
        }
      }
    }
  }
}

/// The edges between light vertices, and the traffic that they cause.
class LightToLightEdges {
 public:
  LightToLightEdges(const NamedEdges& list, Directedness directedness, std::uint64_t above)
      : plain_(test::plain_graph(list, directedness)),
        directed_(directedness == Directedness::directed),
        above_(above) {}

  [[nodiscard]] bool is_light(std::int64_t label) const {
    return size(plain_.out, label) + (directed_ ? size(plain_.in, label) : 0) <= above_;
  }
  /// The number of edges from reached light vertices to light vertices of other ranks.
  [[nodiscard]] std::uint64_t between_ranks(const std::vector<std::int64_t>& levels, const Graph& graph) const {
    const BlockDistribution& labels = graph.distribution();
    std::uint64_t count = 0;
    for (const auto& [label, row] : plain_.out) {
      if (levels[static_cast<std::size_t>(label)] < 0 || !is_light(label)) continue;
      for (const auto& [neighbour, weight] : row) {
        if (is_light(neighbour) && labels.owner(Label{label}) != labels.owner(Label{neighbour})) ++count;
      }
    }
    return count;
  }
  /// The number of vertices that must be settled in the end, and the queries for them, if each rank first uses its own
  /// edges: light vertices all of whose possible parents are on other ranks. A vertex with n neighbours there causes n
  /// - 1 queries. Bytes are not computed.
  [[nodiscard]] SettledLights left_for_the_end(const std::vector<std::int64_t>& levels, const Graph& graph) const {
    const BlockDistribution& labels = graph.distribution();
    SettledLights left;
    for (const auto& [label, row] : directed_ ? plain_.in : plain_.out) {
      const std::int64_t level = levels[static_cast<std::size_t>(label)];
      if (level <= 0 || !is_light(label)) continue;
      std::uint64_t others = 0;
      bool has_parent_here = false;
      for (const auto& [neighbour, weight] : row) {
        const bool here = !is_light(neighbour) || labels.owner(Label{label}) == labels.owner(Label{neighbour});
        if (!here) ++others;
        has_parent_here |= here && levels[static_cast<std::size_t>(neighbour)] == level - 1;
      }
      if (has_parent_here) continue;
      ++left.vertices;
      left.traffic.queries += others - 1;
    }
    return left;
  }

 private:
  [[nodiscard]] static std::size_t size(const test::PlainRows& rows, std::int64_t label) {
    const auto row = rows.find(label);
    return row == rows.end() ? 0 : row->second.size();
  }

  test::PlainGraph plain_;
  bool directed_;
  std::uint64_t above_;
};

/// Each edge between light vertices of different ranks is sent once from each reached end, in whichever direction hubs
/// are searched.
TEST(SeparatedSearch, SendsEachEdgeBetweenLightVerticesOnce) {
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 14, 9);
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    const Oracle oracle(list, directedness);
    for (const std::uint64_t above : {6U, 40U, 100000U}) {
      const LightToLightEdges edges(list, directedness, above);
      ThreadTeam threads(above == 40 ? 3 : 1);
      const Context context{world(), threads};
      const Graph graph = build_graph(test::part_of(list), with_hubs(above, directedness), context);
      for (const DirectionPolicy direction : every_direction) {
        const BfsOptions options = apart(direction, above == 6 ? LightParents::at_end : LightParents::with_queries);
        BreadthFirstSearch search(graph, options, context);
        for (const Label source : {list.edges[0].source, list.edges[99].source, Label{1}}) {
          SCOPED_TRACE(fmt::format("directed {}, hubs above {}, direction {}, from {}",
                                   directedness == Directedness::directed, above, static_cast<int>(direction),
                                   source.value));
          const BfsResult result = search.run(source);
          test::expect_tree(oracle, graph, result, source, options);
          std::uint64_t queries = 0;
          for (const LevelStatistics& level : result.levels) queries += level.traffic.queries;
          if (world().size() > 1) {
            EXPECT_EQ(queries, edges.between_ranks(oracle.levels(source, INT64_MAX), graph));
          }
        }
        if (test::failed_anywhere()) return;
      }
    }
  }
}

/// With every exchange, each light vertex without a parent gets one in the end. In a bulk exchange a rank visits what
/// it can before it receives queries, so exactly the vertices without a parent on their own rank are left.
TEST(SeparatedSearch, SettlesParentsOfLightVerticesAtTheEnd) {
  struct Way {
    ExchangePolicy exchange;
    PacketFormat packets;
    std::int64_t max_depth = INT64_MAX;
  };
  constexpr Way ways[] = {{ExchangePolicy::asynchronous, PacketFormat::runs},
                          {ExchangePolicy::asynchronous, PacketFormat::compressed, 3},
                          {ExchangePolicy::bulk, PacketFormat::runs},
                          {ExchangePolicy::bulk, PacketFormat::pairs, 3}};
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 14, 5);
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    const Oracle oracle(list, directedness);
    for (const std::uint64_t above : {6U, 40U, 100000U}) {
      const LightToLightEdges edges(list, directedness, above);
      ThreadTeam threads(above == 6 ? 3 : 1);
      const Context context{world(), threads};
      GraphOptions graph_options = with_hubs(above, directedness);
      if (above == 40) graph_options.neighbour_width = NeighbourWidth::bits64;
      const Graph graph = build_graph(test::part_of(list), graph_options, context);
      for (const auto& [exchange, packets, max_depth] : ways) {
        SCOPED_TRACE(fmt::format("directed {}, hubs above {}, exchange {}, packets {}, to depth {}",
                                 directedness == Directedness::directed, above, static_cast<int>(exchange),
                                 static_cast<int>(packets), max_depth));
        BfsOptions options = apart(DirectionPolicy::automatic, LightParents::at_end);
        options.messages.exchange = exchange;
        options.messages.packets = packets;
        options.max_depth = max_depth;
        options.leaves_last = false;
        BreadthFirstSearch search(graph, options, context);
        for (const Label source : {list.edges[0].source, list.edges[99].source}) {
          const BfsResult result = search.run(source);
          test::expect_tree(oracle, graph, result, source, options);
          ASSERT_EQ(result.settled_lights.has_value(), world().size() > 1);
          if (world().size() == 1) continue;
          const SettledLights& settled = *result.settled_lights;
          const SettledLights left = edges.left_for_the_end(oracle.levels(source, max_depth), graph);
          EXPECT_GE(settled.vertices, left.vertices);
          if (exchange == ExchangePolicy::bulk) {
            EXPECT_EQ(settled.vertices, left.vertices);
          }
          EXPECT_EQ(settled.traffic.queries, left.traffic.queries);
          EXPECT_GE(settled.traffic.bytes, 4 * left.traffic.queries + left.traffic.queries / 8);
        }
        if (test::failed_anywhere()) return;
      }
    }
  }
}

/// A subgraph pulls on all ranks if pulling is forced, and on none if it is forbidden. In between each rank decides for
/// itself.
TEST(SeparatedSearch, SaysWhichSubgraphsPull) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has no hubs";
  const NamedEdges list = test::skewed_edges(1 << 12, 1 << 15, 3);
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), with_hubs(30), context);
  const Partition& partition = graph.partition();
  const std::uint64_t has_lights = partition.local_count() > partition.hubs().end() ? 1 : 0;
  const std::uint64_t ranks_with_lights = world().all_reduce(has_lights, Reduction::sum);
  for (const DirectionPolicy direction : every_direction) {
    BfsOptions options = apart(direction);
    options.subgraphs.hub_to_light = {0, 0};
    options.subgraphs.light_to_hub = {1e9, 0};
    BreadthFirstSearch search(graph, options, context);
    SubgraphPulls most;
    for (const LevelStatistics& level : search.run(list.edges[0].source).levels) {
      ASSERT_TRUE(level.pulling_ranks);
      const SubgraphPulls& pulls = *level.pulling_ranks;
      EXPECT_EQ(level.direction == Direction::pull, pulls.hub_to_hub + pulls.hub_to_light + pulls.light_to_hub > 0);
      most.hub_to_light = std::max(most.hub_to_light, pulls.hub_to_light);
      most.light_to_hub = std::max(most.light_to_hub, pulls.light_to_hub);
    }
    EXPECT_EQ(most.hub_to_light, direction == DirectionPolicy::push ? 0 : ranks_with_lights);
    EXPECT_EQ(most.light_to_hub > 0, direction == DirectionPolicy::pull);
  }
}

TEST(SeparatedSearch, NeedsPlainRows) {
  if (world().size() == 1) GTEST_SKIP() << "one rank does not separate subgraphs";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  GraphOptions options = with_hubs(3);
  options.layout.adjacency = AdjacencyForm::coarse_index;
  const Graph graph = build_graph(test::part_of(test::star(9)), options, context);
  EXPECT_THROW(BreadthFirstSearch(graph, apart(DirectionPolicy::automatic), context), Error);
}

}  // namespace
}  // namespace breadth
