// Checks of search trees against the levels of an oracle.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "traverse/bfs.hpp"

namespace breadth::test {

/// Checks that each vertex with a level has a parent one level above, and that the others (-1) have none.
inline void expect_parents(const Oracle& oracle, const Graph& graph, const LabelArray& parents, Label source,
                           const std::vector<std::int64_t>& levels) {
  const int rank = world().rank();
  ASSERT_EQ(parents.size(), graph.distribution().count(rank));
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const Label label = graph.distribution().label(rank, i);
    const Label parent = parents[i];
    const std::int64_t level = levels[label.index()];
    if (label == source) {
      ASSERT_EQ(parent, source);
    } else if (level < 0) {
      ASSERT_EQ(parent, no_label) << "vertex " << label.value << " cannot be reached from " << source.value;
    } else {
      ASSERT_NE(parent, no_label) << "vertex " << label.value << " was not reached from " << source.value;
      ASSERT_TRUE(parent.value >= 0 && parent.index() < oracle.size());
      ASSERT_TRUE(oracle.has_edge(parent, label)) << parent.value << " -> " << label.value;
      ASSERT_EQ(levels[parent.index()] + 1, level) << "vertex " << label.value << " from " << source.value;
    }
  }
}

/// Checks the parents of a search, and its counts.
inline void expect_tree(const Oracle& oracle, const Graph& graph, const BfsResult& result, Label source,
                        const BfsOptions& options) {
  const std::vector<std::int64_t> levels = oracle.levels(source, options.max_depth);
  expect_parents(oracle, graph, result.parents, source, levels);
  const auto reached = static_cast<std::uint64_t>(
      std::count_if(levels.begin(), levels.end(), [](std::int64_t level) { return level >= 0; }));
  EXPECT_EQ(result.reached, reached);
  std::uint64_t claimed = 1;
  std::uint64_t frontier = 1;
  for (std::size_t depth = 0; depth < result.levels.size(); ++depth) {
    const auto here =
        static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), static_cast<std::int64_t>(depth)));
    EXPECT_EQ(result.levels[depth].frontier, frontier);
    EXPECT_LE(result.levels[depth].frontier, here) << "at depth " << depth;
    if (!options.leaves_last) {
      EXPECT_EQ(result.levels[depth].frontier, here) << "at depth " << depth;
    }
    claimed += result.levels[depth].claimed;
    frontier = result.levels[depth].claimed;
  }
  EXPECT_EQ(claimed + result.leaves.claimed, reached);
  if (!options.leaves_last) {
    EXPECT_EQ(result.leaves.claimed, 0);
  }
}

/// Searches twice from vertex 0 with one engine, so that state left over from the first search would show. Checks both
/// and returns the second result. Collective.
inline BfsResult search_from_0(const NamedEdges& list, const GraphOptions& graph_options, const BfsOptions& options,
                               int thread_count) {
  ThreadTeam threads(thread_count);
  const Context context{world(), threads};
  const Graph graph = build_graph(part_of(list), graph_options, context);
  BreadthFirstSearch search(graph, options, context);
  const Oracle& oracle = oracle_of<Oracle>(list, graph_options.directedness);
  expect_tree(oracle, graph, search.run(Label{0}), Label{0}, options);
  BfsResult result = search.run(Label{0});
  expect_tree(oracle, graph, result, Label{0}, options);
  return result;
}

}  // namespace breadth::test
