// Shortest paths by the phases of the GPU, compared bit by bit with Dijkstra's algorithm, and validated.
#include "traverse/devices/gpu_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "device_ways.hpp"
#include "generate/generators.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "gpu/sssp/device_paths.hpp"
#include "gpu/sssp/path_phases.hpp"
#include "interleaved_device.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/rounds.hpp"
#include "support/serial_searches.hpp"
#include "support/tree_checks.hpp"
#include "taken_memory.hpp"
#include "validate/validate.hpp"
#include "weights.hpp"

namespace breadth {
namespace {

using test::kinds_of_weights;
using test::NamedEdges;
using test::weighed;
using test::world;

Graph graph_of(const MemoryEdgeList& part, const Context& context) {
  return build_graph(part, {.layout = {.neighbours = NeighbourOrder::weights}}, context);
}

class GpuPathsTest : public test::DeviceWayTest {
 protected:
  static std::unique_ptr<gpu::Paths> paths_on_device(const gpu::HostGraph& graph, gpu::SearchSettings settings,
                                                     ThreadTeam& threads, std::uint64_t seed = 1) {
    settings.control = GetParam().control;
    if (GetParam().warps == test::Warps::interleaved) {
      return std::make_unique<gpu::DevicePaths<gpu::InterleavedDevice>>(gpu::InterleavedDevice(seed), graph, settings,
                                                                        threads);
    }
    return GetParam().device == Device::gpu ? gpu::make_cuda_paths(graph, settings, threads)
                                            : gpu::make_simulated_paths(graph, settings, threads);
  }

