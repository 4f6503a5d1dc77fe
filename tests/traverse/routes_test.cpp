// Queries and relaxations on every route: what arrives, what is combined, and how far it travels.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "model/graph_size.hpp"
#include "model/traffic_prediction.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/ranks.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/sssp/bucket_search.hpp"

namespace breadth {
namespace {

using test::kronecker_edges;
using test::NamedEdges;
using test::world;

/// What one rank sends another: a vertex of the receiver, its distance (0 for queries), and a parent.
using Sent = std::tuple<std::uint32_t, float, std::uint32_t>;

/// Computed alike on all ranks. There are few targets, so that many are sent twice.
std::vector<Sent> sent_between(int source, int destination, int superstep) {
  std::mt19937_64 random(static_cast<std::uint64_t>((source * 100 + destination) * 10 + superstep));
  std::vector<Sent> sent(random() % 400);
  for (auto& [target, distance, parent] : sent) {
    target = static_cast<std::uint32_t>(random() % 50);
    distance = static_cast<float>(random() % 1000) / 8;
    parent = static_cast<std::uint32_t>(random() % 100);
  }
  return sent;
}

/// What this rank must receive: everything from its own group, and with `unique` only one entry per target from each
/// other group. That is the nearest one of the superstep, and among equals the one with the smallest parent.
std::vector<Sent> expected_here(const Groups& groups, int superstep, bool unique, bool distances) {
  std::vector<Sent> expected;
  std::map<std::pair<std::size_t, std::uint32_t>, std::pair<float, std::uint32_t>> best;
  const int rank = world().rank();
  for (int source = 0; source < world().size(); ++source) {
    if (source == rank) continue;
    for (auto [target, distance, parent] : sent_between(source, rank, superstep)) {
      if (!distances) distance = 0;
      if (!unique || groups.of(source) == groups.of(rank)) {
        expected.emplace_back(target, distance, parent);
        continue;
      }
      const std::pair candidate{distance, parent};
      const auto [place, first] = best.try_emplace({groups.of(source), target}, candidate);
      place->second = std::min(place->second, candidate);
    }
  }
  for (const auto& [key, value] : best) expected.emplace_back(key.second, value.first, value.second);
  std::sort(expected.begin(), expected.end());
  return expected;
}

std::vector<Groups> groupings() {
  std::vector<int> uneven(static_cast<std::size_t>(world().size()), 0);
  for (std::size_t rank = uneven.size() * 2 / 3; rank < uneven.size(); ++rank) uneven[rank] = static_cast<int>(rank);
  return {groups_of_size(world().size(), 1), groups_of_size(world().size(), 2), Groups(uneven)};
}

std::vector<Route> routes_on(const Groups& groups) {
  const std::vector<HeavyShare> shares(static_cast<std::size_t>(world().size()));
  std::vector<Route> routes;
  for (const RouteKind& kind : route_kinds()) {
    if (kind.make != nullptr) routes.push_back(kind.make({groups, world().rank(), MonitorPolicy::orchestra, shares}));
  }
  return routes;
}

/// Calls body(groups, strategy) for every route, exchange, packet format and message size.
template <class Body>
void for_every_strategy(Combining combining, Body&& body) {
  for (const Groups& groups : groupings()) {
    for (const Route& route : routes_on(groups)) {
      for (const ExchangePolicy policy : {ExchangePolicy::asynchronous, ExchangePolicy::bulk}) {
        for (const PacketFormat packets : {PacketFormat::runs, PacketFormat::pairs, PacketFormat::compressed}) {
          for (const std::size_t coalescing : {std::size_t{1}, std::size_t{100}}) {
            body(groups, ExchangeStrategy{.policy = policy,
                                          .packets = packets,
                                          .coalescing = coalescing,
                                          .route = route,
                                          .combining = combining});
          }
        }
      }
    }
  }
}

/// Sends with send(thread, destination, sent) everything that this rank has to send, and checks the entries in
/// `received`.
template <class Exchange, class Send>
void expect_arrival(Exchange& exchange, const Groups& groups, bool unique, bool distances, std::vector<Sent>& received,
                    Send&& send) {
  ThreadTeam threads(2);
  const int rank = world().rank();
  for (int superstep = 0; superstep < 2; ++superstep) {
    received.clear();
    const auto ranks = static_cast<std::size_t>(world().size());
    scanning_blocks(threads, ranks, 1, exchange, [&](IndexRange range, int thread) {
      const auto destination = static_cast<int>(range.begin);
      if (destination == rank) return;
      for (const Sent& sent : sent_between(rank, destination, superstep)) send(thread, destination, sent);
    });
    exchange.finish();
    std::sort(received.begin(), received.end());
    ASSERT_EQ(received, expected_here(groups, superstep, unique, distances));
  }
}

TEST(Routes, QueriesArriveOrBecomeOne) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has nobody to send to";
  ThreadTeam threads(2);
  for (const Combining combining : {Combining::none, Combining::one}) {
    for_every_strategy(combining, [&](const Groups& groups, const ExchangeStrategy& strategy) {
      std::vector<Sent> received;
      QueryExchange<std::uint32_t> exchange({world(), threads}, strategy, [&](QueryMessage<std::uint32_t> queries) {
        queries.for_each_run([&](std::uint32_t parent, std::span<const std::uint32_t> targets) {
          for (const std::uint32_t target : targets) received.emplace_back(target, 0.0F, parent);
        });
      });
      expect_arrival(exchange, groups, combining == Combining::one, false, received,
                     [&](int thread, int destination, const Sent& sent) {
                       exchange.add(thread, destination, std::get<2>(sent), std::span(&std::get<0>(sent), 1));
                     });
    });
  }
}

TEST(Routes, RelaxationsArriveOrTheLightestDoes) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has nobody to send to";
  ThreadTeam threads(2);
  for (const Combining combining : {Combining::none, Combining::lightest}) {
    for_every_strategy(combining, [&](const Groups& groups, const ExchangeStrategy& strategy) {
      if (strategy.packets != PacketFormat::runs) return;
      std::vector<Sent> received;
      RelaxationExchange<std::uint32_t> exchange({world(), threads}, strategy,
                                                 [&](std::uint32_t vertex, float distance, std::uint32_t parent) {
                                                   received.emplace_back(vertex, distance, parent);
                                                 });
      expect_arrival(exchange, groups, combining == Combining::lightest, true, received,
                     [&](int thread, int destination, const Sent& sent) {
                       const auto& [target, distance, parent] = sent;
                       exchange.add(thread, destination, LocalVertex{target}, distance, parent);
                     });
    });
  }
}

