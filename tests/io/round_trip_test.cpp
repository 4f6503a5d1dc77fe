#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "file_support.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::edges_of;
using test::error_of;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;
using testing::HasSubstr;

std::string random_text(NameKind kind, bool weighted, std::size_t edges) {
  std::mt19937_64 random(edges);
  const auto name = [&]() -> std::string {
    const std::uint64_t value = random() % 500;
    switch (kind) {
      case NameKind::range: return std::to_string(value);
      case NameKind::integers: return std::to_string(static_cast<std::int64_t>(value * 0x9E3779B97F4A7C15));
      case NameKind::strings: break;
    }
    return fmt::format("name{}", value);
  };
  std::string text;
  for (std::size_t i = 0; i < edges; ++i) {
    const std::string source = name();
    text += fmt::format("{} {}", source, name());
    text += weighted ? fmt::format(" {}\n", static_cast<double>(random() % 10000) / 97) : "\n";
  }
  return text;
}

/// Writes a graph in a format, reads it again and compares the two.
GraphFile expect_kept(const GraphFile& graph, const std::string& path, const Context& context) {
  SCOPED_TRACE(path);
  GraphOutput(path, test::world()).write(graph, context);
  GraphFile again = read_graph(path, {}, context);
  EXPECT_EQ(edges_of(again), edges_of(graph));
  EXPECT_EQ(again.weighted, graph.weighted);
  EXPECT_EQ(again.edge_count, graph.edge_count);
  return again;
}

TEST(RoundTrip, EveryKindOfNamesInEveryFormatThatHoldsThem) {
  for (const NameKind kind : {NameKind::range, NameKind::integers, NameKind::strings}) {
    for (const bool weighted : {false, true}) {
      for (const std::size_t edges : {std::size_t{1}, std::size_t{3}, std::size_t{2000}}) {
        const TemporaryDirectory directory;
        const std::string path = directory.write("graph.txt", random_text(kind, weighted, edges));
        on_threads([&](const Context& context) {
          GraphFile graph = read_graph(path, {}, context);
          ASSERT_EQ(graph.names.kind(), kind);
          expect_kept(graph, directory.file("again.txt"), context);
          for (const auto directedness : {std::optional<Directedness>(), std::optional(Directedness::directed),
                                          std::optional(Directedness::undirected)}) {
            graph.directedness = directedness;
            const GraphFile again = expect_kept(graph, directory.file("again.breadth"), context);
            EXPECT_EQ(again.directedness, directedness);
            EXPECT_EQ(again.names.kind(), kind);
            EXPECT_EQ(again.names.count(), graph.names.count());
            EXPECT_EQ(again.every_label_is_vertex, graph.every_label_is_vertex);
          }
          if (kind == NameKind::range) expect_kept(graph, directory.file("again.g500"), context);
        });
      }
    }
  }
}

/// The edges of an undirected graph by labels, each with the smaller label first.
std::multiset<std::tuple<std::int64_t, std::int64_t, float>> by_labels(const GraphFile& graph) {
  std::multiset<std::tuple<std::int64_t, std::int64_t, float>> edges;
  for (const PlainEdge& edge : edges_of(graph)) {
    const auto [low, high] = std::minmax({std::stoll(edge.source), std::stoll(edge.target)});
    edges.emplace(low - graph.names.first(), high - graph.names.first(), edge.weight);
  }
  return edges;
}

TEST(RoundTrip, EveryFormatHoldsASimpleGraphWithWholeWeights) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (std::uint64_t i = 1; i <= 700; ++i) pairs.emplace(i * i % 101, 200 + i * 7 % 97);
  for (const bool weighted : {false, true}) {
    std::string text;
    for (const auto& [a, b] : pairs) {
      text += a % 2 == 0 ? fmt::format("{} {}", a, b) : fmt::format("{} {}", b, a);
      text += weighted ? fmt::format(" {}\n", 1 + (a + b) % 1000) : "\n";
    }
    const TemporaryDirectory directory;
    const std::string path = directory.write("graph.txt", text);
    on_threads([&](const Context& context) {
      const GraphFile graph = read_graph(path, {}, context);
      for (const auto& row : graph_formats::all) {
        for (const std::string& ending : row().endings) {
          SCOPED_TRACE(ending);
          GraphOutput(directory.file("again" + ending), test::world()).write(graph, context);
          const GraphFile again = read_graph(directory.file("again" + ending), {}, context);
          EXPECT_EQ(again.weighted, weighted);
          EXPECT_EQ(again.edge_count, pairs.size());
          EXPECT_EQ(by_labels(again), by_labels(graph));
          EXPECT_EQ(again.directedness.has_value(), row().directions == Directions::undirected ||
                                                        (row().directions == Directions::said && ending == ".mtx"));
        }
      }
    });
  }
}

