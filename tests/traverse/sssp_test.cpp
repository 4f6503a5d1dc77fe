// Shortest paths against Dijkstra's algorithm on the edge list: distances to the bit, parents by what they must be.
#include "traverse/sssp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "generate/kronecker.hpp"
#include "support/edge_lists.hpp"
#include "support/ranks.hpp"
#include "support/routes.hpp"
#include "traverse/serial_sssp.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Variant {
  Directedness directedness = Directedness::undirected;
  NeighbourWidth width = NeighbourWidth::automatic;
  VertexOrder order = VertexOrder::degree;
  std::size_t columns = 2;
  SsspOptions options = {};
  int threads = 1;
  bool evenly = true;

  [[nodiscard]] std::string text() const {
    return fmt::format(
        "{}, {}-bit, {} order, {} columns, delta {}, sweeps {}, ball {}, hubs first {}, coalescing {}, exchange {}, "
        "{}, "
        "max distance {}, {} threads",
        directedness == Directedness::directed ? "directed" : "undirected",
        width == NeighbourWidth::bits64 ? "64" : "auto", order == VertexOrder::degree ? "degree" : "label", columns,
        options.delta, options.sweeps, options.ball, options.hubs_first, options.coalescing,
        static_cast<int>(options.exchange), test::text_of(options.route), options.max_distance, threads);
  }
};

/// What a search must find, from the edge list.
class SsspOracle {
 public:
  SsspOracle(const NamedEdges& list, Directedness directedness) : list_(list), directedness_(directedness) {
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const auto [source, target] = list.edges[i];
      size_ = std::max({size_, source.index() + 1, target.index() + 1});
      add(source, target, list.weights[i]);
      if (directedness == Directedness::undirected) add(target, source, list.weights[i]);
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ShortestPathTree tree(Label source, float max_distance) const {
    return serial_sssp(MemoryEdgeList(list_.edges, list_.weights), directedness_, size_, source, max_distance);
  }
  /// Of the lightest edge; +infinity without an edge.
  [[nodiscard]] float weight(Label source, Label target) const {
    const auto found = lightest_.find({source.value, target.value});
    return found == lightest_.end() ? infinity : found->second;
  }

 private:
  void add(Label source, Label target, float weight) {
    const auto [place, inserted] = lightest_.try_emplace({source.value, target.value}, weight);
    if (!inserted) place->second = std::min(place->second, weight);
  }
  const NamedEdges& list_;
  Directedness directedness_;
  std::size_t size_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, float> lightest_;
};

/// Every rank's parents, by label.
std::vector<std::int64_t> all_parents(const LabelArray& parents) {
  std::vector<std::int64_t> mine(parents.size());
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = parents[i].value;
  return world().all_gather_varying(std::span<const std::int64_t>(mine));
}

/// Every chain of parents ends at the source.
void expect_no_cycle(const std::vector<std::int64_t>& parents, Label source) {
  enum class Mark : char { unknown, on_the_way, ends_at_source };
  std::vector<Mark> marks(parents.size(), Mark::unknown);
  marks[source.index()] = Mark::ends_at_source;
  std::vector<std::size_t> chain;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] < 0) continue;
    chain.clear();
    std::size_t vertex = i;
    for (; marks[vertex] == Mark::unknown; vertex = static_cast<std::size_t>(parents[vertex])) {
      marks[vertex] = Mark::on_the_way;
      chain.push_back(vertex);
      ASSERT_GE(parents[vertex], 0) << "vertex " << vertex << " is a parent and has none";
    }
    ASSERT_NE(marks[vertex], Mark::on_the_way) << "the parents of vertex " << i << " go in a circle";
    for (const std::size_t member : chain) marks[member] = Mark::ends_at_source;
  }
}

