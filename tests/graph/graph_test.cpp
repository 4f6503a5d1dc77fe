// Kernel 1 compared with sets of neighbours that are computed in the simplest way.
#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <optional>
#include <random>
#include <unordered_map>

#include "comm/agreement.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/plain_graph.hpp"
#include "support/rounds.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::PlainGraph;
using test::PlainRows;
using test::world;

/// The global ids in a row.
template <class Rows>
std::vector<std::uint64_t> whole_row(const Rows& rows, LocalVertex vertex) {
  std::vector<std::uint64_t> result;
  rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
    result.insert(result.end(), neighbours.begin(), neighbours.end());
  });
  return result;
}

template <class Rows>
void expect_rows(const Graph& graph, const Rows& rows, const PlainRows& expected,
                 const std::unordered_map<std::uint64_t, std::int64_t>& labels) {
  const Partition& partition = graph.partition();
  static const std::map<std::int64_t, float> no_neighbours;
  std::size_t entries = 0;
  for (std::uint32_t local = 0; local < partition.local_count(); ++local) {
    const auto row = whole_row(rows, LocalVertex{local});
    EXPECT_EQ(rows.entries({local, local + 1}), row.size());
    entries += row.size();
    const std::int64_t label = partition.label(LocalVertex{local}).value;
    const auto found = expected.find(label);
    const auto& neighbours = found == expected.end() ? no_neighbours : found->second;
    ASSERT_EQ(row.size(), neighbours.size()) << "label " << label;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto name = labels.find(row[i]);
      ASSERT_NE(name, labels.end()) << "label " << label << " has a neighbour with an invalid global id: " << row[i];
      const auto neighbour = neighbours.find(name->second);
      ASSERT_NE(neighbour, neighbours.end()) << label << " is no neighbour of " << name->second;
      if constexpr (requires { rows.weights; }) {
        if (graph.weighted()) {
          EXPECT_EQ(rows.weights[rows.offsets[local] + i], neighbour->second);
        }
      }
      if (i == 0) continue;
      if (graph.layout().neighbours == NeighbourOrder::vertices) {
        EXPECT_LT(partition.code().order(row[i - 1]), partition.code().order(row[i]));
      } else if (graph.layout().neighbours == NeighbourOrder::weights) {
        const float before = neighbours.at(labels.at(row[i - 1]));
        EXPECT_LE(before, neighbour->second);
        if (before == neighbour->second) {
          EXPECT_LT(partition.code().order(row[i - 1]), partition.code().order(row[i]));
        }
      } else {
        EXPECT_LT(labels.at(row[i - 1]), name->second);
      }
    }
  }
  EXPECT_EQ(rows.entries(), entries);
}

template <class Rows>
void expect_head(const Graph& graph, const Rows& rows, const Head<typename Rows::Neighbour>& head,
                 const std::unordered_map<std::uint64_t, std::int64_t>& labels) {
  ASSERT_EQ(head.size(), graph.layout().columns);
  for (std::uint32_t local = 0; local < graph.partition().local_count(); ++local) {
    const auto row = whole_row(rows, LocalVertex{local});
    const std::uint64_t itself = graph.partition().global_id(LocalVertex{local});
    for (std::size_t place = 0; place < head.size(); ++place) {
      const std::uint64_t expected = place < row.size() ? row[place] : itself;
      ASSERT_EQ(head[place].global_ids[local], expected);
      ASSERT_EQ(head[place].labels[local], static_cast<std::uint64_t>(labels.at(expected)));
      if constexpr (requires { rows.weights; }) {
        if (graph.layout().neighbours != NeighbourOrder::weights) continue;
        const bool there = place < row.size();
        ASSERT_EQ(head[place].weights[local],
                  there ? rows.weights[rows.offsets[local] + place] : std::numeric_limits<float>::infinity());
      }
    }
  }
}

void expect_order(const Graph& graph) {
  const Partition& partition = graph.partition();
  if (graph.layout().order == VertexOrder::degree) return;  // see local_order_test.cpp
  for (std::uint32_t local = 1; local < partition.local_count(); ++local) {
    EXPECT_LT(partition.label(LocalVertex{local - 1}).value, partition.label(LocalVertex{local}).value);
  }
}

