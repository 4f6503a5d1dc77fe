// Searches for one rank only, compared with the simplest search: single paths and depths.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <variant>
#include <vector>

#include "core/errors.hpp"
#include "each_graph.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/tree_checks.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/edge_estimates.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/one_rank.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

std::vector<NamedEdges> graphs_to_search() {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::path(700));
  graphs.push_back(test::grid(20, 30));
  for (std::uint64_t seed = 0; seed < 8; ++seed) graphs.push_back(test::skewed_edges(300, 100 + 120 * seed, seed));
  for (std::uint64_t seed = 0; seed < 4; ++seed) graphs.push_back(test::random_edges(600, 300 + 200 * seed, seed));
  return graphs;
}

/// Calls body(list, oracle, graph, context) for every graph, undirected and directed, in plain and in compressed rows,
/// on 1 and 3 threads.
template <class Body>
void for_every_graph(Body&& body) {
  for (const int size : {1, 3}) {
    ThreadTeam threads(size);
    const Context context{world(), threads};
    for (const NamedEdges& list : graphs_to_search()) {
      test::for_each_graph_of(list, context,
                              [&](const Oracle& oracle, const Graph& graph) { body(list, oracle, graph, context); });
    }
  }
}

class OneRank : public testing::Test {
 protected:
  void SetUp() override {
    if (world().size() > 1) GTEST_SKIP() << "one rank only";
  }
};

TEST_F(OneRank, PathsAreShort) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    const Label source = list.edges.front().source;
    const auto levels = oracle.levels(source, INT64_MAX);
    for (std::size_t label = 0; label < oracle.size(); label += 1 + oracle.size() / 17) {
      const Label target{static_cast<std::int64_t>(label)};
      const std::vector<Label> path = find_short_path(graph, source, target, context);
      ASSERT_EQ(static_cast<std::int64_t>(path.size()) - 1, levels[label]);
      if (path.empty()) continue;
      ASSERT_EQ(path.front(), source);
      ASSERT_EQ(path.back(), target);
      for (std::size_t i = 1; i < path.size(); ++i) ASSERT_TRUE(oracle.has_edge(path[i - 1], path[i]));
    }
  });
}

/// `layers` layers of `width` vertices, each with edges to the next layer only.
NamedEdges layered_edges(std::int64_t layers, std::int64_t width, int edges_each) {
  NamedEdges list{"layers", {}, {}};
  std::mt19937_64 random(1);
  for (std::int64_t vertex = 0; vertex < (layers - 1) * width; ++vertex) {
    const std::int64_t next = (vertex / width + 1) * width;
    for (int i = 0; i < edges_each; ++i) {
      list.edges.push_back(
          test::edge(vertex, next + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width))));
    }
  }
  return list;
}

// The frontier of a layered graph has so many edges that the rule asks for a pull, but the pull would search all rows
// beyond the next layer in vain.
TEST_F(OneRank, PushesWhereRowsHaveNothingToFind) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = layered_edges(14, 2000, 16);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  BreadthFirstSearch search(graph, {}, context);
  const BfsResult found = search.run(Label{0});
  ASSERT_GE(found.levels.size(), 12U);
  const LevelStatistics& wide = found.levels[3];          // its frontier is from two layers
  ASSERT_GT(wide.edges_examined, list.edges.size() / 5);  // the rule pulls from a tenth of all edge ends on
  EXPECT_EQ(wide.direction, Direction::push);
  EXPECT_EQ(found.levels[4].direction, Direction::push);
  test::expect_tree(Oracle(list, Directedness::undirected), graph, found, Label{0}, {});
}