void expect_tree(const SsspOracle& oracle, const Graph& graph, const SsspResult& result, Label source,
                 const SsspOptions& options) {
  const ShortestPathTree expected = oracle.tree(source, options.max_distance);
  const int rank = world().rank();
  const ShortestPathTree& tree = result.tree;
  ASSERT_EQ(tree.parents.size(), graph.distribution().count(rank));
  ASSERT_EQ(tree.distances.size(), graph.distribution().count(rank));
  for (std::size_t i = 0; i < tree.parents.size(); ++i) {
    const Label label = graph.distribution().label(rank, i);
    ASSERT_EQ(tree.distances[i], expected.distances[label.index()])
        << "vertex " << label.value << " from " << source.value;
    const Label parent = tree.parents[i];
    if (label == source) {
      ASSERT_EQ(parent, source);
    } else if (std::isinf(tree.distances[i])) {
      ASSERT_EQ(parent, no_label);
    } else {
      ASSERT_TRUE(parent.value >= 0 && parent.index() < oracle.size()) << "vertex " << label.value;
      ASSERT_EQ(expected.distances[parent.index()] + oracle.weight(parent, label), tree.distances[i])
          << parent.value << " -> " << label.value << " from " << source.value;
    }
  }
  expect_no_cycle(all_parents(tree.parents), source);
  const auto reached = static_cast<std::uint64_t>(std::count_if(expected.distances.begin(), expected.distances.end(),
                                                                [](float distance) { return !std::isinf(distance); }));
  EXPECT_EQ(result.reached, reached);
}

/// Searches from several sources in one ShortestPathSearch, so that anything left over from a run would show.
void expect_searches(const NamedEdges& list, const Variant& setup, std::uint64_t seed, int searches = 3) {
  SCOPED_TRACE(list.name + ": " + setup.text());
  ThreadTeam threads(setup.threads);
  const Context context{world(), threads};
  const GraphLayout layout{.order = setup.order, .neighbours = NeighbourOrder::weights, .columns = setup.columns};
  const Graph graph =
      build_graph(test::part_of(list, setup.evenly, seed), {setup.directedness, setup.width, layout}, context);
  const SsspOracle oracle(list, setup.directedness);
  ASSERT_EQ(oracle.size(), graph.vertex_count());
  ShortestPathSearch search(graph, setup.options, context);
  std::mt19937_64 random(seed);
  for (int i = 0; i < searches && !test::failed_anywhere(); ++i) {
    const Label source{static_cast<std::int64_t>(random() % oracle.size())};
    expect_tree(oracle, graph, search.run(source), source, setup.options);
  }
}

/// Ways to weigh edges, by name.
struct Weights {
  const char* name;
  std::function<float(std::mt19937_64&)> draw;
};
float even_draw(std::mt19937_64& random) { return std::uniform_real_distribution<float>(0, 1)(random); }

const std::vector<Weights>& every_kind_of_weights() {
  static const std::vector<Weights> kinds{
      {"even", even_draw},
      {"zero", [](auto&) { return 0.0F; }},
      {"equal", [](auto&) { return 0.1F; }},
      {"zero or one", [](auto& random) { return static_cast<float>(random() % 2); }},
      {"integer", [](auto& random) { return static_cast<float>(1 + random() % 255); }},
      {"from 1e-20 to 1e20", [](auto& random) { return std::pow(10.0F, 40 * even_draw(random) - 20); }},
      {"vanishing", [](auto& random) { return random() % 3 == 0 ? 1.0F : 1e-9F; }},
      {"even or zero", [](auto& random) { return random() % 2 == 0 ? 0.0F : even_draw(random); }},
      {"negative zero", [](auto& random) { return random() % 2 == 0 ? -0.0F : 1.0F; }},
      {"subnormal", [](auto& random) { return std::ldexp(even_draw(random), -130); }},
      {"that overflow", [](auto& random) { return random() % 4 == 0 ? 2e38F : 1e38F; }},
      {"infinite or one", [](auto& random) { return random() % 2 == 0 ? infinity : 1.0F; }}};
  return kinds;
}

