// Searches on the benchmark's own graphs. Every tree is compared with plain levels and validated.
#include <gtest/gtest.h>

#include <utility>

#include "simd/instruction_set.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/oracle.hpp"
#include "support/replications.hpp"
#include "traverse/bfs.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

using test::kronecker_edges;
using test::NamedEdges;
using test::world;

void expect_valid(const NamedEdges& list, Label source, const BfsResult& result, const Graph& graph,
                  Directedness directedness, const Context& context) {
  const MemoryEdgeList part = test::part_of(list);
  const ValidationReport report =
      validate_bfs(part, directedness, {source, result.parents}, graph.distribution(), context);
  EXPECT_TRUE(report.valid()) << report.text();
  EXPECT_EQ(report.reached, result.reached);
  std::size_t nonempty_levels = 0;
  for (const LevelStatistics& level : result.levels) nonempty_levels += level.claimed > 0 ? 1 : 0;
  EXPECT_GE(report.depth, nonempty_levels);
  EXPECT_LE(report.depth, nonempty_levels + (result.leaves.claimed > 0 ? 1 : 0));
}

TEST(BreadthFirstSearch, KroneckerGraphsOfScale4To14) {
  for (int scale = 4; scale <= 14; ++scale) {
    for (const std::uint64_t edgefactor : {1U, 16U}) {
      const Kronecker kronecker({.scale = scale, .edgefactor = edgefactor});
      const NamedEdges list = kronecker_edges(kronecker);
      const Directedness directedness = directed_if(scale % 3 == 0);
      SCOPED_TRACE(list.name);
      ThreadTeam threads(1 + scale % 3);
      const Context context{world(), threads};
      const Graph graph = build_graph(test::part_of(list), {directedness}, context);
      // In a larger group every rank would build this large oracle. There the validation alone is enough.
      const bool plain = world().size() == 1 || scale <= 11;
      const test::Oracle oracle(plain ? list : NamedEdges{"", {list.edges.front()}, {}}, directedness);
      for (const DirectionPolicy direction :
           {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
        const std::size_t summary = edgefactor == 1 ? std::size_t{64} << (scale % 7) : 0;
        BreadthFirstSearch search(graph, {.direction = {direction}, .summary = summary, .messages = {.coalescing = 64}},
                                  context);
        for (int i = 0; i < 3; ++i) {
          const Label source = list.edges[static_cast<std::size_t>(i) * 5].source;
          const BfsResult result = search.run(source);
          expect_valid(list, source, result, graph, directedness, context);
          if (!plain) continue;
          const std::vector<std::int64_t> levels = oracle.levels(source, INT64_MAX);
          const auto reached =
              std::count_if(levels.begin(), levels.end(), [](std::int64_t level) { return level >= 0; });
          EXPECT_EQ(result.reached, static_cast<std::uint64_t>(reached));
          const auto depth = static_cast<std::size_t>(*std::max_element(levels.begin(), levels.end()));
          EXPECT_LE(result.levels.size(), depth + 1);  // the last level claims nothing
          EXPECT_GE(result.levels.size() + (result.leaves.claimed > 0 ? 1 : 0), depth + 1);
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, KroneckerGraphsWithEveryReplication) {
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 13, .edgefactor = 16}));
  constexpr std::pair<std::size_t, SharedBits> ways_to_share[] = {
      {0, SharedBits::all}, {0, SharedBits::unvisited}, {64, SharedBits::automatic}, {4096, SharedBits::automatic}};
  for (const int thread_count : {1, 2}) {
    ThreadTeam threads(thread_count);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {}, context);
    for (const Replication how : test::different_replications()) {
      for (const int ranks_per_node : test::different_nodes()) {
        for (const auto& [summary, bits] : ways_to_share) {
          BreadthFirstSearch search(graph, {.summary = summary, .replication = {how, ranks_per_node, bits}}, context);
          for (int i = 0; i < 2; ++i) {
            const Label source = list.edges[static_cast<std::size_t>(i) * 5].source;
            expect_valid(list, source, search.run(source), graph, Directedness::undirected, context);
          }
        }
      }
    }
  }
}

TEST(BreadthFirstSearch, KroneckerGraphsInOtherFormsThanRows) {
  for (const int scale : {6, 10, 13}) {
    const NamedEdges list = kronecker_edges(Kronecker({.scale = scale, .edgefactor = 16}));
    SCOPED_TRACE(list.name);
    ThreadTeam threads(1 + scale % 3);
    const Context context{world(), threads};
    for (const AdjacencyForm form :
         {AdjacencyForm::compressed, AdjacencyForm::full_scan, AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
      const Graph graph = build_graph(test::part_of(list), {.layout = {.adjacency = form}}, context);
      for (const DirectionPolicy direction :
           {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
        BreadthFirstSearch search(graph, {.direction = {direction}, .messages = {.coalescing = 64}}, context);
        for (int i = 0; i < 2; ++i) {
          const Label source = list.edges[static_cast<std::size_t>(i) * 5].source;
          expect_valid(list, source, search.run(source), graph, Directedness::undirected, context);
        }
      }
    }
  }
}

/// Restores the automatic choice of the instruction set at the end.
struct InstructionSetGuard {
  ~InstructionSetGuard() { use_instruction_set(InstructionSet::automatic); }
};

TEST(BreadthFirstSearch, KroneckerGraphsOnEveryInstructionSet) {
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 12, .edgefactor = 16}));
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const InstructionSetGuard guard;
  for (const InstructionSet set : usable_instruction_sets()) {
    SCOPED_TRACE(name_of(set));
    use_instruction_set(set);
    ASSERT_EQ(instruction_set(), set);
    for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
      const Graph graph = build_graph(test::part_of(list), {.neighbour_width = width}, context);
      for (const DirectionPolicy direction :
           {DirectionPolicy::automatic, DirectionPolicy::push, DirectionPolicy::pull}) {
        BreadthFirstSearch search(graph, {.direction = {direction}, .small_level = 0}, context);
        const Label source = list.edges.front().source;
        expect_valid(list, source, search.run(source), graph, Directedness::undirected, context);
      }
    }
  }
}

}  // namespace
}  // namespace breadth