/// The routes whose messages other ranks forward.
std::vector<RoutePolicy> forwarding_policies() {
  std::vector<RoutePolicy> policies;
  for (const RouteKind& kind : route_kinds()) {
    if (kind.make != nullptr) policies.push_back(kind.policy);
  }
  return policies;
}

/// The traffic of all ranks by distance.
TrafficByDistance traffic_of(const BreadthFirstSearch& search, const RouteOptions& route) {
  const Groups groups = make_groups(route, world());
  const CommunicationRecord record = search.communication();
  TrafficByDistance traffic = by_distance(record.sent, world().rank(), groups, places_of(groups));
  for (SentTraffic* sent : {&traffic.inside_groups, &traffic.between_groups}) {
    sent->messages = world().all_reduce(sent->messages, Reduction::sum);
    sent->bytes = world().all_reduce(sent->bytes, Reduction::sum);
  }
  return traffic;
}

BfsOptions plain_push(const RouteOptions& route, std::size_t coalescing) {
  return {.direction = {DirectionPolicy::push},
          .messages = {.coalescing = coalescing, .packets = PacketFormat::pairs, .route = route},
          .leaves_last = false};
}

TEST(Routes, SendAsMuchAsThePredictionSays) {
  if (world().size() != 4 && world().size() != 6) GTEST_SKIP() << "needs equal groups";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 13}));
  const Graph graph = build_graph(test::part_of(list), {.layout = {.order = VertexOrder::label}}, context);
  const int group_ranks = world().size() / 2;
  const double tolerance = world().size() == 4 ? 0.02 : 0.03;  // six blocks of labels differ in size
  for (const RouteKind& kind : route_kinds()) {
    SCOPED_TRACE(kind.meaning);
    const RouteOptions route{.policy = kind.policy, .group_size = group_ranks};
    const BfsOptions options = plain_push(route, 1024);
    BreadthFirstSearch search(graph, options, context);
    (void)search.run(list.edges.front().source);
    const TrafficByDistance sent = traffic_of(search, route);
    const RoutedTraffic predicted = predict_routed_traffic(graph.edge_count(), world().size(), group_ranks,
                                                           kind.hops_inside, options.messages.coalescing, 16);
    EXPECT_NEAR(static_cast<double>(sent.between_groups.bytes) / predicted.bytes_between, 1, tolerance);
    EXPECT_NEAR(static_cast<double>(sent.inside_groups.bytes) / predicted.bytes_inside, 1, tolerance);
  }
}