void expect_graph(const NamedEdges& list, const GraphOptions& options, bool evenly, int thread_count) {
  SCOPED_TRACE(list.name + (options.directedness == Directedness::directed ? ", directed" : ", undirected") +
               (options.neighbour_width == NeighbourWidth::bits64 ? ", 64 bits" : "") +
               (options.layout.adjacency == AdjacencyForm::compressed ? ", compressed" : ""));
  ThreadTeam threads(thread_count);
  const MemoryEdgeList part = test::part_of(list, evenly, list.edges.size());
  const Graph graph = build_graph(part, options, {world(), threads});
  const PlainGraph plain = plain_graph(list, options.directedness);

  EXPECT_EQ(graph.vertex_count(), static_cast<std::uint64_t>(plain.largest) + 1);
  EXPECT_EQ(graph.connected_vertices(), plain.connected.size());
  std::size_t entries = 0;
  for (const auto& [label, row] : plain.out) entries += row.size();
  EXPECT_EQ(graph.edge_count(), options.directedness == Directedness::directed ? entries : entries / 2);
  EXPECT_EQ(graph.weighted(),
            !list.weights.empty() && options.keeps_weights && options.layout.adjacency == AdjacencyForm::rows);

  const int rank = world().rank();
  for (std::size_t i = 0; i < graph.distribution().count(rank); ++i) {
    const Label label = graph.distribution().label(rank, i);
    const auto row = plain.out.find(label.value);
    EXPECT_EQ(graph.degree(label), row == plain.out.end() ? 0 : row->second.size());
    EXPECT_EQ(graph.partition().local(label) == no_local_vertex, plain.connected.count(label.value) == 0);
  }
  expect_order(graph);
  const auto labels = test::labels_by_global_id(graph);
  visit_rows(graph, [&](const auto& adjacencies) {
    expect_rows(graph, adjacencies.push_rows(), plain.out, labels);
    const bool directed = options.directedness == Directedness::directed;
    expect_rows(graph, adjacencies.pull_rows(), directed ? plain.in : plain.out, labels);
    expect_head(graph, adjacencies.pull_rows(), adjacencies.head, labels);
  });
  for (const auto& [global_id, label] : labels) {
    if (graph.contents().labels.contains(global_id)) {
      EXPECT_EQ(graph.contents().labels.label(global_id).value, label);
    }
    EXPECT_TRUE(graph.contents().labels.contains(global_id) || !graph.contents().labels.complete());
  }
}

void expect_graph_every_way(const NamedEdges& list) {
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    for (const NeighbourWidth width : {NeighbourWidth::automatic, NeighbourWidth::bits64}) {
      for (const AdjacencyForm form : {AdjacencyForm::rows, AdjacencyForm::compressed}) {
        expect_graph(list, {directedness, width, {.adjacency = form}}, true, 1);
        expect_graph(list, {directedness, width, {.adjacency = form}}, false, 2);
      }
    }
  }
}

NamedEdges with_weights(NamedEdges list, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    list.weights.push_back(static_cast<float>(random() % 9) / 8 - (random() % 16 == 0 ? 1.0F : 0.0F));
  }
  list.name += ", weighted";
  return list;
}

TEST(Graph, HasTheNeighboursOfDegenerateGraphs) {
  for (const NamedEdges& list : test::degenerate_graphs()) {
    expect_graph_every_way(list);
    expect_graph_every_way(with_weights(list, 3));
  }
}

/// Kernel 1 keeps the lightest of the edges between two vertices, in whichever direction they are listed, because no
/// other one can be on a shortest path. In a directed graph it keeps the lightest of each direction.
TEST(Graph, KeepsTheLightestOfParallelEdges) {
  constexpr std::int64_t count = 30;
  constexpr std::int64_t copies = 5;
  const auto weight = [](std::int64_t i, std::int64_t j, std::int64_t copy) {
    return static_cast<float>((7 * i + 3 * j + 11 * copy) % 17) / 4;
  };
  NamedEdges list{.name = "parallel"};
  for (std::int64_t copy = 0; copy < copies; ++copy) {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < count; ++j) {
        list.edges.push_back(test::edge(i, j));
        list.weights.push_back(weight(i, j, copy));
      }
    }
  }
  const auto lightest = [&](std::int64_t i, std::int64_t j) {
    float least = weight(i, j, 0);
    for (std::int64_t copy = 1; copy < copies; ++copy) least = std::min(least, weight(i, j, copy));
    return least;
  };
  ThreadTeam threads(2);
  for (const NeighbourOrder order : {NeighbourOrder::vertices, NeighbourOrder::labels, NeighbourOrder::weights}) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      const bool directed = directedness == Directedness::directed;
      const Graph graph =
          build_graph(test::part_of(list, false, 3), {.directedness = directedness, .layout = {.neighbours = order}},
                      {world(), threads});
      EXPECT_EQ(graph.edge_count(),
                static_cast<std::uint64_t>(directed ? count * (count - 1) : count * (count - 1) / 2));
      const auto labels = test::labels_by_global_id(graph);
      visit_rows(graph, [&](const auto& adjacencies) {
        if constexpr (requires { adjacencies.push_rows().weights; }) {
          const auto& rows = adjacencies.push_rows();
          for (std::uint32_t local = 0; local < graph.partition().local_count(); ++local) {
            const std::int64_t i = graph.partition().label(LocalVertex{local}).value;
            for (EdgeOffset edge = rows.offsets[local]; edge < rows.offsets[local + 1]; ++edge) {
              const std::int64_t j = labels.at(rows.neighbours[edge]);
              EXPECT_EQ(rows.weights[edge], directed ? lightest(i, j) : std::min(lightest(i, j), lightest(j, i)));
            }
          }
        }
      });
    }
  }
}