TEST(RoundTrip, ALargerGraphThroughAllFormats) {
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  const std::string text = random_text(NameKind::strings, true, 30000);
  const GraphFile graph = read_graph(directory.write("graph.txt.gz", test::gzip(text)), {}, context);
  expect_kept(expect_kept(graph, directory.file("a.breadth"), context), directory.file("b.txt"), context);
}

TEST(RoundTrip, MatrixMarketKeepsRowsAndDirectedness) {
  const TemporaryDirectory directory;
  on_threads([&](const Context& context) {
    const GraphFile directed =
        read_graph(directory.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n6 6 2\n1 2 0.5\n4 3 2\n"),
                   {}, context);
    const GraphFile again = expect_kept(directed, directory.file("b.mtx"), context);
    EXPECT_EQ(again.directedness, Directedness::directed);
    EXPECT_EQ(again.names.count(), 6U);
    const GraphFile binary = expect_kept(directed, directory.file("b.breadth"), context);
    EXPECT_EQ(binary.names.count(), 6U);
    EXPECT_EQ(binary.names.first(), 1);
    EXPECT_EQ(content_of(directory.file("b.mtx")),
              "%%MatrixMarket matrix coordinate real general\n6 6 2\n1 2 0.5\n4 3 2\n");

    const GraphFile plain = read_graph(directory.write("a.txt", "0 1\n5 2\n"), {}, context);
    GraphOutput(directory.file("c.mtx"), test::world()).write(plain, context);
    EXPECT_EQ(content_of(directory.file("c.mtx")),
              "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 2\n2 1\n6 3\n");
  });
}

TEST(RoundTrip, TextIsInTheOrderOfRanks) {
  const TemporaryDirectory directory;
  const std::string text = random_text(NameKind::range, true, 500);
  on_threads([&](const Context& context) {
    const GraphFile graph = read_graph(directory.write("a.txt", text), {}, context);
    GraphOutput(directory.file("b.txt"), test::world()).write(graph, context);
    GraphOutput(directory.file("c.txt"), test::world())
        .write(read_graph(directory.file("b.txt"), {}, context), context);
    EXPECT_EQ(content_of(directory.file("b.txt")), content_of(directory.file("c.txt")));
  });
}

/// Other programs choose the separator of a table by the file's ending.
TEST(RoundTrip, TablesHaveTheSeparatorsOfTheirEndings) {
  const TemporaryDirectory directory;
  on_threads([&](const Context& context) {
    for (const std::string text : {"0 1 0.5\n5 2 2\n", "-7 9 0.5\n5 2 2\n", "a b 0.5\nc d 2\n"}) {
      const GraphFile graph = read_graph(directory.write("a.txt", text), {}, context);
      for (const auto& [name, separator] : {std::pair{"b.csv", ','}, {"b.tsv", '\t'}, {"b.wel", ' '}}) {
        (void)expect_kept(graph, directory.file(name), context);
        std::string expected = text;
        std::ranges::replace(expected, ' ', separator);
        EXPECT_EQ(content_of(directory.file(name)), expected);
        test::world().barrier();
      }
    }
  });
}

