// Shortest paths on several ranks, each with its part on its device, compared bit by bit with Dijkstra's algorithm.
#include "traverse/devices/gpu_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/data/label_array.hpp"
#include "device_ways.hpp"
#include "generate/generators.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/part_search.hpp"
#include "gpu/ranks/device_part_paths.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "support/edge_lists.hpp"
#include "support/serial_searches.hpp"
#include "support/tree_checks.hpp"
#include "taken_memory.hpp"
#include "transports.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "validate/validate.hpp"
#include "weights.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::weighed;
using test::world;

class GpuRanksPathsTest : public test::DeviceTest {
 protected:
  [[nodiscard]] static Graph graph_of(const MemoryEdgeList& part, const HubChoice& hubs, const Context& context) {
    return build_graph(part, {.layout = {.neighbours = NeighbourOrder::weights, .hubs = hubs}}, context);
  }

  /// Searches from several sources with one search object, so that state left over would show.
  static void expect_paths(const NamedEdges& list, const HubChoice& hubs, SsspOptions options,
                           const std::vector<Label>& sources, int thread_count = 1) {
    options.device.kind = GetParam();
    SCOPED_TRACE(fmt::format("{}, hubs {} {}, delta {}, most {}, transport {}", list.name, static_cast<int>(hubs.rule),
                             hubs.degree, options.delta, options.max_distance, name_of(options.device.transport)));
    ThreadTeam threads(thread_count);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    const MemoryEdgeList whole{std::span(list.edges), std::span(list.weights)};
    const Graph graph = graph_of(part, hubs, context);
    const auto search = make_gpu_ranks_paths(graph, options, context);
    const BlockDistribution& distribution = graph.distribution();
    const std::size_t count = distribution.count(world().rank());
    ShortestPathTree tree{LabelArray(count, graph.vertex_count()), Buffer<float>(count)};
    for (const Label source : sources) {
      const SsspResult result = search->run(source, tree);
      const ShortestPathTree expected =
          test::serial_sssp(whole, Directedness::undirected, graph.vertex_count(), source, options.max_distance);
      std::uint64_t reached = 0;
      for (const float distance : expected.distances) reached += std::isinf(distance) ? 0U : 1U;
      EXPECT_EQ(result.reached, reached);
      for (std::size_t i = 0; i < count; ++i) {
        const Label label = distribution.label(world().rank(), i);
        EXPECT_EQ(tree.distances[i], expected.distances[static_cast<std::size_t>(label.value)])
            << "label " << label.value;
        if (testing::Test::HasFailure()) break;
      }
      if (test::failed_anywhere()) return;
      if (!std::isinf(options.max_distance)) continue;  // the tree then has edges that lead out of it
      const ValidationReport report = validate_sssp(
          part, Directedness::undirected, {source, tree.parents, tree.distances.span()}, distribution, context);
      EXPECT_TRUE(report.valid()) << report.text();
      if (test::failed_anywhere()) return;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuRanksPathsTest, test::every_device(), test::device_name);

TEST_P(GpuRanksPathsTest, DegenerateGraphs) {
  for (const NamedEdges& list : test::graphs_for_parts()) {
    const auto last = static_cast<std::int64_t>(test::label_count(list)) - 1;
    for (const HubChoice& hubs : {HubChoice{}, test::hubs_above(0), test::hubs_above(1), test::hubs_above(100),
                                  HubChoice{HubRule::automatic}}) {
      for (const int kind : {0, 1, 3}) {
        expect_paths(weighed(list, kind, 5), hubs, {}, {Label{0}, Label{last}, Label{last / 2}});
        if (test::failed_anywhere()) return;
      }
    }
  }
}

TEST_P(GpuRanksPathsTest, RandomGraphs) {
  const std::vector<DeviceTransport> transports = test::transports_of(GetParam());
  std::mt19937_64 random(8);  // the same on every rank
  for (int i = 0; i < 120 && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 2000);
    const std::size_t m = 1 + random() % 6000;
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    SsspOptions options;
    if (random() % 2 == 0) options.delta = std::pow(10.0, static_cast<double>(random() % 5) - 3);
    if (random() % 4 == 0) options.max_distance = static_cast<float>(random() % 100) / 50;
    options.device.transport = transports[random() % transports.size()];
    const HubChoice hubs = random() % 3 == 0 ? HubChoice{} : test::hubs_above(random() % 40);
    const auto any = [&] { return Label{static_cast<std::int64_t>(random() % test::label_count(list))}; };
    const std::vector<Label> sources{any(), any()};
    const int kind = static_cast<int>(random() % test::kinds_of_weights);
    const std::uint64_t seed = random();
    expect_paths(weighed(list, kind, seed), hubs, options, sources, 1 + static_cast<int>(random() % 2));
  }
}

TEST_P(GpuRanksPathsTest, LongWays) {
  for (const double delta : {0.0, 0.01, 3.0, 1e9}) {
    expect_paths(weighed(test::path(300), 0, 2), {}, {.delta = delta}, {Label{4}});
  }
}

/// Searches through the same interface as every other search, with the same distances.
TEST_P(GpuRanksPathsTest, KroneckerGraphs) {
  for (const int scale : {6, 11}) {
    const NamedEdges list = test::weighted_kronecker(scale);
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    for (const HubRule rule : {HubRule::none, HubRule::automatic, HubRule::pan}) {
      const Graph graph = graph_of(part, {rule}, context);
      ShortestPathSearch search(graph, {.device = {.kind = GetParam()}}, context);
      ShortestPathSearch on_processors(graph, {}, context);
      const Label source = list.edges[7].source;
      const SsspResult result = search.run(source);
      const SsspResult same = on_processors.run(source);
      EXPECT_EQ(result.reached, same.reached);
      for (std::size_t i = 0; i < result.tree.distances.size(); ++i) {
        EXPECT_EQ(result.tree.distances[i], same.tree.distances[i]) << i;
        if (testing::Test::HasFailure()) break;
      }
      ASSERT_TRUE(search.device().has_value());
      EXPECT_EQ(search.device()->copies, 1);
      if (test::failed_anywhere()) return;
    }
  }
}

/// All sent relaxations are counted, at one level or another.
TEST_P(GpuRanksPathsTest, CountsWhatRanksTell) {
  const NamedEdges list = weighed(test::skewed_edges(1 << 10, 1 << 12, 9), 0, 4);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = graph_of(test::part_of(list), {}, context);
  for (const double delta : {0.0, 0.01, 1e9}) {
    const auto search = make_gpu_ranks_paths(graph, {.device = {.kind = GetParam()}, .delta = delta}, context);
    const std::size_t count = graph.distribution().count(world().rank());
    ShortestPathTree tree{LabelArray(count, graph.vertex_count()), Buffer<float>(count)};
    const SsspResult result = search->run(list.edges[7].source, tree);
    std::uint64_t queries = 0;
    std::uint64_t claimed = 1;
    for (const LevelStatistics& level : result.levels) {
      EXPECT_LE(level.traffic.messages, level.traffic.queries);
      EXPECT_EQ(level.traffic.bytes, level.traffic.queries * sizeof(gpu::Relaxation));
      queries += level.traffic.queries;
      claimed += level.claimed;
    }
    EXPECT_GE(claimed, delta == 1e9 ? result.reached : 1);  // otherwise buckets begin with waiting vertices
    const std::uint64_t sent = search->communication().queries;
    EXPECT_EQ(world().all_reduce(sent, Reduction::sum), queries);
    EXPECT_EQ(queries > 0, world().size() > 1);
  }
}

/// A search takes exactly the memory that is planned for it.
TEST(GpuPartPaths, MemoryIsTakenAsPlanned) {
  for (const NamedEdges& list : {test::star(5000), test::skewed_edges(900, 4000, 2), test::path(330)}) {
    for (const HubChoice& hubs : {HubChoice{}, test::hubs_above(20)}) {
      ThreadTeam threads(1);
      const Context context{world(), threads};
      const NamedEdges weighted = weighed(list, 0, 1);
      const Graph graph = build_graph(test::part_of(weighted),
                                      {.layout = {.neighbours = NeighbourOrder::weights, .hubs = hubs}}, context);
      const GpuPart part(graph, PartEdges::with_lengths, threads);
      gpu::HostPart on_host = part.view(graph, 77);
      for (const DeviceTransport transport : {DeviceTransport::staged, DeviceTransport::direct}) {
        on_host.transport = transport;
        const std::uint64_t planned = gpu::plan_paths_memory(on_host).bytes();
        EXPECT_EQ(gpu::make_simulated_part_paths(on_host, threads)->device_bytes(), planned);
        EXPECT_EQ(test::bytes_taken([&](const gpu::SimulatedDevice& device) {
                    return gpu::make_part<gpu::PartPaths, gpu::DevicePartPaths>(device, on_host, threads);
                  }),
                  planned);
      }
    }
  }
}

}  // namespace
}  // namespace breadth
