#include "generate/generators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "core/errors.hpp"

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

Edge edge(std::int64_t source, std::int64_t target) { return {Label{source}, Label{target}}; }

std::vector<Edge> part(const SyntheticGraph& graph, std::uint64_t first, std::uint64_t last) {
  const SyntheticEdgeList list(graph, first, last);
  EXPECT_FALSE(list.weighted());
  std::vector<Edge> edges(list.size(), edge(-1, -1));
  list.read(0, edges, {});
  return edges;
}

std::vector<Edge> all(const SyntheticGraph& graph) { return part(graph, 0, graph.edge_count); }

/// All pairs of points of a plane that are one step apart, found by trying all pairs.
std::vector<Edge> pairs_one_step_apart(std::int64_t rows, std::int64_t columns) {
  std::vector<Edge> edges;
  for (std::int64_t a = 0; a < rows * columns; ++a) {
    for (std::int64_t b = a + 1; b < rows * columns; ++b) {
      if (std::abs(a / columns - b / columns) + std::abs(a % columns - b % columns) == 1) edges.push_back(edge(a, b));
    }
  }
  return edges;
}

TEST(SyntheticGraph, GridsJoinNeighbours) {
  for (std::int64_t rows = 0; rows < 7; ++rows) {
    for (std::int64_t columns = 0; columns < 7; ++columns) {
      const SyntheticGraph graph = grid_graph(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns));
      EXPECT_EQ(graph.vertex_count, static_cast<std::uint64_t>(rows * columns));
      EXPECT_THAT(all(graph), UnorderedElementsAreArray(pairs_one_step_apart(rows, columns)));
    }
  }
}

/// Chi-squared over 100 labels: with 99 degrees of freedom it exceeds 180 once in a million tries.
TEST(SyntheticGraph, RandomEndsAreEvenAndIndependent) {
  constexpr std::size_t labels = 100;
  const std::vector<Edge> edges = all(uniform_random_graph(labels, 100000, 1));
  const auto chi_squared = [&](const auto& label_of) {
    std::vector<double> count(labels, 0);
    for (const Edge& e : edges) ++count[label_of(e)];
    const double expected = static_cast<double>(edges.size()) / labels;
    double sum = 0;
    for (const double c : count) sum += (c - expected) * (c - expected) / expected;
    return sum;
  };
  EXPECT_LT(chi_squared([](const Edge& e) { return e.source.index(); }), 180);
  EXPECT_LT(chi_squared([](const Edge& e) { return e.target.index(); }), 180);
  EXPECT_LT(chi_squared([](const Edge& e) { return (e.source.index() + e.target.index()) % labels; }), 180);
}

TEST(SyntheticGraph, RandomEdgesDependOnTheSeedAlone) {
  const std::uint64_t largest = std::uint64_t{1} << 48;
  EXPECT_EQ(all(uniform_random_graph(largest, 1000, 7)), all(uniform_random_graph(largest, 1000, 7)));
  std::set<Edge> edges;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const Edge& e : all(uniform_random_graph(largest, 1000, seed))) {
      EXPECT_LT(e.source.index(), largest);
      EXPECT_LT(e.target.index(), largest);
      edges.insert(e);
    }
  }
  EXPECT_EQ(edges.size(), 3000U) << "different seeds gave the same edges";
  for (const Edge& e : all(uniform_random_graph(1, 10, 3))) EXPECT_EQ(e, edge(0, 0));
}

TEST(SyntheticGraph, SmallWorldsAreRingsWithSomeEdgesElsewhere) {
  constexpr std::uint64_t vertices = 1000;
  constexpr std::uint64_t reach = 4;
  for (const std::uint64_t one_in : {1ULL, 10ULL, 1ULL << 40}) {
    const std::vector<Edge> edges = all(small_world_graph(vertices, reach, one_in, 5));
    ASSERT_EQ(edges.size(), vertices * reach);
    std::size_t elsewhere = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      EXPECT_EQ(edges[i].source.index(), i / reach);
      EXPECT_LT(edges[i].target.index(), vertices);
      if ((edges[i].target.index() + vertices - i / reach) % vertices != i % reach + 1) ++elsewhere;
    }
    const double expected = static_cast<double>(edges.size()) / static_cast<double>(one_in);
    EXPECT_NEAR(static_cast<double>(elsewhere), expected, 5 * std::sqrt(expected) + 10) << one_in;
  }
}

TEST(SyntheticGraph, TailsHangFromTheCore) {
  const SyntheticGraph graph = tailed_graph(50, 200, 7, 30, 2);
  EXPECT_EQ(graph.vertex_count, 50U + 7 * 30);
  const std::vector<Edge> edges = all(graph);
  EXPECT_EQ(std::vector<Edge>(edges.begin(), edges.begin() + 200), all(uniform_random_graph(50, 200, 2)));
  ASSERT_EQ(edges.size(), 200U + 7 * 30);
  for (std::size_t link = 0; link < 7 * 30; ++link) {
    const Edge& e = edges[200 + link];
    EXPECT_EQ(e.target.index(), 50 + link);
    if (link % 30 == 0) {
      EXPECT_LT(e.source.index(), 50U);
    } else {
      EXPECT_EQ(e.source.index() + 1, e.target.index());
    }
  }
  EXPECT_EQ(tailed_graph(3, 0, 0, 0, 1).edge_count, 0U);
}