/// Vertex 0 leads to a layer of 3000 vertices, that layer to one of 2900, and that one to one of 2800. Vertices of the
/// second layer have the most neighbours, most of them in their own layer.
NamedEdges narrowing_layers() {
  NamedEdges list{"narrowing layers", {}, {}};
  const auto lead_on = [&](std::int64_t first, std::int64_t count, std::int64_t next, std::int64_t width, int each) {
    for (std::int64_t i = 0; i < count * each; ++i) {
      list.edges.push_back(test::edge(first + i / each, next + i % width));
    }
  };
  const auto connect = [&](std::int64_t first, std::int64_t count, int each) {
    for (std::int64_t i = 0; i < count * each; ++i) {
      list.edges.push_back(test::edge(first + i / each, first + (i / each + 1 + i % each) % count));
    }
  };
  lead_on(0, 1, 1, 3000, 3000);
  lead_on(1, 3000, 3001, 2900, 14);
  connect(3001, 2900, 20);
  lead_on(3001, 2900, 5901, 2800, 10);
  connect(5901, 2800, 15);
  return list;
}

// From the first layer, a pull would search most rows of the second layer and all of the third. From the second layer,
// where the frontier no longer grows, a pull finds each vertex of the third layer by its first neighbour.
TEST_F(OneRank, PullsFromAFrontierThatShrinksWhereThatPays) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = narrowing_layers();
  const Graph graph = build_graph(test::part_of(list), {}, context);
  BreadthFirstSearch search(graph, {.mixed_levels = false}, context);
  const BfsResult found = search.run(Label{0});
  ASSERT_GE(found.levels.size(), 3U);
  EXPECT_EQ(found.levels[1].direction, Direction::push);
  EXPECT_EQ(found.levels[2].direction, Direction::pull);
  EXPECT_EQ(found.levels[2].claimed, 2800U);
  EXPECT_LT(found.levels[2].edges_examined, 2U * 2800U);
  test::expect_tree(Oracle(list, Directedness::undirected), graph, found, Label{0}, {.mixed_levels = false});
}

// One vertex has a quarter of all edges. It is the first vertex, so it is sampled, but it must not stand for others.
TEST_F(OneRank, EstimatesOfEdgesAreNearThem) {
  constexpr std::int64_t ring = 20000;
  NamedEdges list{"a wheel", {}, {}};
  for (std::int64_t i = 0; i < ring; ++i) {
    list.edges.push_back(test::edge(i, (i + 1) % ring));
    list.edges.push_back(test::edge(i, ring));
  }
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const auto& rows = std::get<Adjacencies<std::uint32_t>>(graph.contents().adjacencies).pull_rows();
  const std::size_t vertices = graph.partition().local_count();
  SearchState<std::uint32_t> state(graph.partition(), vertices, {}, context);
  state.clear();
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) state.tally(0).found.push_back(vertex);
  EXPECT_NEAR(static_cast<double>(edges_of_found(state, rows, 0, 0)), 4.0 * ring, 0.1 * ring);

  const SampledRows<std::uint32_t> sampled(rows);
  EXPECT_NEAR(static_cast<double>(sampled.edges_of_pull(state, vertices)), 4.0 * ring, 0.1 * ring);
  EXPECT_EQ(sampled.edges_of_pull(state, 0), 0U);
  state.visited().insert(graph.partition().local(Label{ring}).index());
  EXPECT_NEAR(static_cast<double>(sampled.edges_of_pull(state, vertices)), 1.0 * ring, 0.1 * ring);
}

TEST_F(OneRank, DepthsAreThoseOfTheLevels) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    BreadthFirstSearch search(graph, {}, context);
    const Label source = list.edges.back().source;
    const BfsResult found = search.run(source);
    std::vector<std::int64_t> depths(oracle.size());
    write_tree_depths(found.parents, depths, context.threads);
    ASSERT_EQ(depths, oracle.levels(source, INT64_MAX));
  });
}

/// Searches that compute depths in different ways: pushes by one thread, by all threads, and level by level; pulls
/// only; leaves in their levels.
std::vector<BfsOptions> ways_to_search() {
  std::vector<BfsOptions> ways(5);
  ways[1].small_level = 0;
  ways[2].small_level = 0;
  ways[2].fuse_levels = false;
  ways[2].adaptive_levels = false;
  ways[2].direction.policy = DirectionPolicy::push;
  ways[3].direction.policy = DirectionPolicy::pull;
  ways[4].leaves_last = false;
  for (BfsOptions& way : ways) way.keep_depths = true;
  return ways;
}

