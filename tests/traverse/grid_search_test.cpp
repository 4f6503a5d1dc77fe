// Searches on every grid that the ranks can form.
#include "traverse/papers/paper_searches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "graph/graph_contents.hpp"
#include "model/traffic_prediction.hpp"
#include "traverse/validated_searches.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

std::vector<GridShape> every_grid() {
  std::vector<GridShape> grids{GridShape{}};
  for (int rows = 1; rows <= world().size(); ++rows) {
    if (world().size() % rows == 0) grids.push_back({rows, world().size() / rows});
  }
  return grids;
}

void expect_searches_on(const NamedEdges& list, GridShape grid, Directedness directedness, NeighbourWidth width,
                        int threads) {
  SCOPED_TRACE(fmt::format("{} on {}x{}, {}, {} bits, {} threads", list.name, grid.rows, grid.columns,
                           directedness == Directedness::directed ? "directed" : "undirected",
                           width == NeighbourWidth::bits64 ? "64" : "auto", threads));
  test::expect_valid_searches(list, {directedness, width, {.grid = grid}}, {}, threads);
}

TEST(GridShape, IsAsSquareAsTheRanksAllow) {
  EXPECT_EQ(grid_of({}, 1), (GridShape{1, 1}));
  EXPECT_EQ(grid_of({}, 7), (GridShape{1, 7}));
  EXPECT_EQ(grid_of({}, 12), (GridShape{3, 4}));
  EXPECT_EQ(grid_of({}, 36), (GridShape{6, 6}));
  EXPECT_EQ(grid_of({4, 3}, 12), (GridShape{4, 3}));
  for (const GridShape& bad : {GridShape{3, 4}, GridShape{0, 6}, GridShape{-2, -3}, GridShape{6, 2}}) {
    EXPECT_THROW((void)grid_of(bad, 6), Error);
  }
}

TEST(GridSearch, DegenerateGraphsOnEveryGrid) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const GridShape grid : every_grid()) {
      expect_searches_on(list, grid, Directedness::undirected, NeighbourWidth::automatic, 1);
      expect_searches_on(list, grid, Directedness::directed, NeighbourWidth::bits64, 2);
    }
  }
}

TEST(GridSearch, RandomAndSkewedGraphsOnEveryGrid) {
  for (const NamedEdges& list : {test::random_edges(3000, 9000, 3), test::skewed_edges(1 << 13, 1 << 15, 4)}) {
    for (const GridShape grid : every_grid()) {
      expect_searches_on(list, grid, Directedness::undirected, NeighbourWidth::automatic, 3);
      expect_searches_on(list, grid, Directedness::directed, NeighbourWidth::automatic, 1);
    }
  }
}

// From nine ranks on, labels have to be asked for.
TEST(GridSearch, ParentsWithUnknownLabels) {
  expect_searches_on(test::random_edges(16000, 40000, 3), GridShape{}, Directedness::undirected,
                     NeighbourWidth::automatic, 1);
}

TEST(GridSearch, EndsAtTheGivenDepth) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::path(300)), {.layout = {.grid = GridShape{}}}, context);
  BreadthFirstSearch search(graph, {.max_depth = 2}, context);
  EXPECT_EQ(search.run(Label{100}).reached, 5U);
}

TEST(GridSearch, SendsAtMostWhatThePlanSays) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::skewed_edges(1 << 13, 1 << 16, 4);
  for (const GridShape grid : every_grid()) {
    const Graph graph = build_graph(test::part_of(list), {.layout = {.grid = grid}}, context);
    BreadthFirstSearch search(graph, {}, context);
    const BfsResult result = search.run(list.edges.front().source);
    constexpr double candidate_bytes = 8;
    const GridShape shape = grid_of(grid, world().size());
    const GridTraffic most = predict_grid_traffic(graph.connected_vertices(), shape, candidate_bytes);
    const double padding = 8.0 * world().size() * (shape.rows - 1);  // bitmaps consist of whole words
    double folded = 0;
    SentTraffic sum;
    for (const LevelStatistics& level : result.levels) {
      const double fold = candidate_bytes * static_cast<double>(level.traffic.queries);
      EXPECT_LE(static_cast<double>(level.traffic.bytes) - fold, most.expand_bytes_per_level + padding);
      EXPECT_LE(static_cast<double>(level.traffic.messages), most.messages_per_rank_and_level * world().size());
      folded += fold;
      sum.messages += level.traffic.messages;
      sum.bytes += level.traffic.bytes;
    }
    EXPECT_LE(folded, most.fold_bytes);
    EXPECT_EQ(folded > 0, shape.columns > 1);
    SentTraffic sent;
    for (const SentTraffic& to_one : search.communication().sent) {
      sent.messages += to_one.messages;
      sent.bytes += to_one.bytes;
    }
    EXPECT_EQ(world().all_reduce(sent.messages, Reduction::sum), sum.messages);
    EXPECT_EQ(world().all_reduce(sent.bytes, Reduction::sum), sum.bytes);
  }
}

TEST(GridSearch, RefusesWhatDoesNotFit) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const auto build = [&](const GraphLayout& layout) {
    return build_graph(test::part_of(test::path(10)), {.layout = layout}, context);
  };
  EXPECT_THROW((void)build({.grid = GridShape{world().size() + 1, 1}}), AgreedError);
  EXPECT_THROW((void)build({.adjacency = AdjacencyForm::skip_list, .grid = GridShape{}}), AgreedError);
  const Graph graph = build({.grid = GridShape{}});
  EXPECT_THROW(BreadthFirstSearch(graph, {.direction = {DirectionPolicy::pull}}, context), Error);
  EXPECT_THROW(visit_rows(graph, [](const auto&) {}), Error);
}

}  // namespace
}  // namespace breadth
