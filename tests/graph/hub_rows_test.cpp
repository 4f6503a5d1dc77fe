// Graphs with hubs compared with sets of neighbours that are computed in the simplest way.
#include "graph/build/hub_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/plain_graph.hpp"
#include "support/shortest_paths.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::PlainGraph;
using test::PlainRows;
using test::world;

std::size_t plain_degree(const PlainRows& rows, std::int64_t label) {
  const auto row = rows.find(label);
  return row == rows.end() ? 0 : row->second.size();
}

std::vector<Edge> plain_edges(const PlainRows& rows) {
  std::vector<Edge> edges;
  for (const auto& [label, row] : rows) {
    for (const auto& [neighbour, weight] : row) edges.push_back(test::edge(label, neighbour));
  }
  return edges;
}

/// The edges of all rows on all ranks, sorted, as labels. A rank that has a hub as a neighbour uses its own replica of
/// the hub.
template <class Rows>
std::vector<Edge> edges_of_all_ranks(const Graph& graph, const Rows& rows) {
  const Partition& partition = graph.partition();
  const auto labels = test::labels_by_global_id(graph);
  std::vector<Edge> mine;
  for (std::uint32_t local = 0; local < partition.local_count(); ++local) {
    const LocalVertex vertex{local};
    std::uint64_t last_order = 0;
    rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& global_ids) {
      for (const std::uint64_t global_id : global_ids) {
        const bool to_hub = partition.hubs().contains(partition.code().local(global_id));
        EXPECT_TRUE(!to_hub || partition.code().rank(global_id) == world().rank());
        EXPECT_LE(last_order, partition.code().order(global_id));
        last_order = partition.code().order(global_id);
        mine.push_back(test::edge(partition.label(vertex).value, labels.at(global_id)));
      }
    });
  }
  std::vector<Edge> all = world().all_gather_varying(std::span<const Edge>(mine));
  std::sort(all.begin(), all.end());
  return all;
}

void expect_hubs(const Graph& graph, const PlainGraph& plain, std::uint64_t above) {
  const bool directed = graph.directedness() == Directedness::directed;
  std::vector<std::pair<std::int64_t, std::int64_t>> expected;  // by decreasing degree, then by label
  for (const std::int64_t label : plain.connected) {
    const std::size_t degree = plain_degree(plain.out, label) + (directed ? plain_degree(plain.in, label) : 0);
    if (world().size() > 1 && degree > above) expected.emplace_back(-static_cast<std::int64_t>(degree), label);
  }
  std::sort(expected.begin(), expected.end());
  const Hubs& hubs = graph.partition().hubs();
  ASSERT_EQ(hubs.count(), expected.size());
  for (std::uint32_t id = 0; id < hubs.count(); ++id) {
    EXPECT_EQ(hubs[LocalVertex{id}].label.value, expected[id].second);
    EXPECT_EQ(graph.partition().label(LocalVertex{id}).value, expected[id].second);
  }
  const BlockDistribution& labels = graph.distribution();
  for (std::size_t i = 0; i < labels.count(world().rank()); ++i) {
    const Label label = labels.label(world().rank(), i);
    const LocalVertex vertex = graph.partition().local(label);
    EXPECT_EQ(graph.degree(label), plain_degree(plain.out, label.value));
    EXPECT_EQ(vertex == no_local_vertex, plain.connected.count(label.value) == 0);
    if (vertex != no_local_vertex) {
      EXPECT_EQ(graph.partition().label(vertex), label);
    }
  }
}

