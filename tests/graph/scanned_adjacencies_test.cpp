// Adjacency lists that are scanned, compared with sets of neighbours that are computed in the simplest way.
#include "graph/forms/paper_adjacencies.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/errors.hpp"
#include "graph/graph_contents.hpp"
#include "support/edge_lists.hpp"
#include "support/plain_graph.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::PlainRows;
using test::world;

constexpr AdjacencyForm scanned_forms[] = {AdjacencyForm::full_scan, AdjacencyForm::skip_list,
                                           AdjacencyForm::coarse_index};

using Words = std::vector<std::uint64_t>;

/// The neighbours that a scan of all sections for these vertices yields for each vertex, in the order of the scan.
template <class List>
std::map<std::uint32_t, std::vector<std::uint64_t>> scan(const List& list, IndexRange vertices, const Words& selected) {
  std::map<std::uint32_t, std::vector<std::uint64_t>> rows;
  const IndexRange sections = list.sections(vertices);
  for (std::size_t section = sections.begin; section < sections.end; ++section) {
    list.scan(
        section, [&](std::size_t word) { return selected[word]; },
        [&](LocalVertex vertex, auto row) {
          EXPECT_FALSE(row.empty());
          rows[vertex.value].insert(rows[vertex.value].end(), row.begin(), row.end());
        });
  }
  return rows;
}

/// The rows of this rank's vertices by local id, without empty rows.
std::map<std::uint32_t, std::vector<std::uint64_t>> expected_rows(const Graph& graph, const PlainRows& plain) {
  std::unordered_map<std::int64_t, std::uint64_t> global_ids;
  for (const auto& [global_id, label] : test::labels_by_global_id(graph)) global_ids[label] = global_id;
  const GlobalIdCode& code = graph.partition().code();
  std::map<std::uint32_t, std::vector<std::uint64_t>> rows;
  for (const auto& [label, neighbours] : plain) {
    if (graph.distribution().owner(Label{label}) != world().rank()) continue;
    auto& row = rows[graph.partition().local(Label{label}).value];
    for (const auto& [neighbour, weight] : neighbours) row.push_back(global_ids.at(neighbour));
    std::sort(row.begin(), row.end(), [&](std::uint64_t a, std::uint64_t b) { return code.order(a) < code.order(b); });
  }
  return rows;
}

template <class List>
void expect_list(const List& list, const Graph& graph, const PlainRows& plain, std::mt19937_64& random) {
  const std::size_t vertices = graph.partition().local_count();
  const auto expected = expected_rows(graph, plain);
  const std::size_t words = words_for_bits(vertices) + 1;
  EXPECT_EQ(scan(list, {0, vertices}, Words(words, ~std::uint64_t{0})), expected);
  EXPECT_TRUE(scan(list, {0, vertices}, Words(words, 0)).empty());
  for (int round = 0; round < 8; ++round) {
    const std::size_t begin = random() % (vertices + 1);
    const std::size_t end = begin + random() % (vertices - begin + 1);
    Words selected(words);
    std::map<std::uint32_t, std::vector<std::uint64_t>> few;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      if (random() % (round < 4 ? 3 : 200) != 0) continue;
      selected[vertex / bits_per_word] |= bit_in_word(vertex);
      const auto row = expected.find(static_cast<std::uint32_t>(vertex));
      if (row != expected.end()) few.insert(*row);
    }
    EXPECT_EQ(scan(list, {begin, end}, selected), few) << "vertices " << begin << " to " << end;
  }
}

/// The documented size of a list, without the index of its sections.
template <class Neighbour>
std::size_t documented_bytes(AdjacencyForm form, std::size_t vertices, std::size_t entries) {
  const std::size_t degrees = 4 * vertices;
  const std::size_t skip_list = (sizeof(Neighbour) * entries) + (8 * vertices) + degrees;
  if (form == AdjacencyForm::full_scan) return (sizeof(Neighbour) + 4) * entries + degrees;
  return form == AdjacencyForm::skip_list ? skip_list : skip_list + 8 * (words_for_bits(vertices) + 1);
}

