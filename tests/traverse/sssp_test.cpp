// Shortest paths on graphs of every kind.
#include "traverse/sssp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"
#include "support/routes.hpp"
#include "traverse/regions.hpp"
#include "traverse/sssp_searches.hpp"

namespace breadth {
namespace {

using test::even_draw;
using test::every_kind_of_weights;
using test::expect_searches;
using test::expect_tree;
using test::grid;
using test::kronecker;
using test::NamedEdges;
using test::random_replication;
using test::SsspOracle;
using test::star_like;
using test::Variant;
using test::weighed;
using test::Weights;
using test::world;

TEST(ShortestPathSearch, DegenerateGraphsWithEveryKindOfWeights) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const Weights& weights : every_kind_of_weights()) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        const bool wide = directedness == Directedness::directed;
        expect_searches(weighed(list, weights, 3),
                        {.directedness = directedness,
                         .width = wide ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                         .options = {.messages = {.coalescing = 3}},
                         .threads = wide ? 1 : 2},
                        3);
      }
    }
  }
}

TEST(ShortestPathSearch, RandomGraphsOnRandomOptions) {
  std::mt19937_64 random(20);
  const auto& kinds = every_kind_of_weights();
  const int rounds = world().size() == 1 ? test::rounds(200, 1200) : test::rounds(40, 120);
  for (int i = 0; i < rounds && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 400);
    const std::size_t m = 1 + random() % (random() % 2 == 0 ? 300 : 3000);
    const NamedEdges list = random() % 3 == 0   ? test::with_hubs(n, m / 10, random())
                            : random() % 2 == 0 ? test::random_edges(n, m, random())
                                                : test::skewed_edges(n, m, random());
    Variant setup;
    setup.directedness = directed_if(random() % 3 == 0);
    setup.width = random() % 3 == 0 ? NeighbourWidth::bits64 : NeighbourWidth::automatic;
    setup.order = random() % 3 == 0 ? VertexOrder::label : VertexOrder::degree;
    setup.columns = random() % (max_columns + 1);
    if (random() % 2 == 0) setup.hubs = {HubRule::degree, random() % 3 == 0 ? random() % 3 : random() % 50};
    if (random() % 2 == 0) setup.options.delta = std::pow(10.0, static_cast<double>(random() % 7) - 4);
    setup.options.messages.coalescing = 1 + random() % 40;
    setup.options.sweeps = random() % 8 != 0;
    setup.options.ball_divisor = random() % 3 == 0 ? 0 : std::uint64_t{1} << random() % 12;
    setup.options.hubs_first = random() % 2 == 0;
    setup.options.fuse = random() % 4 != 0;
    setup.options.bucket_batch = random() % 2 == 0 ? 8 : 1 + random() % 20;
    setup.options.small_batch = random() % 2 == 0 ? 512 : random() % 100;
    setup.options.known_distances = random() % 4 != 0;
    setup.options.messages.exchange = random() % 4 == 0 ? ExchangePolicy::bulk : ExchangePolicy::asynchronous;
    if (random() % 2 == 0) setup.options.messages.ending = static_cast<Termination>(random() % 3);
    setup.options.messages.packets = random() % 2 == 0 ? PacketFormat::compressed : PacketFormat::runs;
    setup.options.messages.route = test::random_route(random);
    setup.options.replicate = random_replication(random);
    if (random() % 4 == 0) setup.options.max_distance = even_draw(random);
    constexpr int thread_counts[] = {1, 2, 5};
    setup.threads = thread_counts[random() % std::size(thread_counts)];
    setup.evenly = random() % 2 == 0;
    expect_searches(weighed(list, kinds[random() % kinds.size()], random()), setup, random());
  }
}

