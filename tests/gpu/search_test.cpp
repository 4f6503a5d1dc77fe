// Whole searches by the phases of the GPU, 32 lanes in lock step, compared with plain levels and validated.
#include "traverse/devices/gpu_search.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>

#include "core/errors.hpp"
#include "device_ways.hpp"
#include "generate/generators.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "interleaved_device.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"
#include "support/rounds.hpp"
#include "support/tree_checks.hpp"
#include "taken_memory.hpp"
#include "traverse/bfs.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

using test::grid;
using test::NamedEdges;
using test::Oracle;
using test::world;

constexpr DirectionPolicy every_direction[] = {DirectionPolicy::automatic, DirectionPolicy::push,
                                               DirectionPolicy::pull};

class GpuSearchTest : public test::DeviceWayTest {
 protected:
  static std::unique_ptr<gpu::Search> search_on_device(const gpu::HostGraph& graph, gpu::SearchSettings settings,
                                                       ThreadTeam& threads, std::uint64_t seed = 1) {
    settings.control = GetParam().control;
    if (GetParam().warps == test::Warps::interleaved) {
      return std::make_unique<gpu::DeviceSearch<gpu::InterleavedDevice>>(gpu::InterleavedDevice(seed), graph, settings,
                                                                         threads);
    }
    return GetParam().device == Device::gpu ? gpu::make_cuda_search(graph, settings, threads)
                                            : gpu::make_simulated_search(graph, settings, threads);
  }

  /// Searches from several sources with one search object, so that state left over would show.
  static void expect_searches(const NamedEdges& list, const BfsOptions& options, const gpu::SearchSettings& settings,
                              std::uint64_t seed, int searches = 3) {
    SCOPED_TRACE(list.name + ", direction " + std::to_string(static_cast<int>(options.direction.policy)));
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {}, context);
    const Oracle oracle(list, Directedness::undirected);
    const gpu::HostGraph on_host = host_graph(graph, options.leaves_last && options.max_depth == INT64_MAX);
    const auto search = make_gpu_search(graph, options, context, search_on_device(on_host, settings, threads, seed));
    LabelArray parents(graph.vertex_count(), graph.vertex_count());
    std::mt19937_64 random(seed);
    for (int i = 0; i < searches && !test::failed_anywhere(); ++i) {
      const Label source{static_cast<std::int64_t>(random() % oracle.size())};
      test::expect_tree(oracle, graph, search->run({.sources = std::span(&source, 1)}, parents), source, options);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuSearchTest, test::every_way(), test::way_name);
INSTANTIATE_TEST_SUITE_P(As, GpuSearchTest, test::interleaved_warps(), test::way_name);

/// Searches through the same interface as every other search.
class GpuBreadthFirstSearchTest : public test::DeviceWayTest {};

INSTANTIATE_TEST_SUITE_P(On, GpuBreadthFirstSearchTest, test::every_way(), test::way_name);

TEST_P(GpuSearchTest, DegenerateGraphs) {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::star(3000));     // has a row in pieces
  graphs.push_back(test::complete(150));  // rows for warps
  for (const NamedEdges& list : graphs) {
    for (const DirectionPolicy direction : every_direction) {
      for (const bool leaves_last : {false, true}) {
        for (const std::uint64_t many_edges : {std::uint64_t{0}, gpu::SearchSettings().many_edges}) {
          const gpu::SearchSettings settings{.many_edges = many_edges};
          expect_searches(list, {.direction = {direction}, .leaves_last = leaves_last}, settings, 3);
        }
      }
    }
  }
}

TEST_P(GpuSearchTest, RandomGraphs) {
  std::mt19937_64 random(6);
  for (int i = 0; i < test::random_graphs(GetParam(), 150) && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 3000);
    const std::size_t m = 1 + random() % 9000;
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    BfsOptions options;
    options.direction.policy = every_direction[random() % 3];
    options.direction.alpha = 1 + static_cast<double>(random() % 50);
    options.direction.beta = 1 + static_cast<double>(random() % 50);
    options.leaves_last = random() % 2 == 0;
    if (random() % 3 == 0) options.max_depth = static_cast<std::int64_t>(random() % 6);
    const gpu::SearchSettings settings{.record_levels = 1 + static_cast<std::uint32_t>(random() % 5),
                                       .small_edges = random() % 3 == 0 ? 0 : random() % 2000,
                                       .many_edges = random() % 2000};
    expect_searches(list, options, settings, random(), 2);
  }
}