TEST(Graph, HasTheNeighboursOfRandomGraphs) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20; ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 600);
    const std::size_t m = 1 + random() % 2000;
    const NamedEdges list = i % 2 == 0 ? test::random_edges(n, m, random()) : test::skewed_edges(n, m, random());
    expect_graph_every_way(i % 3 == 0 ? with_weights(list, random()) : list);
  }
}

TEST(Graph, LiesInMemoryAsItIsToldTo) {
  std::vector<NamedEdges> lists = test::degenerate_graphs();
  lists.push_back(test::skewed_edges(600, 3000, 4));
  for (const NamedEdges& list : lists) {
    for (const VertexOrder order : {VertexOrder::degree, VertexOrder::label}) {
      for (const NeighbourOrder neighbours :
           {NeighbourOrder::vertices, NeighbourOrder::labels, NeighbourOrder::weights}) {
        for (std::size_t columns = 0; columns <= max_columns; ++columns) {
          const GraphLayout layout{.order = order, .neighbours = neighbours, .columns = columns};
          const bool odd = columns % 2 == 1;
          expect_graph(odd || neighbours == NeighbourOrder::weights ? with_weights(list, columns) : list,
                       {.directedness = directed_if(odd),
                        .neighbour_width = columns < 2 ? NeighbourWidth::bits64 : NeighbourWidth::automatic,
                        .layout = layout},
                       !odd, 1 + static_cast<int>(columns % 3));
        }
      }
    }
  }
}

TEST(Graph, TakesManyRoundsAndBuckets) {
  const NamedEdges list = test::skewed_edges(1 << 14, std::size_t{1} << test::rounds(16, 18), 5);
  expect_graph(list, {}, true, 2);
  expect_graph(with_weights(list, 5), {}, true, 2);
  expect_graph(with_weights(list, 5), {.keeps_weights = false}, true, 2);
}

TEST(Graph, HasTheLabelsThatTheListCounts) {
  class CountedList final : public EdgeList {
   public:
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] bool weighted() const override { return false; }
    void read(std::uint64_t, std::span<Edge> edges, std::span<float>) const override {
      for (Edge& edge : edges) edge = test::edge(0, 3);
    }
    [[nodiscard]] std::optional<std::uint64_t> label_count() const override { return 100; }

   private:
    std::uint64_t size_ = world().rank() == 0 ? 1 : 0;
  };
  ThreadTeam threads(2);
  const Graph graph = build_graph(CountedList(), {}, {world(), threads});
  EXPECT_EQ(graph.vertex_count(), 100);
  EXPECT_EQ(graph.edge_count(), 1);
}

TEST(Graph, RefusesWhatIsNoGraph) {
  ThreadTeam threads(1);
  EXPECT_THROW((void)build_graph(MemoryEdgeList(), {}, {world(), threads}), AgreedError);
  class BadList final : public EdgeList {
   public:
    explicit BadList(std::int64_t label) : label_(label) {}
    [[nodiscard]] std::uint64_t size() const override { return world().rank() == world().size() - 1 ? 1 : 0; }
    [[nodiscard]] bool weighted() const override { return false; }
    void read(std::uint64_t, std::span<Edge> edges, std::span<float>) const override {
      for (Edge& edge : edges) edge = test::edge(0, label_);
    }

   private:
    std::int64_t label_;
  };
  for (const std::int64_t label : {std::int64_t{-5}, label_bound}) {
    try {
      (void)build_graph(BadList(label), {}, {world(), threads});
      FAIL() << "accepted label " << label;
    } catch (const AgreedError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(label)), std::string::npos) << error.what();
    }
  }
}

TEST(Graph, RefusesMoreColumnsThanAHeadCanHave) {
  ThreadTeam threads(1);
  GraphOptions options;
  options.layout.columns = max_columns + 1;
  EXPECT_THROW((void)build_graph(test::part_of(test::star(9)), options, {world(), threads}), AgreedError);
}

TEST(Graph, NeedsWeightsOnAllRanksWithTuplesOrOnNone) {
  ThreadTeam threads(1);
  const Context context{world(), threads};
  const std::vector<Edge> edges{test::edge(0, 1), test::edge(1, 2)};
  const std::vector<float> weights{1, 2};
  const bool first = world().rank() == 0;
  EXPECT_TRUE(build_graph(first ? MemoryEdgeList(edges, weights) : MemoryEdgeList(), {}, context).weighted());
  if (world().size() == 1) return;
  const MemoryEdgeList list = first ? MemoryEdgeList(edges, weights) : MemoryEdgeList(edges);
  EXPECT_THROW((void)build_graph(list, {}, context), AgreedError);
}

}  // namespace
}  // namespace breadth