TEST(ShortestPathSearch, LargerGraphsWhereThreadsAndRanksMeet) {
  for (const int threads : {1, 2, 5}) {
    expect_searches(kronecker(test::sized(12, 10)), {.threads = threads}, 5, 2);
    expect_searches(weighed(grid(70, 90), every_kind_of_weights()[0], 6), {.threads = threads}, 6, 2);
    for (const Weights& weights : every_kind_of_weights()) {
      if (world().size() > 1 && threads != 2) continue;
      const NamedEdges list = weighed(test::skewed_edges(1 << 11, test::sized(1 << 15, 1 << 13), 9), weights, 4);
      expect_searches(list, {.threads = threads}, 4, 2);
      expect_searches(list, {.directedness = Directedness::directed, .threads = threads}, 4, 2);
    }
  }
}

TEST(ShortestPathSearch, SweepsWhereAFewHubsHaveManyEdges) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const auto sweeps_of = [&](const NamedEdges& list, const SsspOptions& options) {
    const Graph graph = build_graph(test::part_of(list), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
    const std::vector<LevelStatistics> levels = ShortestPathSearch(graph, options, context).run(Label{1}).levels;
    return std::any_of(levels.begin(), levels.end(),
                       [](const LevelStatistics& level) { return level.direction == Direction::pull; });
  };
  const auto sweeps = [&](const SsspOptions& options, std::int64_t rays = 2700) {
    return sweeps_of(star_like(even_draw, rays), options);
  };
  EXPECT_TRUE(sweeps({}));
  EXPECT_EQ(sweeps({}, 1500), world().size() > 1);
  EXPECT_FALSE(sweeps({.sweeps = false}));
  EXPECT_FALSE(sweeps({.delta = 0.1}));
  NamedEdges stars{.name = "a chain of stars"};  // every vertex is next to a hub, but no hub is the centre
  for (std::int64_t star = 0; star < 30; ++star) {
    stars.edges.push_back(test::edge(star, star + 1));
    for (std::int64_t ray = 0; ray < 200; ++ray) stars.edges.push_back(test::edge(star, 31 + star * 200 + ray));
  }
  EXPECT_EQ(sweeps_of(weighed(stars, every_kind_of_weights()[0], 4), {}), world().size() > 1);
}

/// Far from all other vertices the rings of the ball become wide. The ring that reaches the centre must not take in all
/// of its rays.
TEST(ShortestPathSearch, TheBallEndsAtAHub) {
  constexpr std::int64_t centre = 12;
  constexpr std::int64_t rays = 20000;
  NamedEdges list = test::path(centre + 1);
  list.name = "star on a road";
  for (std::int64_t i = 1; i <= rays; ++i) list.edges.push_back(test::edge(centre, centre + i));
  list = weighed(list, every_kind_of_weights()[0], 6);
  std::fill_n(list.weights.begin(), centre, 1.0F);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
  ShortestPathSearch search(graph, {}, context);
  const SsspResult result = search.run(Label{0});
  const LevelStatistics& ball = result.levels.front();
  ASSERT_EQ(ball.direction, Direction::push);
  EXPECT_GE(ball.claimed, 64U);
  EXPECT_LE(ball.claimed, 400U);
  expect_tree(SsspOracle(list, Directedness::undirected), graph, result, Label{0}, {});
}

/// Rows so long that all threads relax them together, with several of these rows in sequence.
TEST(ShortestPathSearch, LongRows) {
  NamedEdges list{.name = "two stars"};
  constexpr std::int64_t rays = 20000;
  for (std::int64_t i = 0; i < rays; ++i) {
    list.edges.push_back(test::edge(0, 2 + i));
    list.edges.push_back(test::edge(2 + rays - 1 - i, 1));
  }
  for (const int threads : {1, 2, 5}) {
    for (const double delta : {0.0, 0.01, 5.0}) {
      if (world().size() > 1 && threads != 2) continue;
      const Variant setup{.options = {.delta = delta, .sweeps = false}, .threads = threads};
      expect_searches(weighed(list, every_kind_of_weights()[0], 2), setup, 7, 2);
    }
  }
}

