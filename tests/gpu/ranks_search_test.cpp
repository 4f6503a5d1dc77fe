// Searches on several ranks with a device each, 32 lanes in lock step, compared with plain levels and with the edge
// list, and validated.
#include "traverse/devices/gpu_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "device_ways.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/ranks/device_part.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/kronecker_edges.hpp"
#include "support/oracle.hpp"
#include "support/plain_graph.hpp"
#include "support/tree_checks.hpp"
#include "taken_memory.hpp"
#include "transports.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::Oracle;
using test::world;

constexpr DirectionPolicy every_direction[] = {DirectionPolicy::automatic, DirectionPolicy::push,
                                               DirectionPolicy::pull};

class GpuRanksTest : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override { test::skip_without(GetParam()); }

  [[nodiscard]] static BfsOptions options(DirectionPolicy direction) {
    return {.device = {.kind = GetParam()}, .direction = {direction}, .leaves_last = false};
  }
  static void expect_searches(const NamedEdges& list, const HubChoice& hubs, const BfsOptions& options,
                              const std::vector<Label>& sources, int thread_count = 1) {
    SCOPED_TRACE(fmt::format("{}, hubs {} {}, direction {}, masks {}, depth {}, transport {}", list.name,
                             static_cast<int>(hubs.rule), hubs.degree, static_cast<int>(options.direction.policy),
                             static_cast<int>(options.hub_masks), options.max_depth,
                             name_of(options.device.transport)));
    ThreadTeam threads(thread_count);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {.layout = {.hubs = hubs}}, context);
    const Oracle oracle(list, Directedness::undirected);
    const auto search = make_gpu_ranks_search(graph, options, context);
    LabelArray parents(graph.distribution().count(world().rank()), graph.vertex_count());
    for (const Label source : sources) {
      test::expect_tree(oracle, graph, search->run({.sources = std::span(&source, 1)}, parents), source, options);
      if (test::failed_anywhere()) return;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuRanksTest, test::every_device(), test::device_name);

TEST_P(GpuRanksTest, DegenerateGraphs) {
  for (const NamedEdges& list : test::graphs_for_parts()) {
    const auto last = static_cast<std::int64_t>(test::label_count(list)) - 1;
    for (const HubChoice& hubs : {HubChoice{}, test::hubs_above(0), test::hubs_above(1), test::hubs_above(100),
                                  HubChoice{HubRule::automatic}}) {
      for (const DirectionPolicy direction : every_direction) {
        expect_searches(list, hubs, options(direction), {Label{0}, Label{last}, Label{last / 2}});
        if (test::failed_anywhere()) return;
      }
    }
  }
}

TEST_P(GpuRanksTest, RandomGraphs) {
  const std::vector<DeviceTransport> transports = test::transports_of(GetParam());
  std::mt19937_64 random(8);  // the same on every rank
  for (int i = 0; i < 60 && !test::failed_anywhere(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 3000);
    const std::size_t m = 1 + random() % 9000;
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    BfsOptions searched = options(every_direction[random() % 3]);
    searched.direction.alpha = 1 + static_cast<double>(random() % 50);
    searched.direction.beta = 1 + static_cast<double>(random() % 50);
    searched.hub_masks = static_cast<HubMaskPolicy>(random() % 4);
    searched.replication.ranks_per_node = static_cast<int>(random() % 3);
    if (random() % 3 == 0) searched.max_depth = static_cast<std::int64_t>(random() % 6);
    searched.device.transport = transports[random() % transports.size()];
    const HubChoice hubs = random() % 4 == 0 ? HubChoice{} : test::hubs_above(random() % 40);
    const auto any = [&] { return Label{static_cast<std::int64_t>(random() % test::label_count(list))}; };
    const std::vector<Label> sources{any(), any()};
    expect_searches(list, hubs, searched, sources, 1 + static_cast<int>(random() % 2));
  }
}

