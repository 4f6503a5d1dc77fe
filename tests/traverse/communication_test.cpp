// Traffic between ranks: pushes compared with the equations of Fuentes et al. 2014, pulls with and without a summary.
#include <gtest/gtest.h>

#include <vector>

#include "core/parallel/parallel.hpp"
#include "model/traffic_prediction.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "traverse/bfs.hpp"

namespace breadth {
namespace {

// Counts of messages, bytes and queries may exceed 2^31, so they have 64 bits all the way from a rank to the report.
static_assert(sizeof(SentTraffic::messages) == 8 && sizeof(SentTraffic::bytes) == 8);
static_assert(sizeof(Traffic::messages) == 8 && sizeof(Traffic::bytes) == 8);
static_assert(sizeof(Traffic::queries) == 8 && sizeof(Traffic::answers) == 8);
static_assert(sizeof(LevelStatistics::edges_examined) == 8 && sizeof(LevelStatistics::claimed) == 8);
static_assert(sizeof(CommunicationRecord::queries) == 8 && sizeof(CommunicationRecord::partial_packets) == 8);

using test::kronecker_edges;
using test::NamedEdges;
using test::world;

/// A search that sends as in the paper: one query for each edge to another rank.
constexpr BfsOptions papers_push{.direction = {DirectionPolicy::push},
                                 .messages = {.coalescing = 256, .packets = PacketFormat::pairs},
                                 .push_ranges = false,
                                 .small_level = 0,
                                 .leaves_last = false};
constexpr GraphLayout plain_layout{.order = VertexOrder::label, .neighbours = NeighbourOrder::labels, .columns = 0};

/// The traffic of all ranks in one search.
struct Sums {
  double queries = 0;
  double messages = 0;
  double partial = 0;
  double bytes = 0;
};

Sums sums_of(const CommunicationRecord& record) {
  double sums[] = {static_cast<double>(record.queries), 0, static_cast<double>(record.partial_packets), 0};
  for (const SentTraffic& to_one : record.sent) {
    sums[1] += static_cast<double>(to_one.messages);
    sums[3] += static_cast<double>(to_one.bytes);
  }
  world().all_reduce(std::span<double>(sums), Reduction::sum);
  return {sums[0], sums[1], sums[2], sums[3]};
}

TEST(Communication, AgreesWithTheEquationsWithinOnePercent) {
  if (world().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 14}));
  for (const int thread_count : {1, 3}) {
    ThreadTeam threads(thread_count);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {.layout = plain_layout}, context);
    for (const std::size_t coalescing : {std::size_t{4}, std::size_t{256}, std::size_t{524288}}) {
      BfsOptions options = papers_push;
      options.messages.coalescing = coalescing;
      BreadthFirstSearch search(graph, options, context);
      const BfsResult result = search.run(list.edges.front().source);
      const Sums sent = sums_of(search.communication());
      const PushTraffic predicted = predict_push_traffic(graph.edge_count(), world().size(), coalescing);
      const double ranks = world().size();
      // Equation (2): bytes. They are exactly those of the queries.
      EXPECT_EQ(sent.bytes, 16 * sent.queries);
      EXPECT_NEAR(sent.bytes / predicted.bytes, 1, 0.01);
      // Equation (1): full messages. The partial messages of each level, thread and pair of ranks come on top.
      const double full = sent.messages - sent.partial;
      EXPECT_LE(full, 1.01 * ranks * predicted.messages_per_rank) << "coalescing " << coalescing;
      EXPECT_GE(sent.messages, 0.99 * ranks * predicted.messages_per_rank) << "coalescing " << coalescing;
      const auto levels = static_cast<double>(result.levels.size());
      EXPECT_LE(sent.partial, levels * ranks * (ranks - 1) * thread_count);
    }
  }
}

TEST(Communication, MatrixHasWhatLevelsCount) {
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 12}));
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {.layout = plain_layout}, context);
  for (const ExchangePolicy exchange : {ExchangePolicy::asynchronous, ExchangePolicy::bulk}) {
    BfsOptions options = papers_push;
    options.messages.exchange = exchange;
    BreadthFirstSearch search(graph, options, context);
    SentTraffic of_levels;
    std::uint64_t queries = 0;
    for (const std::size_t key : {std::size_t{0}, std::size_t{1}}) {
      for (const LevelStatistics& level : search.run(list.edges[key].source).levels) {
        of_levels.messages += level.traffic.messages;
        of_levels.bytes += level.traffic.bytes;
        queries += level.traffic.queries;
        EXPECT_LE(level.idle.least, level.idle.mean * (1 + 1e-9));
        EXPECT_LE(level.idle.mean, level.idle.most * (1 + 1e-9));
      }
    }
    const CommunicationRecord record = search.communication();
    const Sums sums = sums_of(record);
    EXPECT_EQ(sums.messages, static_cast<double>(of_levels.messages));
    EXPECT_EQ(sums.bytes, static_cast<double>(of_levels.bytes));
    EXPECT_EQ(sums.queries, static_cast<double>(queries));
    if (world().size() == 1) {
      EXPECT_TRUE(record.sent.empty());
      continue;
    }
    ASSERT_EQ(record.sent.size(), static_cast<std::size_t>(world().size()));
    EXPECT_EQ(record.sent[static_cast<std::size_t>(world().rank())], SentTraffic{});
    // The graph is undirected, so both ranks of a pair send each other the same number of queries (section IV-B).
    if (exchange == ExchangePolicy::asynchronous) {
      const std::vector<SentTraffic> matrix = world().all_gather_varying(std::span<const SentTraffic>(record.sent));
      const auto n = static_cast<std::size_t>(world().size());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(matrix[i * n + j].bytes, matrix[j * n + i].bytes);
      }
    }
  }
}

TEST(BreadthFirstSearch, SendsFewerBytesWithASummary) {
  if (world().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::skewed_edges(1 << 15, 1 << 17, 5);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const auto bytes_with = [&](std::size_t summary) {
    BreadthFirstSearch search(graph, {.direction = {DirectionPolicy::pull}, .summary = summary}, context);
    const BfsResult result = search.run(list.edges.front().source);
    std::uint64_t bytes = result.leaves.traffic.bytes;
    for (const LevelStatistics& level : result.levels) bytes += level.traffic.bytes;
    return bytes;
  };
  const std::uint64_t without = bytes_with(0);
  EXPECT_GT(without, 0U);
  EXPECT_LT(bytes_with(64), without / 2);
  EXPECT_LT(bytes_with(512), without);
}

}  // namespace
}  // namespace breadth