/// Far more buckets than are open at a time, and so narrow that no bucket holds two vertices.
TEST(ShortestPathSearch, ManyBuckets) {
  const std::int64_t length = world().size() == 1 ? 3000 : 100;  // ranks meet several times per bucket
  const NamedEdges road = weighed(test::path(length), every_kind_of_weights()[4], 1);
  const NamedEdges streets = weighed(grid(length / 50, 50), every_kind_of_weights()[0], 1);
  for (const double delta : {1e-300, 1e-3, 0.5, SsspOptions::deltas.maximum}) {
    for (const NamedEdges& list : {road, streets}) {
      expect_searches(list, {.options = {.delta = delta}, .threads = 2}, 3, 1);
    }
  }
}

/// Buckets so full that threads offer each other work.
TEST(ShortestPathSearch, FullBuckets) {
  const NamedEdges random = test::random_edges(test::sized(3000, 1000), test::sized(30000, 10000), 5);
  for (const int threads : {1, 2, 5}) {
    for (const Weights& weights : every_kind_of_weights()) {
      if (world().size() > 1 && threads != 2) continue;
      const NamedEdges list = weighed(random, weights, 4);
      expect_searches(list, {.threads = threads}, 4, 2);
      expect_searches(list, {.directedness = Directedness::directed, .columns = 0, .threads = threads}, 4, 2);
    }
  }
  const NamedEdges list = weighed(random, every_kind_of_weights()[0], 4);
  expect_searches(list, {.options = {.max_distance = 0.4F}, .threads = 2}, 4, 2);
}

/// So many small buckets that threads settle several of them between two barriers.
TEST(ShortestPathSearch, BatchesOfBuckets) {
  const std::int64_t side = world().size() == 1 ? test::sized(test::rounds(150, 350), 60) : 60;
  const NamedEdges list = weighed(grid(side, side), every_kind_of_weights()[0], 6);
  for (const int threads : {2, 3, 5}) {
    for (const double delta : {0.0, 0.02, 2.0}) {
      if (world().size() > 1 && threads != 2) continue;
      expect_searches(list, {.options = {.delta = delta}, .threads = threads}, 6, 1);
    }
  }
  if (world().size() > 1) return;
  for (const std::size_t bucket_batch : {std::size_t{1}, std::size_t{3}, SsspOptions::bucket_batches.maximum}) {
    for (const bool fuse : {true, false}) {
      for (const std::uint64_t small_batch :
           {std::uint64_t{0}, std::uint64_t{100}, SsspOptions::small_batches.maximum}) {
        const SsspOptions options{.fuse = fuse, .bucket_batch = bucket_batch, .small_batch = small_batch};
        expect_searches(list, {.options = options, .threads = 3}, 7, 1);
      }
    }
  }
}

/// If neighbours have near ids, a small team of threads gives each thread a region of vertices.
TEST(ShortestPathSearch, RegionsOfThreads) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  std::uint64_t seed = 0;
  for (const int threads : {2, 3, 4}) {
    const NamedEdges list = test::near_edges(6000, 12000, 3, ++seed);
    for (const Weights& weights : every_kind_of_weights()) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        ++seed;
        const SsspOptions options{.delta = seed % 2 == 0 ? 0 : 0.01, .bucket_batch = 1 + seed % 9, .small_batch = 0};
        const bool wide = directedness == Directedness::directed;
        expect_searches(weighed(list, weights, seed),
                        {.directedness = directedness,
                         .width = wide ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                         .order = seed % 4 < 2 ? VertexOrder::label : VertexOrder::degree,
                         .options = options,
                         .threads = threads},
                        seed, 2);
      }
    }
  }
}