/// Searches through the same interface as every other search, with the validation of the benchmark.
TEST_P(GpuRanksTest, KroneckerGraphs) {
  for (const int scale : {5, 9, 12}) {
    const NamedEdges list = test::kronecker_edges(Kronecker({.scale = scale, .edgefactor = 16}));
    const Oracle oracle(list, Directedness::undirected);
    ThreadTeam threads(2);
    const Context context{world(), threads};
    const MemoryEdgeList part = test::part_of(list);
    for (const HubRule rule : {HubRule::none, HubRule::automatic, HubRule::pan}) {
      const Graph graph = build_graph(part, {.layout = {.hubs = {rule}}}, context);
      for (const DirectionPolicy direction : every_direction) {
        BfsOptions searched = options(direction);
        searched.leaves_last = world().size() == 1;
        searched.device.transport = test::transports_of(GetParam()).back();
        BreadthFirstSearch search(graph, searched, context);
        const Label source = list.edges[list.edges.size() / 2].source;
        const BfsResult result = search.run(source);
        const ValidationReport report =
            validate_bfs(part, Directedness::undirected, {source, result.parents}, graph.distribution(), context);
        EXPECT_TRUE(report.valid()) << report.text();
        test::expect_tree(oracle, graph, result, source, searched);
        ASSERT_TRUE(search.device().has_value());
        EXPECT_EQ(search.device()->copies, 1);
        if (test::failed_anywhere()) return;
      }
    }
  }
}

/// Each rank sends the owner of a ghost at most one query about it, and nothing is sent if there is nothing to report.
TEST_P(GpuRanksTest, TellsOwnersOfEachGhostOnce) {
  const NamedEdges list = test::skewed_edges(1 << 11, 1 << 13, 9);
  const Oracle oracle(list, Directedness::undirected);
  const test::PlainGraph plain = test::plain_graph(list, Directedness::undirected);
  for (const std::uint64_t degree : {0U, 6U, 40U, 100000U}) {
    ThreadTeam threads(1);
    const Context context{world(), threads};
    const Graph graph = build_graph(test::part_of(list), {.layout = {.hubs = test::hubs_above(degree)}}, context);
    const Label source = list.edges[7].source;
    const std::vector<std::int64_t> levels = oracle.levels(source, INT64_MAX);
    std::set<std::pair<int, std::int64_t>> ghosts;
    for (const auto& [label, row] : plain.out) {
      if (levels[static_cast<std::size_t>(label)] < 0 || row.size() > degree) continue;
      const int owner = graph.distribution().owner(Label{label});
      for (const auto& [neighbour, weight] : row) {
        if (plain.out.at(neighbour).size() > degree || graph.distribution().owner(Label{neighbour}) == owner) continue;
        ghosts.insert({owner, neighbour});
      }
    }
    for (const DirectionPolicy direction : every_direction) {
      LabelArray parents(graph.distribution().count(world().rank()), graph.vertex_count());
      const auto search = make_gpu_ranks_search(graph, options(direction), context);
      const BfsResult result = search->run({.sources = std::span(&source, 1)}, parents);
      std::uint64_t queries = 0;
      for (const LevelStatistics& level : result.levels) {
        queries += level.traffic.queries;
        EXPECT_LE(level.traffic.messages, level.traffic.queries);
        EXPECT_GE(level.traffic.bytes, level.traffic.queries * 8);
      }
      EXPECT_EQ(queries, ghosts.size()) << "hubs above " << degree;
      const std::uint64_t sent = search->communication().queries;
      EXPECT_EQ(world().all_reduce(sent, Reduction::sum), ghosts.size());
    }
  }
}

TEST_P(GpuRanksTest, PushesAndPullsTakeTurns) {
  const NamedEdges list = test::grid(40, 60);
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(list), {}, context);
  LabelArray parents(graph.distribution().count(world().rank()), graph.vertex_count());
  BfsOptions searched = options(DirectionPolicy::automatic);
  searched.direction.alpha = 100;
  searched.direction.beta = 30;
  const auto search = make_gpu_ranks_search(graph, searched, context);
  std::string directions;
  for (const LevelStatistics& level : search->run({.sources = std::array{Label{0}}}, parents).levels)
    directions += level.direction == Direction::push ? '^' : 'v';
  EXPECT_NE(directions.find("^v"), std::string::npos) << directions;
  EXPECT_NE(directions.find("v^"), std::string::npos) << directions;
}

