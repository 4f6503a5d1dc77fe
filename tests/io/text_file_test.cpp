#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::edges_of;
using test::in_pieces;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;

std::string text_of(const std::vector<PlainEdge>& edges, bool weighted) {
  std::mt19937_64 random(7);
  std::string text = "# source target\n";
  for (const PlainEdge& edge : edges) {
    text += edge.source + (random() % 2 == 0 ? " " : "\t,  ") + edge.target;
    if (weighted) text += " " + std::to_string(edge.weight);
    text += random() % 3 == 0 ? "\r\n" : "\n";
    if (random() % 10 == 0) text += random() % 2 == 0 ? "\n" : "% a longer comment 1 2 3 4\n";
  }
  return text;
}

/// Random edges; name(random number) names each end.
template <class Name>
std::vector<PlainEdge> random_edges(std::size_t count, bool weighted, Name&& name) {
  std::mt19937_64 random(count);
  std::vector<PlainEdge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string source = name(random());
    edges.push_back({source, name(random()), weighted ? static_cast<float>(random() % 1000) / 8 : 0});
  }
  return edges;
}

void expect_read(const std::string& path, std::vector<PlainEdge> expected, bool weighted, NameKind kind) {
  std::sort(expected.begin(), expected.end());
  on_threads([&](const Context& context) {
    for (const ReadOptions& options : {ReadOptions{}, in_pieces}) {
      SCOPED_TRACE(path + ", blocks of " + std::to_string(options.block_bytes));
      const GraphFile graph = read_graph(path, options, context);
      EXPECT_EQ(graph.weighted, weighted);
      EXPECT_EQ(graph.names.kind(), kind);
      EXPECT_EQ(graph.edge_count, expected.size());
      EXPECT_FALSE(graph.directedness);
      EXPECT_EQ(edges_of(graph), expected);
    }
  });
}

void expect_read_in_all_wrappings(const std::vector<PlainEdge>& edges, bool weighted, NameKind kind) {
  const TemporaryDirectory directory;
  const std::string text = text_of(edges, weighted);
  expect_read(directory.write("graph.txt", text), edges, weighted, kind);
  expect_read(directory.write("graph.txt.gz", test::gzip(text)), edges, weighted, kind);
  expect_read(directory.write("graph.txt.zst", test::zstd(text)), edges, weighted, kind);
}

TEST(TextFile, KeepsDenseLabels) {
  expect_read_in_all_wrappings(random_edges(300, false, [](std::uint64_t r) { return std::to_string(r % 1000); }),
                               false, NameKind::range);
}

TEST(TextFile, ReadsWeights) {
  expect_read_in_all_wrappings(random_edges(300, true, [](std::uint64_t r) { return std::to_string(r % 50); }), true,
                               NameKind::range);
}

TEST(TextFile, NumbersSparseLabels) {
  expect_read_in_all_wrappings(
      random_edges(300, false, [](std::uint64_t r) { return std::to_string((r % 200) << 40); }), false,
      NameKind::integers);
}

TEST(TextFile, NumbersNegativeAndHugeLabels) {
  expect_read_in_all_wrappings(
      random_edges(
          300, true,
          [](std::uint64_t r) { return std::to_string(static_cast<std::int64_t>((r % 97) * 0xDEADBEEFCAFEF00D)); }),
      true, NameKind::integers);
  // Only one end is negative, so that most blocks keep integer labels at first.
  std::vector<PlainEdge> edges = random_edges(300, false, [](std::uint64_t r) { return std::to_string(r % 100); });
  edges[200].target = "-5";
  expect_read_in_all_wrappings(edges, false, NameKind::integers);
}

TEST(TextFile, NumbersWords) {
  expect_read_in_all_wrappings(
      random_edges(300, false, [](std::uint64_t r) { return "v" + std::string(r % 13, 'x') + std::to_string(r % 40); }),
      false, NameKind::strings);
}

TEST(TextFile, ReadsTinyFiles) {
  const TemporaryDirectory directory;
  expect_read(directory.write("one.txt", "0 1"), {{"0", "1"}}, false, NameKind::range);
  expect_read(directory.write("loop.txt", "5 5\n"), {{"5", "5"}}, false, NameKind::range);
  expect_read(directory.write("marked.csv",
                              "\xEF\xBB\xBF"
                              "3,4\n"),
              {{"3", "4"}}, false, NameKind::range);
  expect_read(directory.write("late.txt", "#\n%\n\n\n\n\n\n\n\n\n\n\n1 2\n\n\n\n\n\n#"), {{"1", "2"}}, false,
              NameKind::range);
  expect_read(directory.write("word.txt", "1 b\n2 1\n"), {{"1", "b"}, {"2", "1"}}, false, NameKind::strings);
}

