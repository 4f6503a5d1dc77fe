#include "traverse/bfs/search_plan.hpp"

#include <gtest/gtest.h>

#include "core/policy/direction.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

constexpr SearchProgress progress(std::uint64_t frontier, std::uint64_t frontier_edges, std::uint64_t unvisited_edges) {
  return {frontier, frontier_edges, unvisited_edges, 1000, 900};
}

TEST(DirectionChooser, TurnsToPullAndBack) {
  const BfsOptions options{.direction = {.alpha = 10, .beta = 20}};
  DirectionChooser chooser(options.direction);
  EXPECT_EQ(chooser.choose(progress(1, 5, 10000)), Direction::push);
  EXPECT_EQ(chooser.choose(progress(20, 1000, 9000)), Direction::pull);  // 1000 > 9000 / 10
  EXPECT_EQ(chooser.choose(progress(600, 7000, 2000)), Direction::pull);
  EXPECT_EQ(chooser.choose(progress(51, 100, 1900)), Direction::pull);  // 51 >= 1000 / 20
  EXPECT_EQ(chooser.choose(progress(49, 100, 1800)), Direction::push);
  EXPECT_EQ(chooser.choose(progress(40, 1700, 100)), Direction::push) << "does not pull while the frontier shrinks";
}

TEST(DirectionRule, PullsLaterWhereRowsAreAlike) {
  EXPECT_EQ(where_rows_are_alike({.alpha = 20}).alpha, 10);
  EXPECT_EQ(where_rows_are_alike({.alpha = 2}).alpha, 1);
}

TEST(DirectionRule, KnowsWhetherRowsAreAlike) {
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const auto alike = [&](const test::NamedEdges& list, const GraphOptions& options) {
    const Graph graph = build_graph(test::part_of(list), options, context);
    bool found = false;
    visit_rows(graph, [&](const auto& rows) { found = rows_are_alike(graph, rows, context.ranks); });
    return found;
  };
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    EXPECT_TRUE(alike(test::grid(20, 30), {directedness}));
    EXPECT_TRUE(alike(test::random_edges(1000, 8000, 3), {directedness}));
    EXPECT_FALSE(alike(test::star(200), {directedness}));
    EXPECT_FALSE(alike(test::skewed_edges(1 << 12, 1 << 15, 9), {directedness}));
  }
  const test::NamedEdges grid = test::grid(20, 30);
  EXPECT_TRUE(alike(grid, {.layout = {.adjacency = AdjacencyForm::compressed}}));
  EXPECT_FALSE(alike(grid, {.layout = {.order = VertexOrder::label}})) << "degrees are unknown in this order";
  EXPECT_EQ(alike(grid, {.layout = {.hubs = {HubRule::degree, 3}}}), test::world().size() == 1) << "one rank: no hubs";
}

// Before the first of several pulls, a callback that estimates the work may keep the search pushing. It is not called
// during later pulls.
TEST(DirectionChooser, PushesOnWhereAPullDoesNotPay) {
  DirectionChooser chooser(DirectionRule{.alpha = 10, .beta = 20});
  int asked = 0;
  const auto never = [&asked] { return ++asked < 0; };
  EXPECT_EQ(chooser.choose(progress(1, 5, 10000), never), Direction::push);
  EXPECT_EQ(asked, 0) << "the rule itself finds too few edges";
  EXPECT_EQ(chooser.choose(progress(20, 1000, 9000), never), Direction::push);
  EXPECT_EQ(chooser.choose(progress(30, 1000, 8000), never), Direction::push);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(chooser.choose(progress(40, 1000, 7000), [] { return true; }), Direction::pull);
  EXPECT_EQ(chooser.choose(progress(60, 1000, 6000), never), Direction::pull);
  EXPECT_EQ(asked, 2);
}

// The callback may also choose a pull when the frontier has stopped growing, as long as the frontier is not small.
TEST(DirectionChooser, PullsFromAFrontierThatShrinksWhereThatPays) {
  DirectionChooser chooser(DirectionRule{.alpha = 10, .beta = 20});
  int asked = 0;
  const auto pays = [&asked] { return ++asked > 1; };
  EXPECT_EQ(chooser.choose(progress(200, 1000, 9000), pays), Direction::push);
  EXPECT_EQ(chooser.choose(progress(49, 5000, 4000), pays), Direction::push);  // 49 < 1000 / 20
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(chooser.choose(progress(200, 1000, 9000), [] { return false; }), Direction::push);
  EXPECT_EQ(chooser.choose(progress(150, 5000, 4000), pays), Direction::pull);
}

TEST(DirectionChooser, StaysInPullWhileTheFrontierGrows) {
  const BfsOptions options{.direction = {.alpha = 10, .beta = 2}};
  DirectionChooser chooser(options.direction);
  EXPECT_EQ(chooser.choose(progress(1, 5000, 5000)), Direction::pull);
  EXPECT_EQ(chooser.choose(progress(10, 100, 4900)), Direction::pull);
  EXPECT_EQ(chooser.choose(progress(9, 100, 4900)), Direction::push);
}

TEST(DirectionChooser, PullsOnWhereHardlyAnyVertexIsLeftButNotForLong) {
  const BfsOptions options{.direction = {.alpha = 10, .beta = 2}};
  DirectionChooser chooser(options.direction);
  EXPECT_EQ(chooser.choose({500, 5000, 5000, 1000, 400}), Direction::pull);
  for (int level = 0; level < 3; ++level) {
    EXPECT_EQ(chooser.choose({1, 2, 4, 1000, 3}), Direction::pull) << level;
  }
  EXPECT_EQ(chooser.choose({1, 2, 4, 1000, 3}), Direction::push);
}

TEST(DirectionChooser, ObeysAPolicy) {
  for (const auto& [policy, direction] :
       {std::pair{DirectionPolicy::push, Direction::push}, std::pair{DirectionPolicy::pull, Direction::pull}}) {
    const BfsOptions options{.direction = {policy}};
    DirectionChooser chooser(options.direction);
    EXPECT_EQ(chooser.choose(progress(1, 1, 1000000)), direction);
    EXPECT_EQ(chooser.choose(progress(900, 1000000, 1)), direction);
  }
}

// Counts of edges up to too_few_to_pull() may be upper bounds (edges_of_found), so they must never cause a pull.
TEST(DirectionChooser, TooFewEdgesNeverPull) {
  for (const double alpha : {1.0, 1.5, 5.0, 10.0, 20.0, 1e9}) {
    const BfsOptions options{.direction = {.alpha = alpha}};
    for (const std::uint64_t edges : {0ULL, 1ULL, 21ULL, 1000ULL, 123456789ULL, 1ULL << 45}) {
      const std::uint64_t few = too_few_to_pull(edges, alpha);
      const auto direction = [&](std::uint64_t of_frontier) {
        return DirectionChooser(options.direction)
            .choose({.frontier = 100,
                     .frontier_edges = of_frontier,
                     .unvisited_edges = edges - std::min(edges, of_frontier),
                     .vertices = 100000,
                     .unvisited = 90000});
      };
      EXPECT_EQ(direction(few), Direction::push) << alpha << " " << edges;
      EXPECT_EQ(direction(few + 2), Direction::pull) << alpha << " " << edges;
    }
  }
}

}  // namespace
}  // namespace breadth