TEST_P(GpuSearchTest, Grids) {
  for (const DirectionPolicy direction : every_direction)
    expect_searches(grid(40, 60), {.direction = {direction}}, {.record_levels = 16, .small_edges = 30}, 9, 2);
}

/// A path some of whose vertices are hubs with leaves, so that levels with many edges lie between levels with few.
NamedEdges path_with_stars() {
  NamedEdges list = test::path(60);
  list.name = "path with stars";
  std::int64_t next = 60;
  for (std::int64_t i = 0; i < 60; i += 5) {
    for (int leaf = 0; leaf < 20; ++leaf) list.edges.push_back(test::edge(i, next++));
  }
  return list;
}

/// One block runs several levels alone, while other blocks may still be in the last level that all of them ran.
TEST_P(GpuSearchTest, OneBlockRunsAheadOfTheOthers) {
  for (std::uint64_t seed = 0; seed < test::sized(test::rounds(10U, 300U), 4U) && !test::failed_anywhere(); ++seed) {
    expect_searches(path_with_stars(), {.direction = {DirectionPolicy::push}}, {.small_edges = 10}, seed, 1);
  }
}

/// One block stores the state of the search, while other blocks may still read the state from the beginning of the
/// launch.
TEST_P(GpuSearchTest, LaunchesGoOnWhereTheLastOneStopped) {
  for (std::uint64_t seed = 0; seed < test::sized(test::rounds(10U, 300U), 4U) && !test::failed_anywhere(); ++seed) {
    const gpu::SearchSettings settings{.record_levels = 1, .small_edges = 10};
    expect_searches(path_with_stars(), {.direction = {DirectionPolicy::push}}, settings, seed, 1);
  }
}

/// Validates the trees as the benchmark does.
TEST_P(GpuBreadthFirstSearchTest, KroneckerGraphs) {
  for (const int scale : {5, 9, 12, 14}) {
    const Kronecker kronecker({.scale = scale, .edgefactor = 16});
    NamedEdges list{.name = "Kronecker", .edges = {}, .weights = {}};
    list.edges.assign(kronecker.edge_count(), Edge{no_label, no_label});
    kronecker.generate(0, list.edges, {});
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    const Graph graph = build_graph(part, {}, context);
    for (const DirectionPolicy direction : every_direction) {
      BreadthFirstSearch search(
          graph, {.device = {.kind = GetParam().device, .control = GetParam().control}, .direction = {direction}},
          context);
      BreadthFirstSearch on_processors(graph, {.direction = {direction}}, context);
      for (const std::size_t tuple : {std::size_t{0}, list.edges.size() / 2}) {
        const Label source = list.edges[tuple].source;
        const BfsResult result = search.run(source);
        const ValidationReport report =
            validate_bfs(part, Directedness::undirected, {source, result.parents}, graph.distribution(), context);
        EXPECT_TRUE(report.valid()) << report.text();
        EXPECT_EQ(report.reached, result.reached);
        const BfsResult same = on_processors.run(source);
        EXPECT_EQ(result.reached, same.reached);
        EXPECT_EQ(result.leaves.claimed, same.leaves.claimed);
      }
    }
  }
}

TEST_P(GpuBreadthFirstSearchTest, PushesAndPullsTakeTurns) {
  const NamedEdges list = grid(40, 60);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {}, context);
  BreadthFirstSearch search(
      graph,
      {.device = {.kind = GetParam().device, .control = GetParam().control}, .direction = {.alpha = 100, .beta = 30}},
      context);
  const BfsResult result = search.run(Label{0});
  std::string directions;
  for (const LevelStatistics& level : result.levels) directions += level.direction == Direction::push ? '^' : 'v';
  EXPECT_NE(directions.find("^v"), std::string::npos) << directions;
  EXPECT_NE(directions.find("v^"), std::string::npos) << directions;
  ASSERT_TRUE(search.device().has_value());
  EXPECT_EQ(search.device()->name == "a simulated GPU", GetParam().device == Device::simulated);
  EXPECT_EQ(search.device()->copies, 1);
}