TEST(ShortestPathSearch, ThreadsHaveRegionsWhereNeighboursAreNear) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  ThreadTeam threads(1);
  // The number of vertices that each thread owns; empty if threads have no regions.
  const auto owned = [&](const NamedEdges& list, int team, VertexOrder order = VertexOrder::label) {
    const Graph graph = build_graph(test::part_of(list), {.layout = {.order = order}}, {world(), threads});
    const auto& rows = std::get<Adjacencies<std::uint32_t>>(graph.contents().adjacencies).push_rows();
    const auto regions = Regions::of(rows, graph.partition(), team);
    std::vector<std::size_t> vertices(regions ? static_cast<std::size_t>(team) : 0);
    for (std::size_t i = 0; regions && i < graph.partition().local_count(); ++i) {
      ++vertices[static_cast<std::size_t>(regions->owner(i))];
    }
    return vertices;
  };
  for (int team = 2; team <= Regions::max_threads; ++team) {
    const auto expect_even = [&](const std::vector<std::size_t>& vertices) {
      ASSERT_EQ(vertices.size(), team);
      const auto [least, most] = std::minmax_element(vertices.begin(), vertices.end());
      EXPECT_LE(*most, 2 * *least);
    };
    for (const std::int64_t vertices : {8000, 8191, 8192, 8193, 12000}) {
      expect_even(owned(test::near_edges(vertices, 12000, 3, 1), team));
    }
    // Also in the order of degrees, if many vertices have the same degree.
    expect_even(owned(test::near_edges(1 << 18, 1 << 16, 3, 1), team, VertexOrder::degree));
    EXPECT_THAT(owned(test::random_edges(4000, 12000, 3), team), testing::IsEmpty());
    EXPECT_THAT(owned(grid(64, 64), team), testing::IsEmpty());
  }
  EXPECT_THAT(owned(test::path(4000), 1), testing::IsEmpty());
  EXPECT_THAT(owned(test::path(4000), Regions::max_threads + 1), testing::IsEmpty());
}

/// More vertices and ranks than label tables cover: sweeps find parents whose labels they have to ask for.
TEST(ShortestPathSearch, ParentsWithUnknownLabels) {
  const NamedEdges list = weighed(test::skewed_edges(1 << 15, 1 << 16, 3), every_kind_of_weights()[0], 3);
  expect_searches(list, {.columns = 0}, 3, 2);
  expect_searches(list, {.columns = 0, .hubs = {HubRule::degree, 200}}, 4, 2);
}

/// No edge of the source's row is relaxed before other ranks pull from the source.
TEST(ShortestPathSearch, SourcesThatAreTheWholeBall) {
  for (const Weights& weights : every_kind_of_weights()) {
    const NamedEdges list = weighed(test::skewed_edges(800, 4000, 8), weights, 5);
    expect_searches(list,
                    {.directedness = Directedness::directed,
                     .columns = 0,
                     .options = {.ball_divisor = 0, .hubs_first = false},
                     .threads = 2},
                    5, 6);
  }
}

TEST(ShortestPathSearch, FarthestDistance) {
  const NamedEdges list = weighed(grid(20, 20), every_kind_of_weights()[0], 1);
  for (const float most : {0.0F, 0.3F, 1.0F, 3.0F}) {
    expect_searches(list, {.options = {.max_distance = most}, .threads = 2}, 2, 2);
    expect_searches(list, {.hubs = {HubRule::degree, 3}, .options = {.max_distance = most}}, 2, 2);
  }
  // A vertex exactly at the limit counts as reached.
  const NamedEdges road{.name = "road", .edges = test::path(10).edges, .weights = std::vector<float>(9, 1.0F)};
  expect_searches(road, {.options = {.max_distance = 4.0F}}, 2, 4);
}