NamedEdges weighed(NamedEdges list, const Weights& weights, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  list.name += fmt::format(", weights {}", weights.name);
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(weights.draw(random));
  return list;
}

NamedEdges grid(std::int64_t rows, std::int64_t columns) {
  NamedEdges list{.name = fmt::format("grid of {} by {}", rows, columns)};
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    if ((i + 1) % columns != 0) list.edges.push_back(test::edge(i, i + 1));
    if (i + columns < rows * columns) list.edges.push_back(test::edge(i + columns, i));
  }
  return list;
}

NamedEdges kronecker(int scale) {
  const Kronecker generator({.scale = scale});
  NamedEdges list{.name = fmt::format("Kronecker of scale {}", scale)};
  list.edges.resize(generator.edge_count(), Edge{no_label, no_label});
  list.weights.resize(generator.edge_count());
  generator.generate(0, list.edges, list.weights);
  return list;
}

TEST(ShortestPathSearch, DegenerateGraphsWithEveryKindOfWeights) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    for (const Weights& weights : every_kind_of_weights()) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        const bool wide = directedness == Directedness::directed;
        expect_searches(weighed(list, weights, 3),
                        {.directedness = directedness,
                         .width = wide ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                         .options = {.coalescing = 3},
                         .threads = wide ? 1 : 2},
                        3);
      }
    }
  }
}

TEST(ShortestPathSearch, RandomGraphsOnRandomOptions) {
  std::mt19937_64 random(20);
  const auto& kinds = every_kind_of_weights();
  const int rounds = world().size() == 1 ? 1200 : 120;
  for (int i = 0; i < rounds && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 400);
    const std::size_t m = 1 + random() % (random() % 2 == 0 ? 300 : 3000);
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    Variant setup;
    setup.directedness = random() % 3 == 0 ? Directedness::directed : Directedness::undirected;
    setup.width = random() % 3 == 0 ? NeighbourWidth::bits64 : NeighbourWidth::automatic;
    setup.order = random() % 3 == 0 ? VertexOrder::label : VertexOrder::degree;
    setup.columns = random() % (most_columns + 1);
    if (random() % 2 == 0) setup.options.delta = std::pow(10.0, static_cast<double>(random() % 7) - 4);
    setup.options.coalescing = 1 + random() % 40;
    setup.options.sweeps = random() % 8 != 0;
    setup.options.ball = random() % 3 == 0 ? 0 : std::uint64_t{1} << random() % 12;
    setup.options.hubs_first = random() % 2 == 0;
    setup.options.exchange = random() % 4 == 0 ? ExchangePolicy::bulk : ExchangePolicy::asynchronous;
    setup.options.route = test::random_route(random);
    if (random() % 4 == 0) setup.options.max_distance = even_draw(random);
    constexpr int thread_counts[] = {1, 2, 5};
    setup.threads = thread_counts[random() % std::size(thread_counts)];
    setup.evenly = random() % 2 == 0;
    expect_searches(weighed(list, kinds[random() % kinds.size()], random()), setup, random());
  }
}

TEST(ShortestPathSearch, LargerGraphsWhereThreadsAndRanksMeet) {
  for (const int threads : {1, 2, 5}) {
    expect_searches(kronecker(12), {.threads = threads}, 5, 2);
    expect_searches(weighed(grid(70, 90), every_kind_of_weights()[0], 6), {.threads = threads}, 6, 2);
    for (const Weights& weights : every_kind_of_weights()) {
      if (world().size() > 1 && threads != 2) continue;
      const NamedEdges list = weighed(test::skewed_edges(1 << 11, 1 << 15, 9), weights, 4);
      expect_searches(list, {.threads = threads}, 4, 2);
      expect_searches(list, {.directedness = Directedness::directed, .threads = threads}, 4, 2);
    }
  }
}

/// Rows so long that all threads relax them together, one at the end of another.
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