TEST_F(OneRank, SearchesKeepDepths) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    for (const BfsOptions& options : ways_to_search()) {
      BreadthFirstSearch search(graph, options, context);
      for (const Label source : {list.edges.back().source, list.edges.front().target, Label{0}}) {
        const BfsResult found = search.run(source);
        std::vector<std::int64_t> depths(oracle.size());
        search.write_depths(found.parents, depths);
        ASSERT_EQ(depths, oracle.levels(source, INT64_MAX)) << list.name << " from " << source.value;
        std::ranges::fill(depths, -7);
        EXPECT_EQ(search.run_for_depths(std::span(&source, 1), {}, depths).reached, found.reached);
        ASSERT_EQ(depths, oracle.levels(source, INT64_MAX)) << list.name << " from " << source.value;
      }
    }
  });
}

TEST_F(OneRank, DepthsAreKeptOfSeveralSourcesUpToADepth) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    if (graph.layout().adjacency != AdjacencyForm::rows) return;
    constexpr std::int64_t most = 3;
    const std::vector<Label> sources{list.edges.front().source, Label{0}, list.edges.back().target};
    BreadthFirstSearch search(graph, {.keep_depths = true, .max_depth = most}, context);
    const BfsResult found = search.run_from(sources, NearestSource::first);
    std::vector<std::int64_t> depths(oracle.size());
    search.write_depths(found.parents, depths);
    std::vector<std::int64_t> nearest(oracle.size(), -1);
    for (const Label source : sources) {
      const auto levels = oracle.levels(source, most);
      for (std::size_t label = 0; label < nearest.size(); ++label) {
        if (levels[label] >= 0 && (nearest[label] < 0 || levels[label] < nearest[label]))
          nearest[label] = levels[label];
      }
    }
    ASSERT_EQ(depths, nearest) << list.name;
    std::ranges::fill(depths, -7);
    search.run_for_depths(sources, {}, depths);
    ASSERT_EQ(depths, nearest) << list.name;
    EXPECT_THROW(search.run_for_depths(sources, sources, depths), Error);
  });
}

TEST_F(OneRank, SearchesToTargetsForDepthsAloneEndWithTheLastTarget) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    BreadthFirstSearch search(graph, {.leaves_last = false, .keep_depths = true}, context);
    const Label source = list.edges.front().source;
    const std::vector<Label> targets{list.edges.front().target};
    std::vector<std::int64_t> depths(oracle.size());
    search.run_for_depths(std::span(&source, 1), targets, depths);
    const std::vector<std::int64_t> all = oracle.levels(source, INT64_MAX);
    const std::int64_t farthest = all[static_cast<std::size_t>(targets.front().value)];
    ASSERT_EQ(depths, oracle.levels(source, farthest < 0 ? INT64_MAX : farthest)) << list.name;
  });
}

// A search keeps depths in a byte each. Depths on longer paths are derived from the tree.
TEST_F(OneRank, DepthsOfAnyNumberOfLevelsAreRight) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  for (std::int64_t edges = 120; edges < 140; ++edges) {
    const NamedEdges list = test::path(edges);
    const Oracle oracle(list, Directedness::undirected);
    const Graph graph = build_graph(test::part_of(list), {}, context);
    BreadthFirstSearch search(graph, {.keep_depths = true}, context);
    for (const Label source : {Label{0}, Label{1}, Label{60}}) {
      const BfsResult found = search.run(source);
      std::vector<std::int64_t> depths(oracle.size());
      search.write_depths(found.parents, depths);
      ASSERT_EQ(depths, oracle.levels(source, INT64_MAX));
      std::ranges::fill(depths, -7);
      search.run_for_depths(std::span(&source, 1), {}, depths);
      ASSERT_EQ(depths, oracle.levels(source, INT64_MAX));
    }
  }
}