void expect_subgraphs(const Graph& graph, const std::vector<Edge>& edges, const Context& context) {
  std::map<std::int64_t, std::uint32_t> hubs;  // the heaviest hub has the smallest number
  for (std::uint32_t id = 0; id < graph.partition().hubs().count(); ++id) {
    hubs[graph.partition().hubs()[LocalVertex{id}].label.value] = id;
  }
  Subgraphs expected;
  std::map<int, std::uint64_t> from_hubs;  // by rank
  for (const Edge& edge : edges) {
    const auto source = hubs.find(edge.source.value);
    const auto target = hubs.find(edge.target.value);
    const bool to_hub = target != hubs.end();
    if (source != hubs.end()) {
      ++(to_hub ? expected.hub_to_hub : expected.hub_to_light);
      const bool source_is_lighter = to_hub && source->second > target->second;
      ++from_hubs[graph.distribution().owner(source_is_lighter ? edge.source : edge.target)];
    } else {
      ++(to_hub ? expected.light_to_hub : expected.light_to_light);
    }
  }
  const Subgraphs counted = count_subgraphs(graph, context);
  EXPECT_EQ(counted.light_to_light, expected.light_to_light);
  EXPECT_EQ(counted.light_to_hub, expected.light_to_hub);
  EXPECT_EQ(counted.hub_to_light, expected.hub_to_light);
  EXPECT_EQ(counted.hub_to_hub, expected.hub_to_hub);
  for (const auto& [rank, count] : from_hubs) expected.most_from_hubs = std::max(expected.most_from_hubs, count);
  EXPECT_EQ(counted.most_from_hubs, expected.most_from_hubs);
}

void expect_graph_with_hubs(const NamedEdges& list, const GraphOptions& options, int thread_count) {
  const std::uint64_t above = options.layout.hubs.degree;
  SCOPED_TRACE(list.name + ", hubs above " + std::to_string(above) +
               (options.directedness == Directedness::directed ? ", directed" : ", undirected"));
  ThreadTeam threads(thread_count);
  const Graph graph = build_graph(test::part_of(list), options, {world(), threads});
  const PlainGraph plain = plain_graph(list, options.directedness);
  const bool directed = options.directedness == Directedness::directed;
  expect_hubs(graph, plain, above);
  EXPECT_FALSE(graph.weighted());
  EXPECT_EQ(graph.connected_vertices(), plain.connected.size());
  const std::vector<Edge> expected = plain_edges(plain.out);
  EXPECT_EQ(graph.edge_count(), directed ? expected.size() : expected.size() / 2);
  expect_subgraphs(graph, expected, {world(), threads});
  visit_rows(graph, [&](const auto& adjacencies) {
    EXPECT_EQ(edges_of_all_ranks(graph, adjacencies.push_rows()), expected);
    EXPECT_EQ(edges_of_all_ranks(graph, adjacencies.pull_rows()), directed ? plain_edges(plain.in) : expected);
  });
}

std::vector<NamedEdges> graphs() {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::random_edges(300, 2000, 2));
  graphs.push_back(test::skewed_edges(900, 6000, 3));
  graphs.back().weights.assign(graphs.back().edges.size(), 0.5F);
  return graphs;
}

TEST(HubRows, HaveEachEdgeOnceOnAllRanksTogether) {
  for (const NamedEdges& list : graphs()) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      for (const std::uint64_t above : {0U, 1U, 12U, 1000U}) {
        const bool odd = above % 3 == 0;
        expect_graph_with_hubs(list,
                               {.directedness = directedness,
                                .neighbour_width = odd ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                                .layout = {.adjacency = odd ? AdjacencyForm::compressed : AdjacencyForm::rows,
                                           .order = above == 12 ? VertexOrder::label : VertexOrder::degree,
                                           .hubs = {HubRule::degree, above}}},
                               odd ? 1 : 3);
      }
    }
  }
}

/// A directed edge and its weight.
struct WeightedEdge {
  std::int64_t source;
  std::int64_t target;
  float weight;
  auto operator<=>(const WeightedEdge&) const = default;
};

