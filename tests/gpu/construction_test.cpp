// Kernel 1 on a device, compared array by array with the processors' kernel 1, and searches of the resulting graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "device_ways.hpp"
#include "generate/generators.hpp"
#include "gpu/build/device_edges.hpp"
#include "gpu/edges.hpp"
#include "gpu/graph_tables.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "graph/build/direct_rows.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

template <class T>
std::vector<T> values_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// The arrays that a device search needs, computed from the graph that processors build on one rank.
gpu::GraphCopy expected_graph(const DirectRows& direct, bool leaves_last, ThreadTeam& threads) {
  const auto vertices = direct.order.offset_of_local.size();
  const auto first = [&](std::size_t edges) {
    return first_with_at_most(edges, {0, vertices}, [&](LocalVertex vertex) { return direct.rows.degree(vertex); });
  };
  const ConnectedLabels connected(direct.order.local_of_offset.span(), threads);
  const gpu::HostGraph on_host{.offsets = direct.rows.offsets.span(),
                               .neighbours = direct.rows.neighbours.span(),
                               .labels = direct.order.offset_of_local.span(),
                               .connected = connected.words(),
                               .vertices = connected.locals(0, connected.words().size()),
                               .label_count = static_cast<std::uint32_t>(direct.order.local_of_offset.size()),
                               .bounds = gpu::row_bounds(first, vertices, leaves_last)};
  const gpu::GraphTables tables = gpu::make_tables(on_host, threads);
  return {.offsets = values_of(on_host.offsets),
          .neighbours = values_of(on_host.neighbours),
          .first_neighbours = values_of<std::uint32_t>(tables.first_neighbours.span()),
          .word_degrees = values_of<std::uint32_t>(tables.word_degrees.span()),
          .first_pieces = tables.pieces.first,
          .piece_rows = tables.pieces.rows,
          .labels = values_of(on_host.labels),
          .connected = values_of<std::uint32_t>(tables.connected.span()),
          .before = values_of<std::uint32_t>(tables.before.span()),
          .vertices = values_of(on_host.vertices),
          .bounds = on_host.bounds};
}

/// Builds the graph on the processors.
DirectRows build_on_processors(const EdgeList& edges, ThreadTeam& threads) {
  const Context context{world(), threads};
  return build_directly(edges, VertexOrder::degree, {discover_vertex_count(edges, context), 1}, context);
}

void expect_same(const gpu::GraphCopy& found, const gpu::GraphCopy& expected) {
  EXPECT_EQ(found.offsets, expected.offsets);
  EXPECT_EQ(found.neighbours, expected.neighbours);
  EXPECT_EQ(found.first_neighbours, expected.first_neighbours);
  EXPECT_EQ(found.word_degrees, expected.word_degrees);
  EXPECT_EQ(found.first_pieces, expected.first_pieces);
  EXPECT_EQ(found.piece_rows, expected.piece_rows);
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.connected, expected.connected);
  EXPECT_EQ(found.before, expected.before);
  EXPECT_EQ(found.vertices, expected.vertices);
  const auto bounds = [](const gpu::RowBounds& b) {
    return std::vector{b.long_rows, b.push_warps, b.push_groups, b.pull_warps, b.first_leaf, b.searched, b.vertices};
  };
  EXPECT_EQ(bounds(found.bounds), bounds(expected.bounds));
}

class GpuConstructionTest : public test::DeviceTest {
 protected:
  /// Checks that the device builds the same graph, whole and in slabs of `slab_entries`, from blocks of `held` tuples.
  static void expect_graph(const NamedEdges& list, const gpu::BuildSettings& settings, std::uint64_t held) {
    SCOPED_TRACE(list.name + ", slabs of " + std::to_string(settings.slab_entries) + ", blocks of " +
                 std::to_string(held));
    ThreadTeam threads(2);
    const MemoryEdgeList part = test::part_of(list);
    const DirectRows expected = build_on_processors(part, threads);
    const auto edges = test::edges_on(GetParam(), {.list = &part, .held = held}, threads);
    const auto built = edges->build(settings);
    expect_same(built->copy(), expected_graph(expected, settings.leaves_last, threads));
    EXPECT_EQ(built->size().labels, expected.order.local_of_offset.size());
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuConstructionTest, test::every_device(), test::device_name);

TEST_P(GpuConstructionTest, DegenerateGraphs) {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::star(3000));  // has a row in pieces
  graphs.push_back(test::complete(150));
  for (const NamedEdges& list : graphs) {
    expect_graph(list, {}, ~std::uint64_t{0});
    expect_graph(list, {.leaves_last = false, .slab_entries = 3500}, 100);
  }
}

TEST_P(GpuConstructionTest, RandomGraphs) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 4000);
    const std::size_t m = 1 + random() % 9000;
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    std::vector<std::uint64_t> ends(static_cast<std::size_t>(n));
    for (const Edge& edge : list.edges) {
      if (edge.source == edge.target) continue;
      ++ends[edge.source.index()];
      ++ends[edge.target.index()];
    }
    const std::uint64_t longest = std::max<std::uint64_t>(1, *std::max_element(ends.begin(), ends.end()));
    gpu::BuildSettings settings{.leaves_last = random() % 2 == 0};
    if (random() % 3 != 0) settings.slab_entries = longest + random() % (2 * m);
    expect_graph(list, settings, random() % 2 == 0 ? ~std::uint64_t{0} : 1 + random() % m);
  }
}