/// Vertex 0 leads to a layer of 6000 vertices, and that layer to one of 6000. One vertex of the first layer leads to
/// all of the second, so that it has more than a sixteenth of the frontier's edges.
NamedEdges layers_with_a_hub() {
  constexpr std::int64_t width = 6000;
  NamedEdges list{"layers with a hub", {}, {}};
  std::mt19937_64 random(2);
  for (std::int64_t i = 0; i < width; ++i) {
    list.edges.push_back(test::edge(0, 1 + i));
    list.edges.push_back(test::edge(width / 2, 1 + width + i));
    for (int edge = 0; edge < 6; ++edge) {
      list.edges.push_back(test::edge(1 + i, 1 + width + static_cast<std::int64_t>(random() % width)));
    }
  }
  return list;
}

// A push uses copies of the visited bits if the frontier has more than twice as many edges as all copies have words.
// Threads divide its vertices, or, if one of these has a large part of the edges, its edges.
TEST_F(OneRank, LargePushesFindEverything) {
  for (const int size : {1, 2, 4}) {
    ThreadTeam threads(size);
    const Context context{world(), threads};
    for (const NamedEdges& list :
         {layered_edges(8, 3000, 6), layers_with_a_hub(), test::random_edges(20000, 60000, 3)}) {
      const Oracle oracle(list, Directedness::undirected);
      const Graph graph = build_graph(test::part_of(list), {}, context);
      BfsOptions options{.keep_depths = true};
      options.direction.policy = DirectionPolicy::push;
      BreadthFirstSearch search(graph, options, context);
      const Label source = list.edges.front().source;
      const BfsResult found = search.run(source);
      const std::vector<std::int64_t> levels = oracle.levels(source, INT64_MAX);
      std::vector<std::int64_t> depths(oracle.size());
      write_tree_depths(found.parents, depths, threads);
      ASSERT_EQ(depths, levels);
      search.write_depths(found.parents, depths);
      ASSERT_EQ(depths, levels);
      std::uint64_t reached = 0;
      for (std::size_t label = 0; label < levels.size(); ++label) {
        if (levels[label] >= 0) ++reached;
        if (levels[label] > 0) {
          ASSERT_TRUE(oracle.has_edge(found.parents[label], Label{static_cast<std::int64_t>(label)}));
        }
      }
      ASSERT_EQ(found.reached, reached);
    }
  }
}

TEST_F(OneRank, AGraphOfAGraphsEdgesIsTheSame) {
  for_every_graph([](const NamedEdges& list, const Oracle& oracle, const Graph& graph, const Context& context) {
    if (graph.layout().adjacency != AdjacencyForm::rows) {
      EXPECT_THROW(GraphEdges{graph}, Error);
      return;
    }
    const GraphEdges edges(graph);
    if (edges.size() == 0) return;
    const GraphOptions options{.directedness = graph.directedness(), .min_vertex_count = graph.vertex_count()};
    const Graph again = build_graph(edges, options, context);
    ASSERT_EQ(again.edge_count(), graph.edge_count());
    BreadthFirstSearch search(again, {}, context);
    const Label source = list.edges.back().source;
    std::vector<std::int64_t> depths(oracle.size());
    write_tree_depths(search.run(source).parents, depths, context.threads);
    ASSERT_EQ(depths, oracle.levels(source, INT64_MAX));
  });
}

TEST_F(OneRank, ACheckpointEndsAnySearchAndTheNextOneStartsAnew) {
  ThreadTeam threads(3);
  const Context context{world(), threads};
  const NamedEdges list = test::skewed_edges(2000, 20000, 1);
  const Oracle oracle(list, Directedness::undirected);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const Label source = list.edges.front().source;
  for (int calls = 0; calls < 40; ++calls) {
    BreadthFirstSearch search(graph, {}, context);
    threads.set_checkpoint([left = calls]() mutable {
      if (left-- == 0) throw std::runtime_error("stopped");
    });
    bool stopped = false;
    try {
      (void)search.run(source);
    } catch (const std::runtime_error&) {
      stopped = true;
    }
    EXPECT_TRUE(stopped || calls > 5);
    threads.set_checkpoint({});
    BreadthFirstSearch next(graph, {}, context);
    std::vector<std::int64_t> depths(oracle.size());
    write_tree_depths(next.run(source).parents, depths, threads);
    ASSERT_EQ(depths, oracle.levels(source, INT64_MAX));
  }
}

}  // namespace
}  // namespace breadth