/// The edges of all rows on all ranks, sorted. Also checks that each row begins with its lightest edges.
std::vector<WeightedEdge> weighted_edges_of_all_ranks(const Graph& graph, const Adjacency<std::uint32_t>& rows) {
  const auto labels = test::labels_by_global_id(graph);
  std::vector<WeightedEdge> mine;
  for (std::uint32_t local = 0; local < graph.partition().local_count(); ++local) {
    const LocalVertex vertex{local};
    for (std::size_t i = rows.offsets[local]; i < rows.offsets[local + 1]; ++i) {
      if (i > rows.offsets[local]) {
        EXPECT_LE(rows.weights[i - 1], rows.weights[i]);
      }
      mine.push_back({graph.partition().label(vertex).value, labels.at(rows.neighbours[i]), rows.weights[i]});
    }
  }
  std::vector<WeightedEdge> all = world().all_gather_varying(std::span<const WeightedEdge>(mine));
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<WeightedEdge> plain_weighted_edges(const PlainRows& rows) {
  std::vector<WeightedEdge> edges;
  for (const auto& [label, row] : rows) {
    for (const auto& [neighbour, weight] : row) edges.push_back({label, neighbour, weight});
  }
  return edges;
}

/// Parallel edges have one row entry with the lightest weight, whichever ranks list them.
TEST(HubRows, ByWeightHaveTheLightestWeights) {
  for (const NamedEdges& unweighted : graphs()) {
    const NamedEdges list = test::with_coarse_weights(unweighted, 4);
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      for (const std::uint64_t above : {0U, 3U, 12U}) {
        SCOPED_TRACE(list.name + ", hubs above " + std::to_string(above));
        ThreadTeam threads(above == 3 ? 3 : 1);
        const GraphLayout layout{.neighbours = NeighbourOrder::weights, .hubs = {HubRule::degree, above}};
        const Graph graph =
            build_graph(test::part_of(list), {.directedness = directedness, .layout = layout}, {world(), threads});
        const PlainGraph plain = plain_graph(list, directedness);
        const auto& adjacencies = std::get<Adjacencies<std::uint32_t>>(graph.contents().adjacencies);
        EXPECT_TRUE(graph.weighted());
        EXPECT_EQ(weighted_edges_of_all_ranks(graph, adjacencies.push_rows()), plain_weighted_edges(plain.out));
        if (directedness == Directedness::undirected) continue;
        EXPECT_EQ(weighted_edges_of_all_ranks(graph, adjacencies.pull_rows()), plain_weighted_edges(plain.in));
      }
    }
  }
}

TEST(HubDegree, OfPanGrowsBySquareRootOfTwoAScale) {
  EXPECT_EQ(pan_hub_degree(std::uint64_t{1} << 30), 64);
  EXPECT_EQ(pan_hub_degree(std::uint64_t{1} << 32), 128);
  EXPECT_EQ(pan_hub_degree(std::uint64_t{1} << 26), 16);
  EXPECT_EQ(pan_hub_degree(1), 1);
}

/// The graph has 6400 vertices with edges; vertex i has 100000 / i of them.
TEST(HubDegree, IsTheLeastThatTheRuleAllows) {
  const CountAbove count_above = [](std::uint64_t degree) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 1; i <= 6400; ++i) count += 100000 / i > degree ? 1U : 0U;
    return count;
  };
  const std::uint64_t few = hub_degree({HubRule::automatic}, 10000, 2, count_above);
  EXPECT_EQ(count_above(few), 50) << "one in 128 of the vertices with edges";
  EXPECT_GT(count_above(few - 1), 50);
  const std::uint64_t many = hub_degree({HubRule::automatic, 0, 3}, 10000, 2, count_above);
  EXPECT_LE(count_above(many), 6400 / 3) << "one in 3 of the vertices with edges";
  EXPECT_GT(count_above(many - 1), 6400 / 3);
  for (const std::uint64_t vertices_per_hub : {128U, 3U}) {
    const HubChoice choice{HubRule::automatic, 0, vertices_per_hub};
    const std::uint64_t fewer = hub_degree(choice, 10000, 800, count_above);
    EXPECT_EQ(count_above(fewer), 41) << "fewer than the vertices of four ranks, with more than 2400 edges each";
    EXPECT_EQ(fewer, 2400);
    EXPECT_EQ(hub_degree(choice, 10000, 100000, count_above), 300000);
  }
  EXPECT_EQ(hub_degree({HubRule::pan}, std::uint64_t{1} << 30, 2, count_above), 64);
  EXPECT_EQ(count_above(hub_degree({HubRule::pan}, 10000, 40, count_above)), 1000) << "four times a rank's vertices";
  EXPECT_EQ(hub_degree({HubRule::degree, 7}, 10000, 2, count_above), 7);
  const CountAbove of_grid = [](std::uint64_t degree) { return degree < 4 ? 1000U : 0U; };
  EXPECT_EQ(of_grid(hub_degree({HubRule::automatic}, 1000, 2, of_grid)), 0) << "all vertices have the same degree";
  EXPECT_EQ(of_grid(hub_degree({HubRule::automatic, 0, 3}, 1000, 2, of_grid)), 0);
}

