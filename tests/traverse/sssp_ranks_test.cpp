// Shortest paths on several ranks that exchange distances and have replicas of hubs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "comm/agreement.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/ranks.hpp"
#include "support/routes.hpp"
#include "traverse/sssp_searches.hpp"

namespace breadth {
namespace {

using test::even_draw;
using test::every_kind_of_weights;
using test::expect_searches;
using test::NamedEdges;
using test::random_replication;
using test::star_like;
using test::Variant;
using test::weighed;
using test::Weights;
using test::world;

/// Replicates lists of changes, and all swept distances, between nodes of every size, equal or not.
TEST(ShortestPathSearch, EveryReplicationOnEveryKindOfNodes) {
  for (const Replication how :
       {Replication::allgather, Replication::leader, Replication::shared, Replication::subgroups}) {
    for (int ranks_per_node = 0; ranks_per_node <= world().size(); ++ranks_per_node) {
      SsspOptions options{.ball_divisor = 64, .replicate = how};
      options.messages.route.ranks_per_node = ranks_per_node;
      SCOPED_TRACE(fmt::format("{} ranks a node", ranks_per_node));
      expect_searches(star_like(even_draw), {.options = options, .threads = 2}, 7, 2);
      options.ball_divisor = 0;
      options.hubs_first = false;
      const NamedEdges coarse = star_like([](auto& random) { return static_cast<float>(random() % 17) / 16; });
      expect_searches(coarse, {.directedness = Directedness::directed, .options = options}, 8, 2);
    }
  }
}

/// Run once more with an MPI library that is told not to use shared windows (CMakeLists.txt).
TEST(ShortestPathSearch, DoesWithoutMemoryToShare) {
  const NamedEdges list = star_like(even_draw);
  expect_searches(list, {}, 1, 1);
  if (std::getenv("TEST_NO_SHARED_MEMORY") == nullptr) return;
  EXPECT_THROW(expect_searches(list, {.options = {.replicate = Replication::subgroups}}, 1, 1), AgreedError);
}

/// Any rank may find a hub's parent, and sources may be hubs. With zero weights many ranks find a hub at the same
/// distance.
TEST(ShortestPathSearch, HubsWithEveryKindOfWeights) {
  for (const Weights& weights : every_kind_of_weights()) {
    const NamedEdges list = weighed(test::skewed_edges(500, 4000, 8), weights, 5);
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const bool directed = directedness == Directedness::directed;
      const HubChoice few = directed ? HubChoice{HubRule::automatic} : HubChoice{HubRule::degree, 40};
      expect_searches(list, {.directedness = directedness, .hubs = few, .options = {.ball_divisor = 32}, .threads = 2},
                      5, 4);
      expect_searches(list, {.directedness = directedness, .hubs = {HubRule::degree, directed ? 3U : 0U}}, 6, 3);
      const SsspOptions buckets{.delta = 0.01, .messages = {.exchange = ExchangePolicy::bulk}};
      expect_searches(list, {.directedness = directedness, .hubs = few, .options = buckets, .threads = 2}, 7, 3);
    }
  }
}

/// In the end each vertex was settled in one bucket, however often its distance decreased, and however many ranks have
/// a replica.
TEST(ShortestPathSearch, BucketsSettleEachVertexOnce) {
  if (world().size() == 1) GTEST_SKIP() << "one rank counts relaxed vertices instead";
  ThreadTeam threads(2);
  const Context context{world(), threads};
  for (const Weights& weights : every_kind_of_weights()) {
    for (const HubChoice& hubs : {HubChoice{}, HubChoice{HubRule::degree, 8}}) {
      const NamedEdges list = weighed(test::skewed_edges(700, 4000, 8), weights, 5);
      const GraphLayout layout{.neighbours = NeighbourOrder::weights, .hubs = hubs};
      const Graph graph = build_graph(test::part_of(list), {.layout = layout}, context);
      for (const double delta : {0.02, 0.5, 1e30}) {
        const SsspResult result = ShortestPathSearch(graph, {.delta = delta}, context).run(list.edges.front().source);
        std::uint64_t settled = 0;
        std::uint64_t improved = 1;  // the source
        for (const LevelStatistics& level : result.levels) {
          settled += level.frontier;
          improved += level.claimed;
          EXPECT_GT(level.rounds, 0U);
        }
        EXPECT_GE(improved, settled);
        EXPECT_EQ(settled, result.reached) << weights.name << ", delta " << delta << ", hubs " << hubs.degree;
      }
    }
  }
}

/// All edges have one weight, so only the source's relaxations can improve a distance. A rank knows of a vertex on
/// another node only the distance that it sent itself.
TEST(ShortestPathSearch, RelaxationsThatAreKnownToBeVainAreNotSent) {
  constexpr std::uint64_t vertices = 260;
  NamedEdges list = test::complete(static_cast<std::int64_t>(vertices));
  list.weights.assign(list.edges.size(), 1.0F);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
  const std::uint64_t here = graph.partition().local_count();
  const Label source{7};
  const bool owned = graph.distribution().owner(source) == world().rank();
  for (const int ranks_per_node : {0, 1}) {
    SsspOptions options{.delta = 0.1};
    options.messages.route.ranks_per_node = ranks_per_node;
    const SsspResult result = ShortestPathSearch(graph, options, context).run(source);
    std::uint64_t sent = 0;
    for (const LevelStatistics& level : result.levels) sent += level.traffic.queries;
    const bool tells = here > 0 && (owned || ranks_per_node == 1);
    const std::uint64_t least = world().all_reduce(tells ? vertices - here : 0, Reduction::sum);
    EXPECT_EQ(sent, world().size() == 1 ? 0 : least) << ranks_per_node << " ranks per node";
  }
  const SsspOptions unknown{.delta = 0.1, .known_distances = false};
  std::uint64_t sent = 0;
  for (const LevelStatistics& level : ShortestPathSearch(graph, unknown, context).run(source).levels) {
    sent += level.traffic.queries;
  }
  EXPECT_EQ(sent, world().all_reduce(here * (vertices - here), Reduction::sum));
}

/// A path in one bucket. If ranks fuse rounds, a rank that is alone on its node continues along its part of the path;
/// otherwise all ranks meet at each vertex.
TEST(ShortestPathSearch, RanksGoOnInsideABucket) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has no rounds";
  constexpr std::int64_t length = 200;
  NamedEdges road = test::path(length);
  road.weights.assign(road.edges.size(), 1.0F);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(road), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
  const auto rounds = [&](bool fuse) {
    SsspOptions options{.delta = 1e30, .fuse = fuse};
    options.messages.route.ranks_per_node = 1;
    std::uint64_t sum = 0;
    for (const LevelStatistics& level : ShortestPathSearch(graph, options, context).run(Label{0}).levels) {
      sum += level.rounds;
    }
    return sum;
  };
  EXPECT_GE(rounds(false), static_cast<std::uint64_t>(length));
  EXPECT_LE(rounds(true), static_cast<std::uint64_t>(2 * world().size() + 2));
}

