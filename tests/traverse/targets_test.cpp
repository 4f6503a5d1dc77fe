// Searches that end when all targets are found: equal to searches to the depth of the farthest target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "core/errors.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/ranks.hpp"
#include "support/tree_checks.hpp"
#include "traverse/bfs.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

/// The level of the farthest target, or INT64_MAX if a target is unreachable.
std::int64_t depth_of(const std::vector<Label>& targets, const std::vector<std::int64_t>& levels) {
  std::int64_t depth = 0;
  for (const Label target : targets) {
    const std::int64_t level = levels[target.index()];
    depth = std::max(depth, level < 0 ? INT64_MAX : level);
  }
  return depth;
}

void expect_targets(const NamedEdges& list, const GraphOptions& graph_options, BfsOptions options, int thread_count,
                    std::uint64_t seed) {
  SCOPED_TRACE(list.name);
  ThreadTeam threads(thread_count);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), graph_options, context);
  const Oracle oracle(list, graph_options.directedness);
  options.leaves_last = false;
  BreadthFirstSearch search(graph, options, context);
  std::mt19937_64 random(seed);
  const auto draw = [&] { return Label{static_cast<std::int64_t>(random() % oracle.size())}; };
  for (int i = 0; i < 6 && !test::failed_anywhere(); ++i) {
    const Label source = draw();
    const std::vector<std::int64_t> levels = oracle.levels(source, INT64_MAX);
    std::vector<Label> targets(1 + random() % 4, source);
    if (i > 0) std::generate(targets.begin(), targets.end(), draw);
    BfsOptions expected = options;
    expected.max_depth = std::min(options.max_depth, depth_of(targets, levels));
    const BfsResult result = search.run_to(targets, source);
    test::expect_tree(oracle, graph, result, source, expected);
    EXPECT_LE(static_cast<std::int64_t>(result.levels.size()), expected.max_depth);
  }
  // The search to targets must leave no state behind.
  test::expect_tree(oracle, graph, search.run(Label{0}), Label{0}, options);
}

TEST(SearchToTargets, EndsAtTheLevelOfTheFarthest) {
  std::uint64_t seed = 0;
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    for (const NamedEdges& list : test::degenerate_graphs()) {
      expect_targets(list, {.directedness = directedness}, {}, 2, ++seed);
    }
    for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
      const BfsOptions options{.direction = {direction}};
      for (const int threads : {1, 3}) {
        expect_targets(test::grid(30, 20), {.directedness = directedness}, options, threads, ++seed);
        expect_targets(test::path(400), {.directedness = directedness}, options, threads, ++seed);
        expect_targets(test::skewed_edges(700, 2500, 4), {.directedness = directedness}, options, threads, ++seed);
        expect_targets(test::random_edges(700, 900, 4), {.directedness = directedness}, options, threads, ++seed);
      }
    }
  }
}

TEST(SearchToTargets, EndsInEveryForm) {
  const NamedEdges list = test::skewed_edges(600, 2000, 3);
  for (const VertexOrder order : {VertexOrder::degree, VertexOrder::label}) {
    expect_targets(list, {.layout = {.order = order}}, {}, 2, 5);
  }
  expect_targets(list, {.layout = {.adjacency = AdjacencyForm::compressed}}, {}, 2, 6);
  expect_targets(list, {.layout = {.hubs = {HubRule::degree, 8}}}, {}, 2, 7);
  expect_targets(list, {}, {.max_depth = 2}, 2, 8);
}

TEST(SearchToTargets, RefusesWhatItCannotDo) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::path(10)), {}, context);
  const std::vector<Label> targets{Label{3}};
  // The searches outlive the errors. A search that an error destroys could not free its communicators, because that
  // takes all ranks.
  BreadthFirstSearch with_leaves_last(graph, {}, context);
  EXPECT_THROW((void)with_leaves_last.run_to(targets, Label{0}), Error);
  BreadthFirstSearch search(graph, {.leaves_last = false}, context);
  EXPECT_THROW((void)search.run_to(targets, Label{10}), Error);
  EXPECT_THROW((void)search.run_to(std::vector<Label>{Label{10}}, Label{0}), Error);
  EXPECT_THROW((void)search.run_to(std::vector<Label>{Label{-1}}, Label{0}), Error);
  EXPECT_EQ(search.run_to({}, Label{0}).reached, 10U);
}

}  // namespace
}  // namespace breadth
