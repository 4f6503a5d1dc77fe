// Shortest paths with 64-bit distances compared with Dijkstra's algorithm on the tuples.
#include "traverse/wide_paths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "generate/generators.hpp"
#include "graph/graph_contents.hpp"
#include "graph/wide_weights.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"
#include "support/routes.hpp"
#include "support/wide_oracle.hpp"

namespace breadth {
namespace {

using test::chains_end_at;
using test::draws_of;
using test::even_double;
using test::NamedEdges;
using test::WideDraw;
using test::WideOracle;
using test::world;

/// Tests of what only a single rank does.
class WidePathsOnOneRank : public testing::Test {
 protected:
  void SetUp() override {
    if (world().size() > 1) GTEST_SKIP() << "one rank only";
  }
};

/// The values of all labels. Every rank gets all of them.
template <class Value>
std::vector<Value> of_all_ranks(const Buffer<Value>& own) {
  return world().all_gather_varying(std::span<const Value>(own.span()));
}

template <class Weight, class Distance>
void expect_paths(const WideOracle<Weight, Distance>& oracle, const WidePaths<Distance>& found, std::size_t source,
                  Distance most) {
  const std::vector<Distance> expected = oracle.distances(source, most);
  const std::vector<Distance> distances = of_all_ranks(found.distances);
  const std::vector<std::int64_t> parents = of_all_ranks(found.parents);
  ASSERT_EQ(distances, expected) << "from " << source;
  for (std::size_t label = 0; label < expected.size(); ++label) {
    const std::int64_t parent = parents[label];
    if (label == source) {
      ASSERT_EQ(parent, static_cast<std::int64_t>(source));
    } else if (expected[label] == wide_unreached<Distance>) {
      ASSERT_EQ(parent, -1);
    } else {
      const auto before = static_cast<std::size_t>(parent);
      ASSERT_LT(before, expected.size());
      ASSERT_EQ(expected[before] + static_cast<Distance>(oracle.weight(before, label)), expected[label]);
    }
  }
  ASSERT_TRUE(chains_end_at(parents, source));
  const auto unreached = std::count(expected.begin(), expected.end(), wide_unreached<Distance>);
  ASSERT_EQ(found.reached, expected.size() - static_cast<std::size_t>(unreached));
}

/// A graph and the weights beside its rows.
template <class Weight>
struct WideGraph {
  Graph graph;
  WideWeights<Weight> weights;

