// The plain search on one rank compared with levels of the simplest search.
#include "support/serial_searches.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/errors.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/tree_checks.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

TEST(SerialBfs, FindsShortestPaths) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  for (std::uint64_t seed = 0; seed < 40; ++seed) graphs.push_back(test::skewed_edges(200, 150 + 20 * seed, seed));
  for (const NamedEdges& list : graphs) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const Oracle oracle(list, directedness);
      const Label source = list.edges.back().source;
      for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::compressed}) {
        const Graph graph = build_graph(test::part_of(list),
                                        {.directedness = directedness, .layout = {.adjacency = adjacency}}, context);
        const LabelArray parents = test::serial_bfs(graph, source);
        test::expect_parents(oracle, graph, parents, source, oracle.levels(source, INT64_MAX));
      }
    }
  }
}

TEST(SerialBfs, RefusesAGraphThatIsScanned) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph =
      build_graph(test::part_of(test::path(10)), {.layout = {.adjacency = AdjacencyForm::skip_list}}, context);
  EXPECT_THROW((void)test::serial_bfs(graph, Label{0}), Error);
}

}  // namespace
}  // namespace breadth