TEST(SyntheticGraph, MixedLabelsAreTheSameGraph) {
  for (const std::uint64_t vertices : {0U, 1U, 2U, 3U, 64U, 100U, 1025U}) {
    const std::vector<Edge> plain = all(grid_graph(1, vertices));
    const std::vector<Edge> mixed = all(with_mixed_labels(grid_graph(1, vertices), 9));
    ASSERT_EQ(mixed.size(), plain.size());
    std::set<std::int64_t> labels;
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      if (i > 0) {
        EXPECT_EQ(mixed[i].source, mixed[i - 1].target) << "the edges no longer form a path";
      }
      labels.insert(mixed[i].source.value);
      labels.insert(mixed[i].target.value);
    }
    if (vertices > 1) {
      EXPECT_EQ(labels.size(), vertices);
      EXPECT_EQ(*labels.rbegin(), static_cast<std::int64_t>(vertices) - 1);
    }
    if (vertices > 60) {
      EXPECT_NE(mixed, plain);
    }
  }
}

TEST(SyntheticEdgeList, ReadsAnyPart) {
  const SyntheticGraph graph = grid_graph(5, 9);
  const std::vector<Edge> edges = all(graph);
  EXPECT_EQ(part(graph, 20, 61), std::vector<Edge>(edges.begin() + 20, edges.begin() + 61));
  EXPECT_TRUE(part(graph, 7, 7).empty());
  const SyntheticEdgeList list(graph, 20, 61);
  std::vector<Edge> two(2, edge(-1, -1));
  list.read(3, two, {});
  EXPECT_THAT(two, ElementsAre(edges[23], edges[24]));
}

TEST(SyntheticGraph, RefusesSizesOutOfRange) {
  const std::uint64_t too_many = (std::uint64_t{1} << 48) + 1;
  EXPECT_THROW(grid_graph(std::uint64_t{1} << 32, std::uint64_t{1} << 32), Error);
  EXPECT_THROW(uniform_random_graph(too_many, 1, 1), Error);
  EXPECT_THROW(uniform_random_graph(1, std::uint64_t{1} << 63, 1), Error);
  EXPECT_THROW(uniform_random_graph(0, 1, 1), Error);
  EXPECT_EQ(uniform_random_graph(0, 0, 1).edge_count, 0U);
  EXPECT_THROW(small_world_graph(too_many, 1, 2, 1), Error);
  EXPECT_THROW(small_world_graph(std::uint64_t{1} << 40, std::uint64_t{1} << 40, 2, 1), Error);
  EXPECT_THROW(small_world_graph(10, 2, 0, 1), Error);
  EXPECT_THROW(tailed_graph(too_many, 1, 0, 0, 1), Error);
  EXPECT_THROW(tailed_graph(1, 1, std::uint64_t{1} << 40, std::uint64_t{1} << 40, 1), Error);
  EXPECT_THROW(tailed_graph(0, 0, 1, 1, 1), Error);
}

TEST(SyntheticGraph, Weights) {
  constexpr std::uint64_t count = 20000;
  const auto weights_from = [&](std::uint64_t first, const SyntheticWeights& weights) {
    const SyntheticEdgeList list(grid_graph(1, count + 1), first, count, weights);
    EXPECT_TRUE(list.weighted());
    std::vector<Edge> edges(list.size(), edge(-1, -1));
    std::vector<float> values(list.size(), -1);
    list.read(0, edges, values);
    return values;
  };
  const auto mean_of = [](const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const std::vector<float> even = weights_from(0, even_weights(7));
  EXPECT_TRUE(std::all_of(even.begin(), even.end(), [](float weight) { return weight >= 0 && weight < 1; }));
  EXPECT_NEAR(mean_of(even), 0.5, 0.01);
  EXPECT_NE(even, weights_from(0, even_weights(8)));

  const std::vector<float> whole = weights_from(0, whole_weights(255, 7));
  std::set<float> expected;
  for (int weight = 1; weight <= 255; ++weight) expected.insert(static_cast<float>(weight));
  EXPECT_EQ(std::set<float>(whole.begin(), whole.end()), expected);
  EXPECT_NEAR(mean_of(whole), 128, 3);
  // A stream that begins later yields the same weights.
  EXPECT_EQ(weights_from(count - 100, whole_weights(255, 7)), std::vector<float>(whole.end() - 100, whole.end()));
  EXPECT_THROW((void)whole_weights(0, 1), Error);
  EXPECT_THROW((void)whole_weights(max_whole_weight + 1, 1), Error);
}

}  // namespace
}  // namespace breadth