TEST(HubDegree, IsFoundInTheGraph) {
  if (world().size() == 1) GTEST_SKIP() << "one rank has no hubs";
  ThreadTeam threads(1);
  const NamedEdges list = test::skewed_edges(4000, 60000, 3);
  for (const std::uint64_t one_in : {128U, 3U}) {
    const GraphOptions options{.layout = {.hubs = {HubRule::automatic, 0, one_in}}};
    const Graph graph = build_graph(test::part_of(list), options, {world(), threads});
    const std::size_t hubs = graph.partition().hubs().count();
    EXPECT_GT(hubs, 0);
    EXPECT_LE(hubs, graph.connected_vertices() / one_in);
    EXPECT_GT(hubs, graph.connected_vertices() / one_in / 2);
  }
}

/// From nine ranks on, no rank knows all labels, but every rank knows those of hubs.
TEST(HubRows, NeighboursHaveTheirLabels) {
  ThreadTeam threads(2);
  const NamedEdges list = test::skewed_edges(world().size() * 4000, 100000, 5);
  const Graph graph = build_graph(test::part_of(list), {.layout = {.hubs = {HubRule::degree, 60}}}, {world(), threads});
  const auto labels = test::labels_by_global_id(graph);
  const GlobalIdCode& code = graph.partition().code();
  EXPECT_EQ(graph.contents().labels.complete(), world().size() < 9);
  visit_rows(graph, [&]<class Rows>(const Rows& adjacencies) {
    std::vector<typename Rows::Neighbour> global_ids;
    for (std::uint32_t local = 0; local < graph.partition().local_count(); ++local) {
      const LocalVertex vertex{local};
      adjacencies.push_rows().for_each_span(vertex, {0, adjacencies.push_rows().degree(vertex)}, [&](auto neighbours) {
        global_ids.insert(global_ids.end(), neighbours.begin(), neighbours.end());
      });
    }
    std::vector<typename Rows::Neighbour> found(global_ids.size());
    graph.contents().labels.look_up(std::span<const typename Rows::Neighbour>(global_ids), std::span(found),
                                    graph.partition(), {world(), threads});
    for (std::size_t i = 0; i < global_ids.size(); ++i) {
      ASSERT_EQ(static_cast<std::int64_t>(found[i]), labels.at(global_ids[i]));
      const bool hub = graph.partition().hubs().contains(code.local(global_ids[i]));
      EXPECT_TRUE(!hub || graph.contents().labels.contains(global_ids[i]));
    }
  });
}

TEST(HubRows, AreRefusedWhereNeighboursAreNotInTheOrderOfVertices) {
  ThreadTeam threads(1);
  for (const NeighbourOrder neighbours : {NeighbourOrder::labels, NeighbourOrder::weights}) {
    const GraphOptions options{.layout = {.neighbours = neighbours, .hubs = {HubRule::degree, 1}}};
    EXPECT_THROW((void)build_graph(test::part_of(test::star(9)), options, {world(), threads}), AgreedError);
  }
}

}  // namespace
}  // namespace breadth
