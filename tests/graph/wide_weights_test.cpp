// Weights of 64 bits beside rows, compared with the lightest tuple of each pair.
#include "graph/wide_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::world;

template <class Weight>
std::vector<Weight> drawn_weights(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Weight> weights(count);
  for (Weight& weight : weights) {
    const std::uint64_t draw = random() % 5 == 0 ? random() % 3 : random() >> 1;
    weight = draw == 2 ? std::numeric_limits<Weight>::max() : static_cast<Weight>(draw) / 3;
  }
  return weights;
}

template <class Weight>
WideWeights<Weight> beside(const Graph& graph, const NamedEdges& list, const std::vector<Weight>& weights,
                           const Context& context) {
  const std::size_t own_first = test::own_part(list).begin;
  const auto read = [&](std::uint64_t first, std::span<Weight> some) {
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(own_first + first), some.size(), some.begin());
  };
  return weights_beside_rows<Weight>(graph, test::part_of(list), read, context);
}

/// Checks the lightest edges of a vertex against its row.
template <class Weight, class Rows>
void expect_lightest_edges(const WideWeights<Weight>& weights, const Rows& rows, LocalVertex vertex) {
  std::vector<std::pair<Weight, std::size_t>> row;
  for (EdgeOffset entry = rows.offsets[vertex.index()]; entry < rows.offsets[vertex.index() + 1]; ++entry) {
    row.emplace_back(weights.of_rows[entry], rows.neighbours[entry]);
  }
  std::sort(row.begin(), row.end());
  const EdgeOffset begin = weights.lightest.offsets[vertex.index()];
  const EdgeOffset end = weights.lightest.offsets[vertex.index() + 1];
  ASSERT_EQ(end - begin, row.size() > 256 ? row.size() / 32 : std::min<std::size_t>(row.size(), 8));
  for (EdgeOffset i = begin; i < end; ++i) {
    ASSERT_EQ(std::pair(weights.lightest.weights[i], std::size_t{weights.lightest.neighbours[i]}), row[i - begin]);
  }
}

template <class Weight>
void expect_lightest(const NamedEdges& list, Directedness directedness, const GraphLayout& layout,
                     ThreadTeam& threads) {
  SCOPED_TRACE(list.name);
  const Context context{world(), threads};
  const std::vector<Weight> weights = drawn_weights<Weight>(list.edges.size(), 7);
  const Graph graph = build_graph(test::part_of(list), {.directedness = directedness, .layout = layout}, context);
  const Partition& partition = graph.partition();
  std::map<std::pair<Label, Label>, Weight> lightest;  // for this rank's rows
  const auto take = [&](Label from, Label to, Weight weight) {
    if (partition.distribution().owner(from) != world().rank()) return;
    const auto [place, is_new] = lightest.emplace(std::pair(from, to), weight);
    if (!is_new) place->second = std::min(place->second, weight);
  };
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [source, target] = list.edges[i];
    if (source == target) continue;
    take(source, target, weights[i]);
    if (directedness == Directedness::undirected) take(target, source, weights[i]);
  }
  const WideWeights<Weight> beside_rows = beside(graph, list, weights, context);
  const Buffer<Weight>& found = beside_rows.of_rows;
  visit_rows(graph, [&](const auto& adjacencies) {
    if constexpr (requires { adjacencies.push_rows().neighbours; }) {
      const auto& rows = adjacencies.push_rows();
      using Neighbour = typename std::remove_cvref_t<decltype(rows)>::Neighbour;
      std::vector<Neighbour> targets(rows.neighbours.size());
      graph.contents().labels.look_up(std::span<const Neighbour>(rows.neighbours.span()), std::span(targets), partition,
                                      context);
      ASSERT_EQ(found.size(), lightest.size());
      for (std::uint32_t i = 0; i < partition.local_count(); ++i) {
        for (EdgeOffset entry = rows.offsets[i]; entry < rows.offsets[i + 1]; ++entry) {
          const Label target{static_cast<std::int64_t>(targets[entry])};
          ASSERT_EQ(found[entry], lightest.at({partition.label(LocalVertex{i}), target}));
        }
        if (!beside_rows.lightest.empty()) expect_lightest_edges(beside_rows, rows, LocalVertex{i});
      }
    }
  });
}

TEST(WideWeights, EachEntryHasTheLightestOfItsTuples) {
  std::vector<NamedEdges> lists = test::degenerate_graphs();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    lists.push_back(test::random_edges(200, 50 + 400 * seed, seed));
    lists.push_back(test::skewed_edges(300, 50 + 900 * seed, seed));
  }
  lists.push_back(test::skewed_edges(2000, 30'000, 9));
  for (const int size : {1, 2, 3}) {
    ThreadTeam threads(size);
    for (const NamedEdges& list : lists) {
      for (const VertexOrder order : {VertexOrder::degree, VertexOrder::label}) {
        expect_lightest<double>(list, Directedness::undirected, {.order = order}, threads);
        expect_lightest<std::int64_t>(list, Directedness::undirected, {.order = order}, threads);
        expect_lightest<std::int64_t>(list, Directedness::directed, {.order = order}, threads);
      }
    }
  }
}

TEST(WideWeights, HubsOfUndirectedGraphsHaveLightestEdgesOnOneRank) {
  ThreadTeam threads(2);
  const Context context{world(), threads};
  const auto has_light = [&](const NamedEdges& list, Directedness directedness) {
    const Graph graph = build_graph(test::part_of(list), {.directedness = directedness}, context);
    return !beside(graph, list, std::vector<double>(list.edges.size(), 1), context).lightest.empty();
  };
  EXPECT_EQ(has_light(test::star(700), Directedness::undirected), world().size() == 1);
  EXPECT_FALSE(has_light(test::star(700), Directedness::directed));
  EXPECT_FALSE(has_light(test::grid(30, 30), Directedness::undirected));
}

/// More tuples than ranks exchange in one round.
TEST(WideWeights, ManyTuples) {
  ThreadTeam threads(2);
  const NamedEdges list = test::skewed_edges(5000, test::sized(400'000, 150'000), 11);
  expect_lightest<double>(list, Directedness::undirected, {}, threads);
}

TEST(WideWeights, NeedsPlainRowsThatRise) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(10);
  const std::vector<double> weights(list.edges.size(), 1);
  for (const GraphLayout& layout :
       {GraphLayout{.adjacency = AdjacencyForm::compressed}, GraphLayout{.adjacency = AdjacencyForm::skip_list},
        GraphLayout{.neighbours = NeighbourOrder::labels}}) {
    const Graph graph = build_graph(test::part_of(list), {.layout = layout}, context);
    EXPECT_THROW(beside(graph, list, weights, context), Error);
  }
}

/// The list has other tuples when it is read again.
TEST(WideWeights, ATupleThatIsNoEdgeIsAnError) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const NamedEdges list = test::path(10);
  const Graph graph = build_graph(test::part_of(list), {}, context);
  const std::vector<double> weights(list.edges.size(), 1);
  for (const Edge other : {test::edge(0, 5), test::edge(0, 100'000), test::edge(-1, 0)}) {
    NamedEdges changed = list;
    changed.edges[test::own_part(list).begin] = other;  // the first tuple of each rank
    EXPECT_THROW(beside(graph, changed, weights, context), Error);
  }
}

}  // namespace
}  // namespace breadth