void expect_scanned(const NamedEdges& list, AdjacencyForm form, NeighbourWidth width, Directedness directedness,
                    int thread_count) {
  SCOPED_TRACE(list.name + ", form " + std::to_string(static_cast<int>(form)) +
               (directedness == Directedness::directed ? ", directed" : ", undirected") +
               (width == NeighbourWidth::bits64 ? ", 64 bits" : ""));
  ThreadTeam threads(thread_count);
  const Graph graph = build_graph(test::part_of(list, thread_count == 1, 5), {directedness, width, {.adjacency = form}},
                                  {world(), threads});
  const test::PlainGraph plain = test::plain_graph(list, directedness);
  const bool directed = directedness == Directedness::directed;
  EXPECT_FALSE(graph.weighted());
  EXPECT_THROW(visit_rows(graph, [](const auto&) {}), Error);
  std::mt19937_64 random(list.edges.size());
  std::visit(
      [&]<class Any>(const Any& adjacencies) {
        if constexpr (requires { adjacencies.push_list(); }) {
          using Neighbour = typename Any::Neighbour;
          expect_list(adjacencies.push_list(), graph, plain.out, random);
          expect_list(adjacencies.pull_list(), graph, directed ? plain.in : plain.out, random);
          std::size_t in_entries = 0;
          std::size_t out_entries = 0;
          for (std::uint32_t i = 0; i < graph.partition().local_count(); ++i) {
            const std::int64_t label = graph.partition().label(LocalVertex{i}).value;
            const auto degree_in = [label](const PlainRows& rows) {
              const auto row = rows.find(label);
              return row == rows.end() ? 0 : row->second.size();
            };
            const std::size_t in = directed ? degree_in(plain.in) : 0;
            EXPECT_EQ(adjacencies.degree(LocalVertex{i}), degree_in(plain.out));
            EXPECT_EQ(adjacencies.total_degree(LocalVertex{i}), degree_in(plain.out) + in);
            out_entries += degree_in(plain.out);
            in_entries += in;
          }
          EXPECT_EQ(adjacencies.edges(), out_entries);
          const std::size_t vertices = graph.partition().local_count();
          std::size_t documented = documented_bytes<Neighbour>(form, vertices, out_entries);
          if (directed) documented += documented_bytes<Neighbour>(form, vertices, in_entries);
          EXPECT_GE(adjacencies.bytes(), documented);
          EXPECT_LE(adjacencies.bytes(), documented + documented / 1000 + 16);
        } else {
          FAIL() << "the graph has rows instead of a list";
        }
      },
      graph.contents().adjacencies);
}

void expect_every_form(const NamedEdges& list) {
  for (const AdjacencyForm form : scanned_forms) {
    for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
      expect_scanned(list, form, NeighbourWidth::automatic, directedness, 1);
      expect_scanned(list, form, NeighbourWidth::bits64, directedness, 2);
    }
  }
}

TEST(ScannedAdjacencies, ShowTheRowsOfDegenerateGraphs) {
  for (const NamedEdges& list : test::degenerate_graphs()) expect_every_form(list);
}

TEST(ScannedAdjacencies, ShowTheRowsOfRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    expect_every_form(test::random_edges(500, 2000, seed));
    expect_every_form(test::skewed_edges(500, 2000, seed));
  }
}

TEST(ScannedAdjacencies, ShareRowsThatAreLongerThanASection) {
  expect_every_form(test::star(60000));
  expect_every_form(test::skewed_edges(3000, 60000, 3));
}

TEST(ScannedAdjacencies, LeaveWeightsAside) {
  NamedEdges list = test::random_edges(50, 200, 1);
  list.weights.assign(list.edges.size(), 0.5F);
  expect_every_form(list);
}

}  // namespace
}  // namespace breadth