/// Builds a graph from tuples that the device generates, and searches it there.
TEST_P(GpuConstructionTest, KroneckerGraphsAreBuiltAndSearched) {
  ThreadTeam threads(2);
  for (const int scale : {4, 8, 12}) {
    const Kronecker kronecker({.scale = scale, .edgefactor = 16});
    NamedEdges list{.name = "Kronecker", .edges = {}, .weights = {}};
    list.edges.assign(kronecker.edge_count(), Edge{no_label, no_label});
    kronecker.generate(0, list.edges, {});
    const DirectRows expected = build_on_processors(test::part_of(list), threads);
    const auto edges = test::edges_on(GetParam(), {.kronecker = &kronecker}, threads);
    const auto built = edges->build({});
    expect_same(built->copy(), expected_graph(expected, true, threads));
    EXPECT_EQ(built->record().slabs, 1);

    const test::Oracle oracle(list, Directedness::undirected);
    const auto search = built->search({});
    const std::size_t labels = expected.order.local_of_offset.size();
    for (std::uint32_t label = 0; label < labels; label += 7) {
      EXPECT_EQ(search->vertex_of(label), expected.order.local_of_offset[label]);
    }
    const Label source = list.edges.front().source;
    (void)search->run({.source = search->vertex_of(static_cast<std::uint32_t>(source.value))});
    std::vector<std::uint32_t> parents(labels);
    search->copy_parents(parents);
    const std::vector<std::int64_t> levels = oracle.levels(source, INT64_MAX);
    for (std::size_t v = 0; v < parents.size(); ++v) {
      ASSERT_EQ(parents[v] == ~std::uint32_t{0}, levels[v] < 0) << v;
      if (levels[v] <= 0) continue;
      ASSERT_EQ(levels[parents[v]] + 1, levels[v]) << v;
    }
  }
}

TEST_P(GpuConstructionTest, WhatCannotBeBuiltIsRefused) {
  ThreadTeam threads(1);
  const MemoryEdgeList none(std::vector<Edge>{});
  EXPECT_THROW((void)test::edges_on(GetParam(), {.list = &none}, threads)->build({}), Error);
  const NamedEdges star = test::star(100);
  const MemoryEdgeList list(star.edges);
  EXPECT_THROW((void)test::edges_on(GetParam(), {.list = &list}, threads)->build({.slab_entries = 98}), OutOfMemory);
}

/// The planned memory is enough, with slabs as small as necessary. With half of it, construction fails before rows are
/// made.
TEST(GpuConstruction, WhatIsPlannedIsEnough) {
  ThreadTeam threads(1);
  for (const NamedEdges& list : {test::skewed_edges(30000, 200000, 5), test::random_edges(90000, 100000, 6)}) {
    const MemoryEdgeList on_host(list.edges);
    std::uint64_t ends = 0;
    std::int64_t labels = 0;
    for (const Edge& edge : list.edges) {
      ends += edge.source != edge.target ? 2U : 0U;
      labels = std::max({labels, edge.source.value + 1, edge.target.value + 1});
    }
    const std::uint64_t planned =
        gpu::edge_bytes(list.edges.size(), false) + gpu::construction_bytes(static_cast<std::uint64_t>(labels), ends);
    EXPECT_NO_THROW((void)gpu::make_simulated_edges({.list = &on_host}, threads, planned)->build({})) << list.name;
    EXPECT_THROW((void)gpu::make_simulated_edges({.list = &on_host}, threads, planned / 2)->build({}), OutOfMemory);
  }
}

/// Before kernel 1 is timed, it reserves no more than the free memory, and where there is enough, all that it needs.
TEST(GpuConstruction, WhatIsReservedIsEnough) {
  ThreadTeam threads(1);
  const NamedEdges list = test::skewed_edges(30000, 200000, 5);
  const MemoryEdgeList on_host(list.edges);
  const auto labels = static_cast<std::uint64_t>(test::label_count(list));
  const auto memory = std::make_shared<gpu::SimulatedMemory>(std::uint64_t{1} << 30);
  gpu::DeviceEdges<gpu::SimulatedDevice, gpu::SimulatedAlgorithms> edges(gpu::SimulatedDevice(memory),
                                                                         {.list = &on_host}, threads);
  const std::uint64_t reserved = edges.reserve(labels);
  EXPECT_EQ(memory->max_taken(), edges.bytes());
  const auto built = edges.build({});
  const auto search = built->search({});
  EXPECT_EQ(built->record().slabs, 1U);
  EXPECT_LE(memory->max_taken() - edges.bytes(), reserved);

  const std::uint64_t little = edges.bytes() + (std::uint64_t{1} << 26);
  const std::uint64_t rest = gpu::make_simulated_edges({.list = &on_host}, threads, little)->reserve(1U << 30U);
  EXPECT_GT(rest, 0U);
  EXPECT_LT(rest, std::uint64_t{1} << 26);
}

/// Less memory makes slabs smaller. With too little memory to move the rows, the space of duplicates stays behind them.
/// The graph is the same.
TEST(GpuConstruction, RowsStayWhereThereIsNoRoomToMoveThem) {
  ThreadTeam threads(1);
  const NamedEdges list = test::random_edges(3000, 20000, 3);
  const MemoryEdgeList on_host(list.edges);
  const std::uint64_t planned =
      gpu::edge_bytes(list.edges.size(), false) + gpu::construction_bytes(3000, 2 * list.edges.size());
  const auto roomy = gpu::make_simulated_edges({.list = &on_host}, threads, 2 * planned)->build({});
  bool stayed = false;
  for (std::uint64_t memory = planned; !stayed; memory -= 40000) {
    const auto built = gpu::make_simulated_edges({.list = &on_host}, threads, memory)->build({});
    expect_same(built->copy(), roomy->copy());
    EXPECT_EQ(built->size().entries, roomy->size().entries);
    stayed = built->bytes() > roomy->bytes();
  }
}

}  // namespace
}  // namespace breadth