/// Far more buckets than are open at a time, and so narrow that none holds two vertices.
TEST(ShortestPathSearch, ManyBuckets) {
  const NamedEdges road = weighed(test::path(3000), every_kind_of_weights()[4], 1);
  const NamedEdges streets = weighed(grid(60, 50), every_kind_of_weights()[0], 1);
  for (const double delta : {1e-300, 1e-3, 0.5, 1e300}) {
    for (const NamedEdges& list : {road, streets}) {
      expect_searches(list, {.options = {.delta = delta}, .threads = 2}, 3, 1);
    }
  }
}

/// Buckets so full that threads offer each other what they have.
TEST(ShortestPathSearch, FullBuckets) {
  for (const int threads : {1, 2, 5}) {
    for (const Weights& weights : every_kind_of_weights()) {
      if (world().size() > 1 && threads != 2) continue;
      const NamedEdges list = weighed(test::random_edges(3000, 30000, 5), weights, 4);
      expect_searches(list, {.threads = threads}, 4, 2);
      expect_searches(list, {.directedness = Directedness::directed, .columns = 0, .threads = threads}, 4, 2);
    }
  }
  const NamedEdges list = weighed(test::random_edges(3000, 30000, 5), every_kind_of_weights()[0], 4);
  expect_searches(list, {.options = {.max_distance = 0.4F}, .threads = 2}, 4, 2);
}

/// Many vertices on more ranks than know all labels of all: sweeps find parents that they have to ask for.
TEST(ShortestPathSearch, ParentsWithUnknownLabels) {
  const NamedEdges list = weighed(test::skewed_edges(1 << 15, 1 << 16, 3), every_kind_of_weights()[0], 3);
  expect_searches(list, {.columns = 0}, 3, 2);
}

/// Nothing of the source's row is pushed along before other ranks pull from the source.
TEST(ShortestPathSearch, SourcesThatAreTheWholeBall) {
  for (const Weights& weights : every_kind_of_weights()) {
    const NamedEdges list = weighed(test::skewed_edges(211, 1173, 8), weights, 5);
    expect_searches(list,
                    {.directedness = Directedness::directed,
                     .columns = 0,
                     .options = {.ball = 0, .hubs_first = false},
                     .threads = 2},
                    5, 6);
  }
}

TEST(ShortestPathSearch, FarthestDistance) {
  const NamedEdges list = weighed(grid(20, 20), every_kind_of_weights()[0], 1);
  for (const float most : {0.0F, 0.3F, 1.0F, 3.0F}) {
    expect_searches(list, {.options = {.max_distance = most}, .threads = 2}, 2, 2);
  }
  // As far as the limit counts as reached.
  const NamedEdges road{.name = "road", .edges = test::path(10).edges, .weights = std::vector<float>(9, 1.0F)};
  expect_searches(road, {.options = {.max_distance = 4.0F}}, 2, 4);
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
  EXPECT_THROW(search_of(graph_of(-1, layout), {}), AgreedError);
  EXPECT_THROW(search_of(graph_of(std::nanf(""), layout), {}), AgreedError);
  EXPECT_THROW(search_of(graph_of(1, {}), {}), AgreedError);
  EXPECT_THROW((void)build_graph(test::part_of(test::path(9)), {.layout = layout}, context), AgreedError);
  const Graph good = graph_of(1, layout);
  EXPECT_THROW(search_of(good, {.delta = -1}), Error);
  EXPECT_THROW(search_of(good, {.delta = std::nan("")}), Error);
  EXPECT_THROW(search_of(good, {.ball = most_sssp_ball + 1}), Error);
  EXPECT_THROW(search_of(good, {.coalescing = 0}), Error);
  EXPECT_THROW(search_of(good, {.max_distance = -1}), Error);
  ShortestPathSearch search(good, {}, context);
  EXPECT_THROW((void)search.run(Label{200}), Error);
  EXPECT_THROW((void)search.run(Label{-1}), Error);
}

}  // namespace
}  // namespace breadth