  WideGraph(const NamedEdges& list, const std::vector<Weight>& weights_of_list, const GraphOptions& options,
            const Context& context)
      : graph(build_graph(test::part_of(list), options, context)) {
    const std::size_t own_first = test::own_part(list).begin;
    const auto read = [&](std::uint64_t first, std::span<Weight> some) {
      std::copy_n(weights_of_list.begin() + static_cast<std::ptrdiff_t>(own_first + first), some.size(), some.begin());
    };
    weights = weights_beside_rows<Weight>(graph, test::part_of(list), read, context);
  }
};

template <class Weight>
std::vector<Weight> drawn(const NamedEdges& list, const WideDraw<Weight>& draw, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Weight> weights(list.edges.size());
  for (Weight& weight : weights) weight = draw.draw(random);
  return weights;
}

struct WideVariant {
  GraphOptions graph = {};
  double delta = 0;
  bool sweeps = true;
  bool fuse = true;
  std::size_t bucket_batch = 8;
  std::uint64_t small_batch = 512;
  int threads = 1;
  bool limited = false;
  std::size_t coalescing = 256;
  ExchangePolicy exchange = ExchangePolicy::asynchronous;
  RouteOptions route = {};
};

/// Searches from several sources with one search object, so that state left over from a run would show.
template <class Weight>
void expect_wide_searches(const NamedEdges& list, const WideDraw<Weight>& draw, const WideVariant& variant,
                          std::uint64_t seed) {
  SCOPED_TRACE(fmt::format(
      "{}, weights {}, {}, delta {}, sweeps {}, fuse {}, bucket batch {}, small batch {}, {} threads, coalescing {}, "
      "exchange {}, route {}, {} ranks a node",
      list.name, draw.name, variant.graph.directedness == Directedness::directed ? "directed" : "undirected",
      variant.delta, variant.sweeps, variant.fuse, variant.bucket_batch, variant.small_batch, variant.threads,
      variant.coalescing, name_of(variant.exchange), name_of(variant.route.policy), variant.route.ranks_per_node));
  ThreadTeam threads(variant.threads);
  const Context context{world(), threads};
  const std::vector<Weight> weights = drawn(list, draw, seed);
  const WideOracle<Weight, Weight> oracle(list, weights, variant.graph.directedness);
  const WideGraph<Weight> graph(list, weights, variant.graph, context);
  std::mt19937_64 random(seed);
  const auto random_source = [&] { return static_cast<std::size_t>(random() % oracle.size()); };
  Weight most = wide_unreached<Weight>;
  if (variant.limited) {  // exactly at the distance of some vertex
    const Weight one = oracle.distances(random_source(), most)[random_source()];
    if (one != wide_unreached<Weight>) most = one;
  }
  WidePathSearch<Weight, Weight> search(
      graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest,
      {.engine = {.delta = variant.delta,
                  .sweeps = variant.sweeps,
                  .fuse = variant.fuse,
                  .bucket_batch = variant.bucket_batch,
                  .small_batch = variant.small_batch,
                  .messages = {.coalescing = variant.coalescing, .exchange = variant.exchange, .route = variant.route}},
       .max_distance = most},
      context);
  for (int i = 0; i < 3 && !testing::Test::HasFatalFailure(); ++i) {
    const std::size_t source = random_source();
    const Label from{static_cast<std::int64_t>(source)};
    expect_paths(oracle, search.run(from), source, most);
    const std::vector<Weight> distances = oracle.distances(source, most);
    std::vector<Label> targets;
    Weight farthest = 0;
    for (std::uint64_t left = 1 + random() % 3; left > 0; --left) {
      const std::size_t target = random_source();
      targets.push_back(Label{static_cast<std::int64_t>(target)});
      farthest = std::max(farthest, distances[target]);
    }
    expect_paths(oracle, search.run_to(targets, from), source, std::min(farthest, most));
  }
}

template <class Weight>
void expect_on_every_draw(const NamedEdges& list, const WideVariant& variant, std::uint64_t seed) {
  for (const WideDraw<Weight>& draw : draws_of(Weight{})) expect_wide_searches(list, draw, variant, seed);
}

TEST(WidePaths, DegenerateGraphs) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const auto& [directedness, threads] :
         {std::pair(Directedness::undirected, 1), std::pair(Directedness::directed, 1),
          std::pair(Directedness::undirected, 3)}) {
      if (threads > 1 && world().size() > 1) continue;
      const NeighbourWidth width = threads == 1 ? NeighbourWidth::automatic : NeighbourWidth::bits64;
      const WideVariant variant{.graph = {directedness, width}, .small_batch = 3, .threads = threads};
      expect_on_every_draw<double>(list, variant, 3);
      expect_on_every_draw<std::int64_t>(list, variant, 4);
    }
  }
}

TEST(WidePaths, RandomGraphsOnRandomOptions) {
  std::mt19937_64 random(21);
  for (int i = 0; i < test::rounds(60, 600); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 400);
    const std::size_t m = 1 + random() % (random() % 2 == 0 ? 300 : 3000);
    const NamedEdges list = random() % 3 == 0   ? test::random_edges(n, m, random())
                            : random() % 2 == 0 ? test::skewed_edges(n, m, random())
                                                : test::with_hubs(n, m / 3, random());
    WideVariant variant;
    if (random() % 2 == 0) variant.graph.directedness = Directedness::directed;
    if (random() % 3 == 0) variant.graph.layout.order = VertexOrder::label;
    if (random() % 2 == 0) variant.delta = std::pow(10.0, static_cast<double>(random() % 20) - 4);
    variant.sweeps = random() % 4 != 0;
    variant.fuse = random() % 3 != 0;
    variant.bucket_batch = 1 + random() % 10;
    variant.small_batch = random() % 2 == 0 ? 0 : random() % 100;
    variant.threads = 1 + static_cast<int>(random() % 3);
    variant.limited = random() % 3 == 0;
    variant.coalescing = 1 + random() % 300;
    if (random() % 3 == 0) variant.exchange = ExchangePolicy::bulk;
    variant.route = test::random_route(random);
    variant.route.ranks_per_node = static_cast<int>(random() % 3);
    const auto reals = draws_of(double{});
    const auto integers = draws_of(std::int64_t{});
    expect_wide_searches(list, reals[random() % reals.size()], variant, random());
    expect_wide_searches(list, integers[random() % integers.size()], variant, random());
  }
}