/// In each level each group sends a vertex once. So over a search each group with neighbours of the vertex sends it at
/// least once.
TEST(Routes, UniqueQueriesAreWithinWhatThePredictionSays) {
  if (world().size() != 4 && world().size() != 6) GTEST_SKIP() << "needs equal groups";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = kronecker_edges(Kronecker({.scale = 13}));
  const Graph graph = build_graph(test::part_of(list), {.layout = {.order = VertexOrder::label}}, context);
  for (const int groups : {2, world().size() / 2}) {
    const double least = 16 * expected_group_pairs(13, 16, groups);
    for (const RoutePolicy policy : forwarding_policies()) {
      const RouteOptions route{.policy = policy, .merge_duplicates = true, .group_size = world().size() / groups};
      const BfsOptions options = plain_push(route, 1024);
      BreadthFirstSearch search(graph, options, context);
      (void)search.run(list.edges.front().source);
      const auto bytes = static_cast<double>(traffic_of(search, route).between_groups.bytes);
      const RoutedTraffic all = predict_routed_traffic(graph.edge_count(), world().size(), world().size() / groups, 1,
                                                       options.messages.coalescing, 16);
      EXPECT_GT(bytes, 0.97 * least);
      EXPECT_LT(bytes, 0.5 * all.bytes_between) << "most vertices have many neighbours in each group";
    }
  }
}

TEST(Routes, FewerQueriesCrossWhenTheyAreUnique) {
  if (world().size() < 3) GTEST_SKIP() << "needs groups";
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = test::skewed_edges(1 << 10, 1 << 15, 5);  // 30 edges a vertex
  const Graph graph = build_graph(test::part_of(list), {}, context);
  for (const RoutePolicy policy : forwarding_policies()) {
    const auto bytes_between = [&](bool unique) {
      const RouteOptions route{.policy = policy, .merge_duplicates = unique, .group_size = 2};
      BreadthFirstSearch search(graph, plain_push(route, 256), context);
      (void)search.run(list.edges.front().source);
      return traffic_of(search, route).between_groups.bytes;
    };
    EXPECT_LT(bytes_between(true), bytes_between(false) / 2);
  }
}

TEST(Routes, MonitorsHaveTheHeavyVertices) {
  if (world().size() < 3) GTEST_SKIP() << "needs groups";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  // The last label, on the last rank, is the only one with more than three edges.
  const std::int64_t last = 1024 * world().size() - 1;
  NamedEdges list = test::path(last + 1);
  for (std::int64_t i = 0; i < last; ++i) list.edges.push_back(test::edge(last, i));
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const int owner = graph.distribution().owner(Label{last});
  ASSERT_EQ(owner, world().size() - 1);
  // All ranks but rank 0 form one group: its messages leave through the owner.
  RouteOptions route{.policy = RoutePolicy::monitor, .groups = std::vector<int>(std::size_t(world().size()), 1)};
  route.groups[0] = 0;
  for (const MonitorPolicy policy : {MonitorPolicy::random, MonitorPolicy::heaviest, MonitorPolicy::orchestra}) {
    route.monitors = policy;
    const Route way = make_route(route, graph, context);
    if (world().rank() == 0) {
      EXPECT_EQ(way.next[1], owner);
    } else {
      EXPECT_EQ(way.next[0], world().rank() == owner ? 0 : owner);
    }
  }
}

TEST(Routes, AreDirectWhereNothingIsGained) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::path(50)), {}, context);
  for (const RouteKind& kind : route_kinds()) {
    const RoutePolicy policy = kind.policy;
    EXPECT_TRUE(make_route({.policy = policy, .group_size = world().size()}, graph, context).direct());
    EXPECT_TRUE(make_route({.policy = policy, .group_size = 1}, graph, context).direct());
    const bool grouped = policy != RoutePolicy::direct && world().size() > 2;
    EXPECT_EQ(make_route({.policy = policy, .group_size = 2}, graph, context).direct(), !grouped);
  }
}

TEST(Routes, RefuseGroupsOfOtherRanks) {
  const std::vector<int> one_more(static_cast<std::size_t>(world().size()) + 1);
  EXPECT_THROW((void)make_groups({.groups = one_more, .groups_file = "groups.txt"}, world()), Error);
  EXPECT_THROW(check({.network = std::vector<NetworkPlace>(one_more.size())}, world().size()), Error);
  EXPECT_THROW(check({.group_size = -1}, world().size()), Error);
}

}  // namespace
}  // namespace breadth