/// Vertices beyond the farthest target are left as by a search up to the target's distance, with any bucket width.
TEST(ShortestPathSearch, EndsAtTheFarthestTarget) {
  std::mt19937_64 random(8);
  const auto expect_targets = [&](const NamedEdges& list, const Variant& setup) {
    SCOPED_TRACE(list.name + ": " + setup.text());
    ThreadTeam threads(setup.threads);
    const Context context{world(), threads};
    const GraphLayout layout{.neighbours = NeighbourOrder::weights, .hubs = setup.hubs};
    const Graph graph = build_graph(test::part_of(list), {setup.directedness, setup.width, layout}, context);
    const SsspOracle oracle(list, setup.directedness);
    ShortestPathSearch search(graph, setup.options, context);
    const auto draw = [&] { return Label{static_cast<std::int64_t>(random() % oracle.size())}; };
    for (int i = 0; i < (world().size() == 1 ? 5 : 3) && !test::failed_anywhere(); ++i) {
      const Label source = draw();
      const ShortestPathTree all = oracle.tree(source, setup.options.max_distance);
      std::vector<Label> targets(1 + random() % 3, source);
      if (i > 0) std::generate(targets.begin(), targets.end(), draw);
      SsspOptions expected = setup.options;
      float farthest = 0;
      for (const Label target : targets) farthest = std::max(farthest, all.distances[target.index()]);
      expected.max_distance = std::min(expected.max_distance, farthest);
      expect_tree(oracle, graph, search.run_to(targets, source), source, expected);
    }
    expect_tree(oracle, graph, search.run(Label{0}), Label{0}, setup.options);
  };
  std::uint64_t seed = 0;
  const bool alone = world().size() == 1;
  const std::size_t step =
      alone ? 1 : test::rounds<std::size_t>(5, 1);  // because ranks make common rounds in every bucket
  for (std::size_t kind = 0; kind < every_kind_of_weights().size(); kind += step) {
    const Weights& weights = every_kind_of_weights()[kind];
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      Variant setup{
          .directedness = directedness, .options = {.sweeps = false}, .threads = 1 + static_cast<int>(seed % 3)};
      for (const NamedEdges& list : test::degenerate_graphs()) expect_targets(weighed(list, weights, ++seed), setup);
      expect_targets(weighed(test::skewed_edges(500, 2500, 4), weights, ++seed), setup);
      expect_targets(weighed(grid(25, 30), weights, ++seed), setup);
      setup.options.delta = alone ? 1e-3 : 0.05;
      setup.options.max_distance = 3;
      expect_targets(weighed(test::random_edges(500, 1500, 4), weights, ++seed), setup);
      setup.hubs = {HubRule::degree, 12};
      setup.options.messages.exchange = ExchangePolicy::bulk;
      setup.options.known_distances = seed % 2 == 0;
      setup.options.messages.route.ranks_per_node = static_cast<int>(seed % 3);
      expect_targets(weighed(test::skewed_edges(500, 2500, 4), weights, ++seed), setup);
    }
  }
  for (const int threads : {1, 2, 5}) {
    if (threads > 1 && !alone) break;
    const Variant setup{.options = {.sweeps = false, .small_batch = 10}, .threads = threads};
    expect_targets(weighed(grid(test::sized(100, 30), test::sized(90, 40)), every_kind_of_weights()[0], ++seed), setup);
    expect_targets(star_like(even_draw), setup);
  }
}

TEST(ShortestPathSearch, FewerBucketsLeadToANearTarget) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list{.name = "road", .edges = test::path(5000).edges, .weights = std::vector<float>(4999, 1.0F)};
  const Graph graph = build_graph(test::part_of(list), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
  ShortestPathSearch search(graph, {.sweeps = false}, context);
  const auto settled_to = [&](std::int64_t target) {
    std::uint64_t settled = 0;
    for (const LevelStatistics& level : search.run_to(std::vector<Label>{Label{target}}, Label{0}).levels) {
      settled += level.frontier;
    }
    return settled;
  };
  EXPECT_LE(settled_to(20), 40U);
  EXPECT_GE(settled_to(4999), 4999U);
  EXPECT_LE(settled_to(2500), 2600U);
  EXPECT_THROW((void)search.run_to(std::vector<Label>{Label{5000}}, Label{0}), Error);
}

