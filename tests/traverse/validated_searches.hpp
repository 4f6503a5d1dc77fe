// Searches that are checked by validation and against plain levels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "traverse/bfs.hpp"
#include "validate/validate.hpp"

namespace breadth::test {

/// Checks that the tree is valid, reaches the same vertices as the oracle, and claims no vertex before its level.
inline void expect_valid_search(const NamedEdges& list, const Graph& graph, BreadthFirstSearch& search, Label source,
                                const Context& context) {
  const BfsResult result = search.run(source);
  const MemoryEdgeList part = part_of(list);
  const ValidationReport report =
      validate_bfs(part, graph.directedness(), {source, result.parents}, graph.distribution(), context);
  EXPECT_TRUE(report.valid()) << report.text();
  const std::vector<std::int64_t> levels = Oracle(list, graph.directedness()).levels(source, INT64_MAX);
  const auto unreached = static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), -1));
  EXPECT_EQ(result.reached, levels.size() - unreached);
  std::uint64_t claimed = 1 + result.leaves.claimed;
  for (std::size_t depth = 0; depth < result.levels.size(); ++depth) {
    const auto here =
        static_cast<std::uint64_t>(std::count(levels.begin(), levels.end(), static_cast<std::int64_t>(depth) + 1));
    EXPECT_LE(result.levels[depth].claimed, here) << "at depth " << depth + 1;
    claimed += result.levels[depth].claimed;
  }
  EXPECT_EQ(claimed, result.reached);
}

/// Builds the graph and searches it from several vertices with one BreadthFirstSearch, so that state left over from a
/// run would show.
inline void expect_valid_searches(const NamedEdges& list, const GraphOptions& graph_options,
                                  const BfsOptions& search_options, int thread_count, int searches = 2) {
  ThreadTeam threads(thread_count);
  const Context context{world(), threads};
  const Graph graph = build_graph(part_of(list), graph_options, context);
  BreadthFirstSearch search(graph, search_options, context);
  for (int i = 0; i < searches && !failed_anywhere(); ++i) {
    const std::size_t tuple = static_cast<std::size_t>(i) * 7919 % list.edges.size();
    expect_valid_search(list, graph, search, list.edges[tuple].source, context);
  }
}

}  // namespace breadth::test