TEST(TextFile, PassesOverTheNamesOfATablesColumns) {
  const TemporaryDirectory directory;
  expect_read(directory.write("graph.csv", "source,target\n1,2\n2,3\n"), {{"1", "2"}, {"2", "3"}}, false,
              NameKind::range);
  expect_read(directory.write("graph.tsv", "# made by\nfrom node\tto node\n\n5\t-1\n"), {{"5", "-1"}}, false,
              NameKind::integers);
  expect_read(directory.write("plus.csv", "source,target\n+1,+2\n"), {{"1", "2"}}, false, NameKind::range);
  const std::string weighted = "source,target,weight\nanna,bert,0.5\nbert,7,2\n";
  const std::vector<PlainEdge> names{{"anna", "bert", 0.5F}, {"bert", "7", 2}};
  expect_read(directory.write("names.csv", weighted), names, true, NameKind::strings);
  expect_read(directory.write("names.CSV.gz", test::gzip(weighted)), names, true, NameKind::strings);
  expect_read(directory.write("names.tsv.zst", test::zstd(weighted)), names, true, NameKind::strings);
  expect_read(directory.write("words.csv", "Source,Target\nanna,bert\n"), {{"anna", "bert"}}, false, NameKind::strings);
  expect_read(directory.write("words.tsv", "FROM\tTO\nanna\tbert\n"), {{"anna", "bert"}}, false, NameKind::strings);
  // A first line that could be an edge is read as one.
  expect_read(directory.write("to.csv", "from,bert\nanna,bert\n"), {{"from", "bert"}, {"anna", "bert"}}, false,
              NameKind::strings);
  expect_read(directory.write("sets.txt", "source target\nanna bert\n"), {{"source", "target"}, {"anna", "bert"}},
              false, NameKind::strings);
  expect_read(directory.write("first.csv", "a,1\n2,3\n"), {{"a", "1"}, {"2", "3"}}, false, NameKind::strings);
  expect_read(directory.write("list.txt", "a,b\n1,2\n"), {{"a", "b"}, {"1", "2"}}, false, NameKind::strings);
}

TEST(TextFile, GivesLabelsInTheOrderOfNamesOnAnyRanks) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("graph.txt", "-7 9000000000000\n4 -7\n9000000000000 4\n-90 4\n");
  on_threads([&](const Context& context) {
    const GraphFile graph = read_graph(path, {}, context);
    EXPECT_EQ(graph.names.count(), 4U);
    EXPECT_TRUE(graph.every_label_is_vertex);
    EXPECT_EQ(graph.names.find("-90", test::world()), Label{0});
    EXPECT_EQ(graph.names.find("-7", test::world()), Label{1});
    EXPECT_EQ(graph.names.find("4", test::world()), Label{2});
    EXPECT_EQ(graph.names.find("9000000000000", test::world()), Label{3});
    EXPECT_FALSE(graph.names.find("5", test::world()));
    EXPECT_FALSE(graph.names.find("x", test::world()));
  });
}

TEST(TextFile, ReadsAsWordsOrIntegersWhereTold) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("graph.txt", "007 8\n7 9\n8 x\n");
  ThreadTeam threads(2);
  const GraphFile graph = read_graph(path, {.labels = LabelWords::strings}, {test::world(), threads});
  EXPECT_EQ(graph.names.count(), 5U);
  EXPECT_EQ(graph.names.find("007", test::world()), Label{0});
  const std::string words = directory.write("words.txt", "a b\n");
  EXPECT_THAT(test::error_of([&] {
                read_graph(words, {.labels = LabelWords::integers}, {test::world(), threads});
              }),
              testing::HasSubstr("words.txt:1: label 'a' is not an integer"));
}

TEST(TextFile, ReadsCompressedTextOfManyRoundsAndMembers) {
  const TemporaryDirectory directory;
  const std::int64_t count = 300'000;
  std::string text;
  for (std::int64_t i = 0; i < count; ++i) text += fmt::format("{} {}\n", i, i / 2);
  const std::string first = text.substr(0, text.size() / 3);
  const std::string path = directory.write("graph.txt.gz", test::gzip(first) + test::gzip(text.substr(first.size())));
  ThreadTeam threads(2);
  const ReadOptions many_rounds{.block_bytes = 10'000, .window_bytes = 500'000};
  const GraphFile graph = read_graph(path, many_rounds, {test::world(), threads});
  EXPECT_EQ(graph.edge_count, static_cast<std::uint64_t>(count));
  std::vector<Edge> edges(graph.edges->size(), Edge{no_label, no_label});
  graph.edges->read(0, edges, {});
  std::int64_t sum = 0;
  for (const Edge& edge : edges) {
    ASSERT_EQ(edge.target.value, edge.source.value / 2);
    sum += edge.source.value;
  }
  EXPECT_EQ(test::world().all_reduce(sum, Reduction::sum), count * (count - 1) / 2);
}

}  // namespace
}  // namespace breadth