  /// Searches from several sources with one search object, so that state left over would show. Returns whether any of
  /// the searches swept.
  static bool expect_paths(const NamedEdges& list, const SsspOptions& options, const gpu::SearchSettings& settings,
                           std::uint64_t seed, int searches = 2) {
    SCOPED_TRACE(list.name + ", delta " + std::to_string(options.delta));
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    const Graph graph = graph_of(part, context);
    const auto search =
        make_gpu_paths(graph, options, context, paths_on_device(weighted_host_graph(graph), settings, threads, seed));
    ShortestPathTree tree{LabelArray(graph.vertex_count(), graph.vertex_count()), Buffer<float>(graph.vertex_count())};
    std::mt19937_64 random(seed);
    bool swept = false;
    for (int i = 0; i < searches && !test::failed_anywhere(); ++i) {
      const Label source{static_cast<std::int64_t>(random() % graph.vertex_count())};
      const SsspResult result = search->run(source, tree);
      const ShortestPathTree expected =
          test::serial_sssp(part, Directedness::undirected, graph.vertex_count(), source, options.max_distance);
      std::uint64_t reached = 0;
      for (std::size_t label = 0; label < graph.vertex_count(); ++label) {
        EXPECT_EQ(tree.distances[label], expected.distances[label]) << "label " << label;
        if (testing::Test::HasFailure()) return swept;
        reached += std::isinf(expected.distances[label]) ? 0U : 1U;
      }
      EXPECT_EQ(result.reached, reached);
      swept = swept || std::any_of(result.levels.begin(), result.levels.end(),
                                   [](const LevelStatistics& level) { return level.direction == Direction::pull; });
      if (!std::isinf(options.max_distance)) continue;  // the tree then has edges that lead out of it
      const ValidationReport report = validate_sssp(
          part, Directedness::undirected, {source, tree.parents, tree.distances.span()}, graph.distribution(), context);
      EXPECT_TRUE(report.valid()) << report.text();
    }
    return swept;
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuPathsTest, test::every_way(), test::way_name);
INSTANTIATE_TEST_SUITE_P(As, GpuPathsTest, test::interleaved_warps(), test::way_name);

/// Searches through the same interface as every other search.
class GpuShortestPathSearchTest : public test::DeviceWayTest {};

INSTANTIATE_TEST_SUITE_P(On, GpuShortestPathSearchTest, test::every_way(), test::way_name);

TEST_P(GpuPathsTest, DegenerateGraphs) {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::star(3000));     // has a row in pieces
  graphs.push_back(test::complete(100));  // rows for warps
  for (const NamedEdges& list : graphs) {
    for (int kind = 0; kind < kinds_of_weights; ++kind) expect_paths(weighed(list, kind, 5), {}, {}, 3);
  }
}

TEST_P(GpuPathsTest, RandomGraphs) {
  std::mt19937_64 random(8);
  for (int i = 0; i < test::random_graphs(GetParam(), 120) && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 1500);
    const std::size_t m = 1 + random() % 5000;
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    SsspOptions options;
    if (random() % 2 == 0) options.delta = std::pow(10.0, static_cast<double>(random() % 5) - 3);
    if (random() % 4 == 0) options.max_distance = static_cast<float>(random() % 100) / 50;
    const gpu::SearchSettings settings{.record_levels = 1 + static_cast<std::uint32_t>(random() % 5),
                                       .small_edges = random() % 3 == 0 ? 0 : random() % 2000};
    expect_paths(weighed(list, static_cast<int>(random() % kinds_of_weights), random()), options, settings, random());
  }
}

/// One block runs several levels alone, while other blocks may still be in the last level that all of them ran.
TEST_P(GpuPathsTest, OneBlockRunsAheadOfTheOthers) {
  for (std::uint64_t seed = 0; seed < test::sized(test::rounds(10U, 300U), 4U) && !test::failed_anywhere(); ++seed) {
    const SsspOptions options{.delta = 0.1, .sweeps = seed % 2 == 0};
    expect_paths(weighed(test::skewed_edges(60, 150, seed), 0, seed), options, {.small_edges = 20}, seed, 1);
  }
}

/// One block stores the state of the search, while other blocks may still read the state from the beginning of the
/// launch.
TEST_P(GpuPathsTest, LaunchesGoOnWhereTheLastOneStopped) {
  for (std::uint64_t seed = 0; seed < test::sized(test::rounds(10U, 300U), 4U) && !test::failed_anywhere(); ++seed) {
    const gpu::SearchSettings settings{.record_levels = 1, .small_edges = 20};
    expect_paths(weighed(test::skewed_edges(60, 150, seed), 0, seed), {.delta = 0.1}, settings, seed, 1);
  }
}

/// A graph with hubs, vertices with one edge, and a long path that leads away from both.
NamedEdges hubs_and_ways() {
  constexpr int scale = 9;
  constexpr std::int64_t first = 1 << scale;
  NamedEdges list = test::kronecker_edges(Kronecker({.scale = scale, .edgefactor = 8}));
  for (std::int64_t i = 0; i < 60; ++i) {
    list.edges.push_back(test::edge(i == 0 ? list.edges.front().source.value : first + i - 1, first + i));
  }
  list.name += " with a long way";
  return list;
}

TEST_P(GpuPathsTest, SweepsWhereThereAreHubs) {
  int swept = 0;
  for (const NamedEdges& list : {hubs_and_ways(), test::star(900)}) {
    for (int kind = 0; kind < kinds_of_weights; ++kind) {
      for (const float most : {std::numeric_limits<float>::infinity(), 0.3F}) {
        const gpu::SearchSettings settings{.record_levels = kind % 2 == 0 ? 2U : 64U, .small_edges = 300};
        const SsspOptions options{.max_distance = most};
        swept += expect_paths(weighed(list, kind, 6), options, settings, 4, 3) ? 1 : 0;
        if (test::failed_anywhere()) return;
        SsspOptions in_buckets = options;
        in_buckets.sweeps = false;
        EXPECT_FALSE(expect_paths(weighed(list, kind, 6), in_buckets, settings, 4, 3));
      }
    }
  }
  EXPECT_GE(swept, kinds_of_weights);
}

TEST_P(GpuShortestPathSearchTest, SweepsExamineFewEdges) {
  const NamedEdges list = weighed(test::kronecker_edges(Kronecker({.scale = 14, .edgefactor = 16})), 0, 3);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = graph_of(test::part_of(list), context);
  std::uint64_t examined[2] = {};
  for (const bool sweeps : {false, true}) {
    const SsspOptions options{.device = {.kind = GetParam().device, .control = GetParam().control}, .sweeps = sweeps};
    ShortestPathSearch search(graph, options, context);
    for (const LevelStatistics& level : search.run(list.edges[3].source).levels) {
      examined[sweeps ? 1 : 0] += level.edges_examined;
    }
  }
  EXPECT_LT(2 * examined[1], examined[0]);
}

TEST(SweepSection, AllAreSweptTheMostConnectedFirst) {
  for (const std::uint32_t vertices : {0U, 1U, 63U, 64U, 1000U}) {
    std::uint32_t swept = 0;
    for (std::uint32_t done = 0; done < gpu::partial_sweeps; ++done) {
      const auto [begin, end] = gpu::sweep_section(done, vertices);
      EXPECT_LE(begin, swept) << "after " << done;
      EXPECT_LE(swept, end) << "after " << done;
      swept = end;
    }
    EXPECT_EQ(swept, vertices);
    const auto [begin, end] = gpu::sweep_section(gpu::partial_sweeps, vertices);
    EXPECT_EQ(begin, 0U);
    EXPECT_EQ(end, vertices);
  }
}

TEST_P(GpuPathsTest, LongWays) {
  for (const double delta : {0.0, 0.01, 3.0, 1e9}) {
    expect_paths(weighed(test::path(700), 0, 2), {.delta = delta}, {.record_levels = 16, .small_edges = 30}, 4, 1);
  }
}

TEST_P(GpuShortestPathSearchTest, KroneckerGraphs) {
  for (const int scale : {6, 11}) {
    const NamedEdges list = test::weighted_kronecker(scale);
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    const Graph graph = graph_of(part, context);
    const SsspOptions options{.device = {.kind = GetParam().device, .control = GetParam().control}};
    ShortestPathSearch search(graph, options, context);
    ShortestPathSearch on_processors(graph, {}, context);
    const Label source = list.edges[7].source;
    const SsspResult result = search.run(source);
    const SsspResult same = on_processors.run(source);
    EXPECT_EQ(result.reached, same.reached);
    for (std::size_t i = 0; i < result.tree.distances.size(); ++i) {
      ASSERT_EQ(result.tree.distances[i], same.tree.distances[i]) << i;
    }
    ASSERT_TRUE(search.device().has_value());
    EXPECT_FALSE(on_processors.device().has_value());
    EXPECT_GT(search.device()->bytes, 8 * list.edges.size() / 2);
  }
}

TEST_P(GpuPathsTest, EveryPartIsInTheSearchsTime) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = graph_of(test::part_of(weighed(hubs_and_ways(), 0, 6)), context);
  const gpu::HostGraph on_host = weighted_host_graph(graph);
  for (const std::uint64_t pushed_before_sweeps : {gpu::PathArguments::no_sweeps, std::uint64_t{100}}) {
    const gpu::PathArguments arguments{.source = 3,
                                       .delta = 0.1F,
                                       .max_distance = std::numeric_limits<float>::infinity(),
                                       .pushed_before_sweeps = pushed_before_sweeps,
                                       .delta_before_sweeps = 0.05F};
    for (const std::uint32_t record_levels : {1U, 1000U}) {
      const auto paths = paths_on_device(on_host, {.record_levels = record_levels, .small_edges = 200}, threads);
      const bool sweeps = pushed_before_sweeps != gpu::PathArguments::no_sweeps;
      test::expect_parts_in_time(paths->run(arguments), GetParam(), sweeps);
    }
  }
}

/// A search takes exactly the memory that is planned for it.
TEST_P(GpuPathsTest, MemoryIsTakenAsPlanned) {
  for (const NamedEdges& list : {test::star(5000), test::skewed_edges(900, 4000, 2), test::path(33)}) {
    ThreadTeam threads(1);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(weighed(list, 0, 1));
    const Graph graph = graph_of(part, context);
    const gpu::HostGraph on_host = weighted_host_graph(graph);
    const auto paths = paths_on_device(on_host, {.record_levels = 70}, threads);
    const std::uint64_t planned = gpu::plan_paths_memory(gpu::size_of(on_host), 70).bytes();
    EXPECT_EQ(paths->device_bytes(), planned);
    EXPECT_EQ(test::bytes_taken([&](const gpu::SimulatedDevice& device) {
                return gpu::DevicePaths<gpu::SimulatedDevice>(device, on_host, {.record_levels = 70}, threads);
              }),
              planned);
  }
}

}  // namespace
}  // namespace breadth