/// Graphs with buckets of many vertices, and with rows long enough for all threads.
TEST(WidePaths, LargerGraphs) {
  const NamedEdges kronecker = test::kronecker_edges(Kronecker({.scale = test::sized(11, 9)}));
  const NamedEdges star = test::star(test::sized(20'000, 17'000));
  const NamedEdges hubs = test::with_hubs(4000, 9000, 3);
  const NamedEdges near = test::near_edges(6000, 9000, 3, 2);  // its vertices are divided into regions of threads
  const bool alone = world().size() == 1;
  for (const int threads : {1, 2, 3}) {
    if (threads == 3 && !alone) break;
    for (const std::uint64_t small_batch : {32U, 512U}) {
      if (small_batch == 32 && !alone) continue;  // it has no effect on several ranks
      const WideVariant variant{.small_batch = small_batch, .threads = threads};
      expect_wide_searches(kronecker, draws_of(double{})[0], variant, 5);
      expect_wide_searches(kronecker, draws_of(std::int64_t{})[4], variant, 6);
      expect_wide_searches(test::grid(60, 70), draws_of(double{})[0], variant, 7);
      expect_wide_searches(test::grid(60, 70), draws_of(std::int64_t{})[3], variant, 8);
      expect_wide_searches(star, draws_of(double{})[0], variant, 9);
    }
    if (threads > 1 && !alone) break;
    const GraphOptions in_regions{.layout = {.order = VertexOrder::label}};
    const WideVariant owned{.graph = in_regions, .small_batch = 0, .threads = threads, .limited = threads == 3};
    expect_on_every_draw<double>(near, owned, 12);
    expect_on_every_draw<std::int64_t>(near, owned, 13);
    expect_on_every_draw<double>(hubs, {.threads = threads}, 10);
    expect_on_every_draw<std::int64_t>(hubs, {.threads = threads}, 11);
  }
}

TEST_F(WidePathsOnOneRank, SweepsWhereThereAreHubs) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const NamedEdges list = test::kronecker_edges(Kronecker({.scale = 12}));
  const WideGraph<double> graph(list, drawn(list, draws_of(double{})[0], 1), {}, context);
  const auto examined = [&](const WidePathOptions<double>& options) {
    WidePathSearch<double, double> search(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest, options,
                                          context);
    const WidePaths<double> found = search.run(Label{5});
    std::uint64_t edges = 0;
    bool sweeps = false;
    for (const LevelStatistics& step : found.steps) {
      edges += step.edges_examined;
      sweeps = sweeps || step.direction == Direction::pull;
    }
    EXPECT_EQ(sweeps, options.engine.sweeps && options.engine.delta == 0);
    return edges;
  };
  EXPECT_LT(examined({}), examined({.engine = {.sweeps = false}}));
  examined({.engine = {.delta = 0.1}});
}

/// 32-bit weights in rows by weight. 32 bits would round the sums.
TEST(WidePaths, SumsOfFloatsAreDoubles) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  NamedEdges list = test::random_edges(500, 3000, 4);
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    list.weights.push_back(static_cast<float>(even_double(random)));
  }
  const Graph graph = build_graph(test::part_of(list), {.layout = {.neighbours = NeighbourOrder::weights}}, context);
  const WideOracle<float, double> oracle(list, list.weights, Directedness::undirected);
  visit_rows(graph, [&](const auto& adjacencies) {
    if constexpr (requires { adjacencies.push_rows().weights; }) {
      const std::span<const float> weights = adjacencies.push_rows().weights.span();
      WidePathSearch<float, double> search(graph, weights, nullptr, {}, context);
      expect_paths(oracle, search.run(Label{3}), 3, wide_unreached<double>);
    }
  });
}