TEST(GraphOutput, RefusesTextThatWouldBeReadAsSomethingElse) {
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  // The names are strings that the file would give back as something else.
  const auto refused = [&](const std::string& text, const std::string& name) {
    const std::string path = directory.write("strings.txt", text);
    const GraphFile graph = read_graph(path, {.labels = LabelWords::strings}, context);
    return error_of([&] { GraphOutput(directory.file(name), test::world()).write(graph, context); });
  };
  EXPECT_THAT(refused("a b\n1 2\n", "a.csv"), HasSubstr("'a' and 'b' would be read as the names of columns"));
  EXPECT_THAT(refused("from to\na b\n", "a.csv"), HasSubstr("'from' and 'to' would be read as the names of columns"));
  EXPECT_THAT(refused("a b\n1 2\n", "a.tsv"), HasSubstr("a .txt file keeps them as vertices"));
  EXPECT_THAT(refused("7 8\na b\n", "a.txt"), HasSubstr("strings such as '7' would be read as integers"));
  EXPECT_THAT(refused("\xEF\xBB\xBF\xEF\xBB\xBF"
                      "a b\n",
                      "a.txt"),
              HasSubstr("would lose the byte order mark"));
  EXPECT_THAT(refused("7 8\n", "a.csv"), HasSubstr("a .breadth file keeps strings"));
  for (const auto& [text, name] : {std::pair{"a b\n1 2\n", "a.txt"},
                                   {"a 1\n1 2\n", "b.csv"},
                                   {"a b\nc d\n", "c.csv"},
                                   {"a b 3\n1 2 4\n", "d.csv"},
                                   {"a b\n", "e.csv"},
                                   {"a #b\n", "f.txt"}}) {
    EXPECT_EQ(refused(text, name), "") << text;
    test::world().barrier();
    std::string written = text;
    if (std::string_view(name).ends_with(".csv")) std::ranges::replace(written, ' ', ',');
    EXPECT_EQ(content_of(directory.file(name)), written);
  }
  std::string many;
  for (int i = 0; i < 1000; ++i) many += fmt::format("a{} #{}\n", i, i);
  GraphFile graph = read_graph(directory.write("strings.txt", many), {}, context);
  Buffer<PackedEdge> turned(graph.edges->size());
  for (std::size_t i = 0; i < turned.size(); ++i) {
    Edge edge = {no_label, no_label};
    graph.edges->read(i, std::span(&edge, 1), {});
    turned[i] = PackedEdge::pack({edge.target, edge.source});
  }
  graph.edges = std::make_unique<MemoryEdgeList>(std::move(turned));
  EXPECT_THAT(error_of([&] { GraphOutput(directory.file("g.txt"), test::world()).write(graph, context); }),
              HasSubstr("g.txt'; a .breadth file keeps it"));
  EXPECT_FALSE(std::filesystem::exists(directory.file("g.txt")));
}

TEST(GraphOutput, LeavesNoOldWeightsBesideAPackedFile) {
  const TemporaryDirectory directory;
  ThreadTeam threads(1);
  const Context context{test::world(), threads};
  const GraphFile weighted = read_graph(directory.write("a.txt", "0 1 5\n"), {}, context);
  expect_kept(weighted, directory.file("a.g500"), context);
  EXPECT_THAT(directory.names(), testing::ElementsAre("a.g500", "a.g500.weights", "a.txt"));
  test::world().barrier();
  const GraphFile plain = read_graph(directory.write("b.txt", "0 1\n"), {}, context);
  expect_kept(plain, directory.file("a.g500"), context);
  EXPECT_THAT(directory.names(), testing::ElementsAre("a.g500", "a.txt", "b.txt"));
}

TEST(GraphOutput, RefusesBeforeAndAfterTheWork) {
  const TemporaryDirectory directory;
  ThreadTeam threads(1);
  const Context context{test::world(), threads};
  const auto refused = [&](const std::string& name) {
    return error_of([&] { GraphOutput(directory.file(name), test::world()); });
  };
  EXPECT_THAT(refused("a.xyz"), HasSubstr("no ending that tells its format"));
  EXPECT_THAT(refused("a.txt.gz"), HasSubstr("does not write compressed files"));
  EXPECT_THAT(refused("missing/a.txt"), HasSubstr("No such file or directory"));
  const GraphFile words = read_graph(directory.write("words.txt", "a b\n"), {}, context);
  const auto unfit = [&](const std::string& name) {
    return error_of([&] { GraphOutput(directory.file(name), test::world()).write(words, context); });
  };
  for (const auto& row : graph_formats::all) {
    if (!row().first_number) continue;
    const std::string refusal = unfit("a" + row().endings.front());
    EXPECT_THAT(refusal, HasSubstr("cannot hold the names")) << row().name;
    EXPECT_THAT(refusal, HasSubstr(fmt::format("numbers from {} on", *row().first_number))) << row().name;
  }
  test::world().barrier();
  EXPECT_THAT(directory.names(), testing::ElementsAre("words.txt"));
}

}  // namespace
}  // namespace breadth
