// Components on any number of ranks, compared with labels that decrease until nothing changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "support/edge_lists.hpp"
#include "traverse/components.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

std::vector<NamedEdges> graphs_with_components() {
  std::vector<NamedEdges> graphs = test::degenerate_graphs();
  graphs.push_back(test::path(700));
  graphs.push_back(test::grid(20, 30));
  for (std::uint64_t seed = 0; seed < 6; ++seed) graphs.push_back(test::skewed_edges(300, 60 + 120 * seed, seed));
  for (std::uint64_t seed = 0; seed < 6; ++seed) graphs.push_back(test::random_edges(600, 150 + 150 * seed, seed));
  // Two interleaved paths. On several ranks each path crosses all ranks again and again.
  NamedEdges strided{.name = "strided paths", .edges = {}, .weights = {}};
  for (std::int64_t label = 0; label + 67 < 1300; label += 2) strided.edges.push_back(test::edge(label, label + 66));
  for (std::int64_t label = 1; label + 67 < 1300; label += 2) strided.edges.push_back(test::edge(label + 66, label));
  graphs.push_back(std::move(strided));
  return graphs;
}

/// The component of each label, numbered in the order of their first labels; -1 for a label that is no vertex. Every
/// label gets the smallest label that an edge joins it with, until nothing changes.
std::pair<std::vector<std::int64_t>, std::uint64_t> plain_components(const NamedEdges& list, std::size_t labels,
                                                                     const std::vector<bool>& is_vertex) {
  std::vector<std::int64_t> least(labels);
  std::iota(least.begin(), least.end(), 0);
  for (bool changed = true; std::exchange(changed, false);) {
    for (const auto& [source, target] : list.edges) {
      const std::int64_t lower = std::min(least[source.index()], least[target.index()]);
      changed = changed || least[source.index()] != lower || least[target.index()] != lower;
      least[source.index()] = least[target.index()] = lower;
    }
  }
  std::vector<std::int64_t> numbers(labels, -1);
  std::int64_t count = 0;
  for (std::size_t label = 0; label < labels; ++label) {
    const auto first = static_cast<std::size_t>(least[label]);
    if (is_vertex[label]) numbers[label] = first == label ? count++ : numbers[first];
  }
  return {numbers, static_cast<std::uint64_t>(count)};
}

std::vector<GraphLayout> layouts_in_rows() {
  constexpr HubChoice hubs{.rule = HubRule::degree, .degree = 3};
  return {{},
          {.columns = 0},
          {.adjacency = AdjacencyForm::compressed},
          {.order = VertexOrder::label, .neighbours = NeighbourOrder::labels},
          {.hubs = hubs},
          {.adjacency = AdjacencyForm::compressed, .columns = 1, .hubs = hubs}};
}

void expect_components(const NamedEdges& list, const GraphOptions& options, const Context& context) {
  const Graph graph = build_graph(test::part_of(list), options, context);
  const auto labels = static_cast<std::size_t>(graph.vertex_count());
  const auto first = static_cast<std::size_t>(graph.distribution().first(world().rank()).value);
  const std::size_t count = graph.distribution().count(world().rank());
  for (const bool every_label : {true, false}) {
    std::vector<bool> is_vertex(labels, every_label);
    for (const auto& [source, target] : list.edges) is_vertex[source.index()] = is_vertex[target.index()] = true;
    Bitmap vertices(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (is_vertex[first + i]) vertices.insert(i);
    }
    const auto& [expected, expected_count] = plain_components(list, labels, is_vertex);
    std::vector<std::int64_t> found(count, -7);
    const std::uint64_t components = find_components(graph, found, context, every_label ? nullptr : &vertices);
    ASSERT_EQ(components, expected_count);
    const auto* const own = expected.data() + first;
    ASSERT_EQ(found, std::vector<std::int64_t>(own, own + count));
  }
}

TEST(Components, AreNumberedByTheirFirstLabels) {
  ThreadTeam one(1);
  ThreadTeam three(3);
  bool alone = false;
  for (const NamedEdges& list : graphs_with_components()) {
    SCOPED_TRACE(list.name);
    for (const GraphLayout& layout : layouts_in_rows()) {
      for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
        expect_components(list, {.directedness = directedness, .layout = layout, .min_vertex_count = 70},
                          {world(), alone ? one : three});
        if (HasFatalFailure()) return;
      }
      alone = !alone;
    }
    alone = !alone;
  }
}

TEST(Components, AreFoundInRowsByWeight) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  NamedEdges list = test::skewed_edges(400, 380, 5);
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(static_cast<float>(i % 7));
  for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
    expect_components(list, {.neighbour_width = width, .layout = {.neighbours = NeighbourOrder::weights}}, context);
  }
}

TEST(Components, NeedRows) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const Graph graph =
      build_graph(test::part_of(test::path(70)), {.layout = {.adjacency = AdjacencyForm::full_scan}}, context);
  std::vector<std::int64_t> found(graph.distribution().count(world().rank()));
  EXPECT_THROW(find_components(graph, found, context), Error);
}

}  // namespace
}  // namespace breadth