/// On a path each vertex has only one possible distance, so nothing is relaxed twice.
TEST_F(WidePathsOnOneRank, StatisticsCountWhatWasDone) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(3000);
  const WideGraph<double> graph(list, std::vector<double>(list.edges.size(), 0.3), {}, context);
  WidePathSearch<double, double> search(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest, {},
                                        context);
  const WidePaths<double> found = search.run(Label{0});
  LevelStatistics sum;
  for (const LevelStatistics& step : found.steps) {
    sum.frontier += step.frontier;
    sum.edges_examined += step.edges_examined;
    sum.claimed += step.claimed;
  }
  EXPECT_GT(found.steps.size(), 1U);
  EXPECT_EQ(sum.frontier, 3000U);
  EXPECT_EQ(sum.edges_examined, 2 * list.edges.size());
  EXPECT_EQ(sum.claimed, 2999U);
}

/// All distances, or nothing if a distance overflows. The search object outlives the error, so that no MPI object is
/// freed while the error is handled.
template <class Search>
auto distances_if_they_fit(Search& search, Label source) {
  std::optional<decltype(of_all_ranks(search.run(source).distances))> distances;
  try {
    distances = of_all_ranks(search.run(source).distances);
  } catch (const DistanceOverflow&) {
    distances.reset();
  }
  return distances;
}

template <class Weight>
void expect_overflow(Weight large) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  // The path 0 - 1 - 2 - 3 with large weights, and a detour through 4.
  NamedEdges list = test::path(4);
  std::vector<Weight> weights(3, large);
  const auto search_from = [&](Label source, Weight most = wide_unreached<Weight>) {
    const WideGraph<Weight> graph(list, weights, {}, context);
    WidePathSearch<Weight, Weight> search(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest,
                                          {.max_distance = most}, context);
    return distances_if_they_fit(search, source);
  };
  constexpr Weight none = wide_unreached<Weight>;
  EXPECT_EQ(search_from(Label{0}), std::nullopt);
  EXPECT_EQ(search_from(Label{0}, large), (std::vector<Weight>{0, large, none, none}));
  list.edges.push_back(test::edge(0, 4));
  list.edges.push_back(test::edge(4, 2));
  list.edges.push_back(test::edge(4, 3));
  weights.insert(weights.end(), {1, 2, 3});
  EXPECT_EQ(search_from(Label{0}), (std::vector<Weight>{0, large, 3, 4, 1}));
}

TEST(WidePaths, ADistanceThatIsTooLargeIsAnErrorUnlessThereIsALimit) {
  expect_overflow<std::int64_t>((std::int64_t{1} << 62) + 1);
  expect_overflow<double>(1e308);
}

/// The distance of a vertex that a sweep cannot reach overflows.
TEST_F(WidePathsOnOneRank, ADistanceThatIsTooLargeForASweepIsAnErrorToo) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  constexpr std::int64_t large = (std::int64_t{1} << 62) + 1;
  NamedEdges list = test::star(3000);
  std::vector<std::int64_t> weights(list.edges.size(), 5);
  for (const std::int64_t end : {3000, 3001}) {  // a path from a ray, and a separate component
    list.edges.push_back(test::edge(end == 3000 ? 7 : 3002, end));
    weights.push_back(large);
  }
  const auto reached = [&] {
    const WideGraph<std::int64_t> graph(list, weights, {}, context);
    EXPECT_FALSE(graph.weights.lightest.empty());
    return WidePathSearch<std::int64_t, std::int64_t>(graph.graph, graph.weights.of_rows.span(),
                                                      &graph.weights.lightest, {}, context)
        .run(Label{1})
        .reached;
  };
  EXPECT_EQ(reached(), 3001U);
  list.edges.push_back(test::edge(3000, 3003));
  weights.push_back(large);
  EXPECT_THROW(reached(), DistanceOverflow);
}