TEST(ShortestPathSearch, WritesToTheTreeItIsGiven) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = weighed(test::complete(40), every_kind_of_weights()[0], 1);
  const GraphLayout layout{.neighbours = NeighbourOrder::weights};
  const Graph graph = build_graph(test::part_of(list), {.layout = layout}, context);
  ShortestPathSearch search(graph, {}, context);
  ShortestPathTree tree = search.empty_result();
  const SsspResult result = search.run(Label{7}, tree);
  EXPECT_EQ(&result.tree, &tree);
  expect_tree(SsspOracle(list, Directedness::undirected), graph, result, Label{7}, {});
  ShortestPathTree uneven{search.empty_result().parents, Buffer<float>(tree.parents.size() + 1)};
  EXPECT_THROW((void)search.run(Label{7}, uneven), Error);
  ShortestPathTree longer{LabelArray(tree.parents.size() + 1, 40), Buffer<float>(tree.parents.size() + 1)};
  EXPECT_THROW((void)search.run(Label{7}, longer), Error);
}

TEST(ShortestPathSearch, RefusesWhatItCannotDo) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const GraphLayout layout{.neighbours = NeighbourOrder::weights};
  const auto graph_of = [&](float weight, const GraphLayout& as) {
    const NamedEdges list{.name = "", .edges = test::path(200).edges, .weights = [&] {
                            std::vector<float> weights(199, 1.0F);
                            weights[100] = weight;
                            return weights;
                          }()};
    return build_graph(test::part_of(list), {.layout = as}, context);
  };
  const auto search_of = [&](const Graph& graph, const SsspOptions& options) {
    (void)ShortestPathSearch(graph, options, context);
  };
  const auto complaint = [&](float weight, const GraphLayout& as) {
    try {
      search_of(graph_of(weight, as), {});
    } catch (const AgreedError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const HubChoice& hubs : {HubChoice{}, HubChoice{HubRule::degree, 1}}) {
    const GraphLayout as{.neighbours = NeighbourOrder::weights, .hubs = hubs};
    EXPECT_THAT(complaint(-1, as), testing::ContainsRegex("vertex 10[01] to 10[01] has weight -1;"));
    EXPECT_THAT(complaint(-1e-40F, as), testing::ContainsRegex("vertex 10[01] to 10[01] has weight -1e-40;"));
    EXPECT_THAT(complaint(std::nanf(""), as), testing::ContainsRegex("vertex 10[01] to 10[01] has weight nan;"));
    EXPECT_THAT(complaint(-std::nanf(""), as), testing::ContainsRegex("vertex 10[01] to 10[01] has weight -?nan;"));
    EXPECT_EQ(complaint(-0.0F, as), "");
  }
  EXPECT_THROW(search_of(graph_of(1, {}), {}), AgreedError);
  EXPECT_THROW((void)build_graph(test::part_of(test::path(9)), {.layout = layout}, context), AgreedError);
  const Graph good = graph_of(1, layout);
  EXPECT_THROW(search_of(good, {.delta = -1}), Error);
  EXPECT_THROW(search_of(good, {.delta = std::nan("")}), Error);
  EXPECT_THROW(search_of(good, {.ball_divisor = SsspOptions::ball_divisors.maximum + 1}), Error);
  EXPECT_THROW(search_of(good, {.bucket_batch = 0}), Error);
  EXPECT_THROW(search_of(good, {.bucket_batch = SsspOptions::bucket_batches.maximum + 1}), Error);
  EXPECT_THROW(search_of(good, {.small_batch = SsspOptions::small_batches.maximum + 1}), Error);
  EXPECT_THROW(search_of(good, {.replicate = Replication::shared_in}), Error);
  EXPECT_THROW(search_of(good, {.messages = {.coalescing = 0}}), Error);
  EXPECT_THROW(search_of(good, {.messages = {.packets = PacketFormat::pairs}}), Error);
  EXPECT_THROW(search_of(good, {.max_distance = -1}), Error);
  ShortestPathSearch search(good, {}, context);
  EXPECT_THROW((void)search.run(Label{200}), Error);
  EXPECT_THROW((void)search.run(Label{-1}), Error);
}

}  // namespace
}  // namespace breadth
