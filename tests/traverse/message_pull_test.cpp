// Pulls that ask owners by message instead of replicating the frontier. bfs_test.cpp runs them on random graphs and
// options.
#include "traverse/bfs/message_pull.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "traverse/validated_searches.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

/// With small messages, a window is smaller than the number of queries of a rank (traverse/bfs/message_pull.hpp).
TEST(MessagePull, LargerGraphsInEveryForm) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has nobody to ask";
  const NamedEdges list = test::skewed_edges(1 << 14, 1 << 14, 9);
  for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::compressed, AdjacencyForm::full_scan,
                                        AdjacencyForm::skip_list, AdjacencyForm::coarse_index}) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      for (const DirectionPolicy direction : {DirectionPolicy::automatic, DirectionPolicy::pull}) {
        const bool pull = direction == DirectionPolicy::pull;
        const bool bulk = directedness == Directedness::directed;
        const BfsOptions options{.direction = {direction},
                                 .pull = PullPolicy::messages,
                                 .messages = {.coalescing = pull ? std::size_t{4} : 256,
                                              .exchange = bulk ? ExchangePolicy::bulk : ExchangePolicy::asynchronous,
                                              .packets = bulk ? PacketFormat::compressed : PacketFormat::pairs},
                                 .leaves_last = !bulk};
        const NeighbourWidth width = pull ? NeighbourWidth::bits64 : NeighbourWidth::automatic;
        SCOPED_TRACE(fmt::format("adjacency {}, {}, {}", static_cast<int>(adjacency), pull ? "pull" : "automatic",
                                 bulk ? "directed, bulk" : "undirected, asynchronous"));
        test::expect_valid_searches(list, {directedness, width, {.adjacency = adjacency}}, options, pull ? 1 : 3);
      }
    }
  }
}

/// Each leaf of a star has one neighbour, the centre. It sends one query to the centre's rank, unless it is on that
/// rank itself, and gets one answer.
TEST(MessagePull, AsksOnceAndIsAnsweredOnce) {
  if (world().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = test::star(3000);
  for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::coarse_index}) {
    for (const bool leaves_last : {false, true}) {
      const Graph graph = build_graph(test::part_of(list), {.layout = {.adjacency = adjacency}}, context);
      const BfsOptions options{.direction = {DirectionPolicy::pull},
                               .pull = PullPolicy::messages,
                               .messages = {.packets = PacketFormat::pairs},
                               .leaves_last = leaves_last};
      BreadthFirstSearch search(graph, options, context);
      const BfsResult result = search.run(Label{0});
      const std::uint64_t elsewhere = graph.vertex_count() - graph.distribution().count(0);
      Traffic sum = result.leaves.traffic;
      for (const LevelStatistics& level : result.levels) sum += level.traffic;
      EXPECT_EQ(sum.queries, elsewhere);
      EXPECT_EQ(sum.answers, elsewhere);
      EXPECT_EQ(sum.bytes, 16 * 2 * elsewhere);
      EXPECT_EQ(sum.question_bytes, 16 * elsewhere);
      // The leaves that are searched last begin at a common local id of all ranks, so each rank's first vertex is not
      // among them.
      const auto others = static_cast<std::uint64_t>(world().size()) - 1;
      EXPECT_EQ(result.leaves.traffic.answers, leaves_last ? elsewhere - others : 0);
      const CommunicationRecord record = search.communication();
      std::uint64_t sent[] = {record.queries, 0, 0};
      for (const SentTraffic& to_one : record.sent) {
        sent[1] += to_one.messages;
        sent[2] += to_one.bytes;
      }
      world().all_reduce(std::span<std::uint64_t>(sent), Reduction::sum);
      EXPECT_EQ(sent[0], sum.queries + sum.answers);
      EXPECT_EQ(sent[1], sum.messages);
      EXPECT_EQ(sent[2], sum.bytes);
    }
  }
}

}  // namespace
}  // namespace breadth