/// The ranks combine the distance of a star's centre, which the one ray with a distance gives it, and then its parent.
TEST(ShortestPathSearch, CountsBytesOfHubs) {
  NamedEdges list{.name = "star"};
  for (std::int64_t i = 1; i < 50; ++i) list.edges.push_back(test::edge(0, i));
  list.weights.assign(list.edges.size(), 1.0F);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const GraphLayout layout{.neighbours = NeighbourOrder::weights, .hubs = {HubRule::degree, 8}};
  const Graph graph = build_graph(test::part_of(list), {.layout = layout}, context);
  const SsspResult result = ShortestPathSearch(graph, {.sweeps = false}, context).run(Label{3});
  const auto ranks = static_cast<std::uint64_t>(world().size());
  const std::uint64_t reduced = ranks == 1 ? 0 : ranks * (16 * (ranks - 1) / ranks);
  std::uint64_t bytes = 0;
  for (const LevelStatistics& level : result.levels) bytes += level.traffic.bytes;
  EXPECT_EQ(bytes, reduced);
  EXPECT_EQ(result.settled.bytes, reduced);
}

/// Hubs together with every way to replicate light vertices' distances and to route relaxations.
TEST(ShortestPathSearch, HubsWithEveryReplicationAndRoute) {
  const NamedEdges list = star_like(even_draw);
  std::mt19937_64 random(8);
  for (int round = 0; round < 16 && !test::failed_anywhere(); ++round) {
    Variant setup{.hubs = {HubRule::degree, round % 2 == 0 ? 12U : 300U}};
    setup.options.replicate = random_replication(random);
    setup.options.messages.route = test::random_route(random);
    setup.options.messages.route.ranks_per_node = static_cast<int>(random() % 3);
    setup.options.sweeps = round % 4 != 3;
    setup.options.messages.exchange = round % 3 == 0 ? ExchangePolicy::bulk : ExchangePolicy::asynchronous;
    setup.options.messages.packets = round % 3 == 1 ? PacketFormat::compressed : PacketFormat::runs;
    setup.options.messages.coalescing = 1 + random() % 300;
    setup.options.ball_divisor = round % 5 == 0 ? 0 : 256;
    setup.options.hubs_first = round % 3 != 1;
    setup.threads = 1 + round % 2;
    expect_searches(list, setup, random(), 2);
  }
}

}  // namespace
}  // namespace breadth