/// A search takes exactly the memory that is planned for it.
TEST(GpuPart, MemoryIsTakenAsPlanned) {
  for (const NamedEdges& list : {test::star(5000), test::skewed_edges(900, 4000, 2), test::path(330)}) {
    for (const HubChoice& hubs : {HubChoice{}, test::hubs_above(20)}) {
      ThreadTeam threads(1);
      const Context context{world(), threads};
      const Graph graph = build_graph(test::part_of(list), {.layout = {.hubs = hubs}}, context);
      const GpuPart part(graph, PartEdges::alone, threads);
      gpu::HostPart on_host = part.view(graph, 77);
      const auto taken = [&] {
        return test::bytes_taken([&](const gpu::SimulatedDevice& device) {
          return gpu::make_part<gpu::PartSearch, gpu::DevicePartSearch>(device, on_host, threads);
        });
      };
      const std::uint64_t staged = gpu::plan_memory(on_host).bytes();
      EXPECT_EQ(gpu::make_simulated_part(on_host, threads)->device_bytes(), staged);
      EXPECT_EQ(taken(), staged);
      on_host.transport = DeviceTransport::direct;
      const std::uint64_t direct = gpu::plan_memory(on_host).bytes();
      EXPECT_EQ(gpu::make_simulated_part(on_host, threads)->device_bytes(), direct);
      EXPECT_EQ(taken(), direct);
      EXPECT_EQ(direct - staged, 8 * std::min<std::uint64_t>(on_host.ghost_vertices.size(), 77));
    }
  }
}

TEST(GpuPart, NumbersGhostsRankAfterRank) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const Graph graph = build_graph(test::part_of(test::skewed_edges(3000, 9000, 11)), {}, context);
  const GpuPart part(graph, PartEdges::alone, threads);
  const GlobalIdCode& code = graph.partition().code();
  std::set<std::uint64_t> met;
  for (const std::uint32_t global_id : gpu_rows(graph).neighbours.span()) {
    if (code.rank(global_id) == world().rank()) continue;
    const std::uint32_t number = part.ghosts().number(global_id);
    ASSERT_LT(number, part.ghosts().vertices().size());
    EXPECT_EQ(part.ghosts().vertices()[number], code.local(global_id).value);
    EXPECT_EQ(part.ghosts().owners()[number / 32], static_cast<std::uint32_t>(code.rank(global_id)));
    met.insert(global_id);
  }
  std::size_t counted = 0;
  for (const std::size_t count : part.ghosts().counts()) counted += count;
  EXPECT_EQ(counted, met.size());
}

TEST_P(GpuRanksTest, WhatTheyCannotSearchIsRefusedOnAll) {
  if (world().size() == 1) GTEST_SKIP() << "search_test.cpp tests one rank";
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const auto search = [&](const GraphOptions& graph_options, const BfsOptions& searched) {
    const Graph graph = build_graph(test::part_of(test::path(9)), graph_options, context);
    BreadthFirstSearch(graph, searched, context);
  };
  const BfsOptions plain{.device = {.kind = GetParam()}};
  EXPECT_NO_THROW(search({}, plain));
  EXPECT_NO_THROW(search({}, {.device = {.kind = GetParam(), .control = DeviceControl::host}}));
  EXPECT_THROW(search({}, {.device = {.kind = GetParam(), .control = DeviceControl::persistent}}), Error);
  EXPECT_THROW(search({.directedness = Directedness::directed}, plain), Error);
  EXPECT_THROW(search({.neighbour_width = NeighbourWidth::bits64}, plain), Error);
  EXPECT_THROW(search({.layout = {.adjacency = AdjacencyForm::compressed}}, plain), Error);
  EXPECT_THROW(search({.layout = {.order = VertexOrder::label}}, plain), Error);
  const BfsOptions direct{.device = {.kind = GetParam(), .transport = DeviceTransport::direct}};
  if (GetParam() == Device::simulated || MessagePassing::reads_device_memory()) {
    EXPECT_NO_THROW(search({}, direct));
  } else {
    EXPECT_THROW(search({}, direct), Error);
  }
}

}  // namespace
}  // namespace breadth