TEST(WidePaths, TheLargestDistances) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const NamedEdges list = test::path(3);
  const WideGraph<std::int64_t> fits(list, {most - 11, 10}, {}, context);
  WidePathSearch<std::int64_t, std::int64_t> search(fits.graph, fits.weights.of_rows.span(), nullptr, {}, context);
  EXPECT_EQ(of_all_ranks(search.run(Label{0}).distances)[2], most - 1);
  EXPECT_EQ(of_all_ranks(search.run(Label{1}).distances)[0], most - 11);
  const WideGraph<std::int64_t> exceeds(list, {most - 10, 10}, {}, context);
  WidePathSearch<std::int64_t, std::int64_t> failing(exceeds.graph, exceeds.weights.of_rows.span(), nullptr, {},
                                                     context);
  EXPECT_THROW(failing.run(Label{0}), DistanceOverflow);
  EXPECT_EQ(of_all_ranks(failing.run(Label{1}).distances)[0], most - 10);
  // Also among many edges of a hub.
  const NamedEdges star = test::star(700);
  std::vector<std::int64_t> weights(star.edges.size(), most - 1);
  const WideGraph<std::int64_t> rays(star, weights, {}, context);
  const auto search_rays = [&](const WideGraph<std::int64_t>& graph) {
    WidePathSearch<std::int64_t, std::int64_t> from_hub(graph.graph, graph.weights.of_rows.span(),
                                                        &graph.weights.lightest, {}, context);
    return distances_if_they_fit(from_hub, Label{0});
  };
  EXPECT_EQ(search_rays(rays).value()[699], most - 1);
  weights[200] = most;
  EXPECT_EQ(search_rays(WideGraph<std::int64_t>(star, weights, {}, context)), std::nullopt);
}

TEST(WidePaths, ALimitOfZero) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(4);
  const WideGraph<double> graph(list, {0, -0.0, 1}, {}, context);
  for (const double limit : {0.0, -0.0}) {
    WidePathSearch<double, double> search(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest,
                                          {.max_distance = limit}, context);
    const WidePaths<double> found = search.run(Label{0});
    EXPECT_EQ(found.reached, 3U);
    for (const double distance : found.distances) EXPECT_FALSE(std::signbit(distance));
  }
}

TEST(WidePaths, Refusals) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(4);
  const WideGraph<double> graph(list, {1, 2, 3}, {}, context);
  using Search = WidePathSearch<double, double>;
  const std::span<const double> weights = graph.weights.of_rows.span();
  EXPECT_THROW(Search(graph.graph, {}, nullptr, {}, context), Error);
  EXPECT_THROW(Search(graph.graph, weights, nullptr, {.engine = {.delta = -1}}, context), Error);
  EXPECT_THROW(Search(graph.graph, weights, nullptr, {.engine = {.delta = std::nan("")}}, context), Error);
  EXPECT_THROW(Search(graph.graph, weights, nullptr, {.max_distance = -1}, context), Error);
  EXPECT_THROW(Search(graph.graph, weights, nullptr, {.max_distance = std::nan("")}, context), Error);
  Search search(graph.graph, weights, nullptr, {}, context);
  EXPECT_THROW(search.run(Label{4}), Error);
  const Graph compressed =
      build_graph(test::part_of(list), {.layout = {.adjacency = AdjacencyForm::compressed}}, context);
  EXPECT_THROW(Search(compressed, weights, nullptr, {}, context), Error);
}

TEST_F(WidePathsOnOneRank, ACheckpointStopsIt) {
  struct Stop {};
  for (const int size : {1, 3}) {
    ThreadTeam threads(size);
    const Context context{world(), threads};
    const NamedEdges list = test::path(2000);
    const WideGraph<double> graph(list, std::vector<double>(list.edges.size(), 0.7), {}, context);
    WidePathSearch<double, double> search(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest, {},
                                          context);
    int calls = 0;
    threads.set_checkpoint([&] {
      if (++calls == 1000) throw Stop{};
    });
    EXPECT_THROW(search.run(Label{0}), Stop);
    threads.set_checkpoint({});
    WidePathSearch<double, double> again(graph.graph, graph.weights.of_rows.span(), &graph.weights.lightest, {},
                                         context);
    EXPECT_EQ(again.run(Label{0}).reached, 2000U);
  }
}

}  // namespace
}  // namespace breadth