/// Levels do not depend on who controls the search, on where the record is full, or on which levels one block runs
/// alone.
TEST_P(GpuSearchTest, LevelsAreTheSameHoweverTheyAreLed) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  for (const NamedEdges& list : {grid(30, 50), test::skewed_edges(2000, 9000, 4)}) {
    const Graph graph = build_graph(test::part_of(list), {}, context);
    const gpu::HostGraph on_host = host_graph(graph, true);
    const gpu::SearchArguments arguments{.source = 3, .direction = {DirectionPolicy::automatic, 20, 64}};
    const auto plain = gpu::make_simulated_search(on_host, {.control = DeviceControl::host}, threads)->run(arguments);
    ASSERT_GT(plain.levels.size(), 3);
    for (const std::uint32_t record_levels : {1U, 3U, 1000U}) {
      for (const std::uint64_t small_edges : {0U, 1U, 200U, 1000000U}) {
        const auto record =
            search_on_device(on_host, {.record_levels = record_levels, .small_edges = small_edges}, threads)
                ->run(arguments);
        EXPECT_EQ(record.leaves_claimed, plain.leaves_claimed);
        ASSERT_EQ(record.levels.size(), plain.levels.size());
        for (std::size_t i = 0; i < record.levels.size(); ++i) {
          EXPECT_EQ(record.levels[i].direction, plain.levels[i].direction) << i;
          EXPECT_EQ(record.levels[i].frontier, plain.levels[i].frontier) << i;
          EXPECT_EQ(record.levels[i].edges_examined, plain.levels[i].edges_examined) << i;
          EXPECT_EQ(record.levels[i].claimed, plain.levels[i].claimed) << i;
        }
        const std::uint64_t launches = (plain.levels.size() + record_levels - 1) / record_levels;
        EXPECT_EQ(record.launches, GetParam().control == DeviceControl::persistent ? launches : 0);
      }
    }
  }
}

TEST_P(GpuSearchTest, EveryPartIsInTheSearchsTime) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  for (const NamedEdges& list : {path_with_stars(), test::skewed_edges(2000, 9000, 4)}) {
    const Graph graph = build_graph(test::part_of(list), {}, context);
    for (const bool leaves_last : {false, true}) {
      const gpu::HostGraph on_host = host_graph(graph, leaves_last);
      for (const std::uint32_t record_levels : {1U, 1000U}) {
        const gpu::SearchSettings settings{.record_levels = record_levels, .small_edges = 200};
        const auto search = search_on_device(on_host, settings, threads);
        for (const std::uint32_t source : {3U, 0U}) {
          const gpu::SearchArguments arguments{.source = source, .direction = {DirectionPolicy::automatic, 20, 64}};
          test::expect_parts_in_time(search->run(arguments), GetParam(), leaves_last);
        }
      }
    }
  }
}

/// A search takes exactly the memory that is planned for it.
TEST_P(GpuSearchTest, MemoryIsTakenAsPlanned) {
  for (const NamedEdges& list : {test::star(5000), test::skewed_edges(900, 4000, 2), test::path(33)}) {
    ThreadTeam threads(1);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {}, context);
    const gpu::HostGraph on_host = host_graph(graph, true);
    const auto search = search_on_device(on_host, {.record_levels = 70}, threads);
    const std::uint64_t planned = gpu::plan_memory(gpu::size_of(on_host), 70).bytes();
    EXPECT_EQ(search->device_bytes(), planned);
    EXPECT_EQ(test::bytes_taken([&](const gpu::SimulatedDevice& device) {
                return gpu::DeviceSearch<gpu::SimulatedDevice>(device, on_host, {.record_levels = 70}, threads);
              }),
              planned);
  }
}

TEST_P(GpuBreadthFirstSearchTest, GraphsThatItCannotSearchAreRefused) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const auto search = [&](const GraphOptions& options) {
    const NamedEdges list = test::path(9);
    const Graph graph = build_graph(test::part_of(list), options, context);
    BreadthFirstSearch(graph, {.device = {.kind = GetParam().device}}, context);
  };
  EXPECT_NO_THROW(search({}));
  EXPECT_THROW(search({.directedness = Directedness::directed}), Error);
  EXPECT_THROW(search({.neighbour_width = NeighbourWidth::bits64}), Error);
  EXPECT_THROW(search({.layout = {.adjacency = AdjacencyForm::compressed}}), Error);
  EXPECT_THROW(search({.layout = {.order = VertexOrder::label}}), Error);
}

}  // namespace
}  // namespace breadth
