// METIS files. The expected edges are derived from the adjacency matrix that a file is written from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "file_support.hpp"
#include "io/graph_file.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::edges_of;
using test::error_of;
using test::in_pieces;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;
using testing::HasSubstr;

/// A symmetric matrix of weights; 0 means no edge.
using Matrix = std::vector<std::vector<int>>;

Matrix random_matrix(std::size_t vertices, unsigned percent, int heaviest) {
  std::mt19937 random(static_cast<unsigned>(vertices));
  Matrix matrix(vertices, std::vector<int>(vertices, 0));
  for (std::size_t row = 0; row < vertices; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      if (random() % 100 < percent) {
        matrix[row][column] = matrix[column][row] = 1 + static_cast<int>(random() % static_cast<unsigned>(heaviest));
      }
    }
  }
  return matrix;
}

std::vector<PlainEdge> edges_in(const Matrix& matrix, bool weighted) {
  std::vector<PlainEdge> edges;
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    for (std::size_t column = row; column < matrix.size(); ++column) {
      if (matrix[row][column] == 0) continue;
      const float weight = weighted ? static_cast<float>(matrix[row][column]) : 0;
      edges.push_back({std::to_string(row + 1), std::to_string(column + 1), weight});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// The METIS file of a matrix. With `odd`, it has comments, other blanks, and neighbours in decreasing order.
std::string metis_text(const Matrix& matrix, bool weighted, bool odd) {
  std::string text = odd ? "% made by hand\n" : "";
  text += fmt::format("{} {}{}\n", matrix.size(), edges_in(matrix, false).size(), weighted ? odd ? " 001" : " 1" : "");
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    if (odd && row % 5 == 0) text += "% 1 2 3\n";
    std::string line;
    for (std::size_t column = 0; column < matrix.size(); ++column) {
      if (matrix[row][column] == 0) continue;
      const std::string entry =
          weighted ? fmt::format("{} {}", column + 1, matrix[row][column]) : std::to_string(column + 1);
      line = odd ? fmt::format("\t{}  {}", entry, line) : line + (line.empty() ? "" : " ") + entry;
    }
    text += line + (odd && row % 3 == 0 ? "\r\n" : "\n");
  }
  return text;
}

void expect_read(const std::string& path, const Matrix& matrix, bool weighted) {
  on_threads([&](const Context& context) {
    for (const ReadOptions& options : {ReadOptions{}, in_pieces}) {
      SCOPED_TRACE(path + ", blocks of " + std::to_string(options.block_bytes));
      const GraphFile graph = read_graph(path, options, context);
      EXPECT_EQ(graph.directedness, Directedness::undirected);
      EXPECT_EQ(graph.weighted, weighted);
      EXPECT_TRUE(graph.every_label_is_vertex);
      EXPECT_EQ(graph.names.count(), matrix.size());
      EXPECT_EQ(graph.names.first(), 1);
      EXPECT_EQ(edges_of(graph), edges_in(matrix, weighted));
    }
  });
}

TEST(Metis, ReadsPlainAndCompressedFiles) {
  const std::vector<Matrix> matrices{random_matrix(2, 100, 1), random_matrix(40, 5, 9), random_matrix(90, 30, 1000)};
  for (const Matrix& matrix : matrices) {
    for (const bool weighted : {false, true}) {
      for (const bool odd : {false, true}) {
        const TemporaryDirectory directory;
        const std::string text = metis_text(matrix, weighted, odd);
        expect_read(directory.write("a.graph", text), matrix, weighted);
        expect_read(directory.write("a.metis", text + "\n\n% the end\n"), matrix, weighted);
        expect_read(directory.write("a.graph.gz", test::gzip(text)), matrix, weighted);
        expect_read(directory.write("a.metis.zst", test::zstd(text)), matrix, weighted);
      }
    }
  }
}

TEST(Metis, HasLinesOfSomeMegabytes) {
  constexpr int leaves = 300'000;
  std::string text = fmt::format("{} {}\n", leaves + 1, leaves);
  for (int leaf = 2; leaf <= leaves + 1; ++leaf) text += fmt::format("{} ", leaf);
  for (int leaf = 0; leaf < leaves; ++leaf) text += "\n1";
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  for (const auto& [name, content] : {std::pair{"hub.graph", text}, {"hub.graph.gz", test::gzip(text)}}) {
    const GraphFile graph = read_graph(directory.write(name, content), {}, {test::world(), threads});
    EXPECT_EQ(graph.edge_count, static_cast<std::uint64_t>(leaves)) << name;
  }
}

TEST(Metis, IsWrittenAsItIsRead) {
  const Matrix matrix = random_matrix(60, 10, 50);
  for (const bool weighted : {false, true}) {
    const TemporaryDirectory directory;
    const std::string text = metis_text(matrix, weighted, false);
    const std::string path = directory.write("a.graph", text);
    on_threads([&](const Context& context) {
      GraphOutput(directory.file("b.graph"), test::world()).write(read_graph(path, {}, context), context);
      EXPECT_EQ(content_of(directory.file("b.graph")), text);
    });
  }
}

TEST(Metis, HasNeitherLoopsNorParallelEdges) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.txt", "0 1 5\n1 0 3\n2 2 1\n4 1 7\n0 1 4\n");
  const std::string loops = directory.write("loops.txt", "0 0\n");
  on_threads([&](const Context& context) {
    GraphOutput(directory.file("b.graph"), test::world()).write(read_graph(path, {}, context), context);
    EXPECT_EQ(content_of(directory.file("b.graph")), "5 2 1\n2 3\n1 3 5 7\n\n\n2 7\n");
    const GraphFile loop = read_graph(loops, {}, context);
    EXPECT_THAT(error_of([&] { GraphOutput(directory.file("c.graph"), test::world()).write(loop, context); }),
                HasSubstr("all of its edges are self-loops"));
  });
}

TEST(Metis, RefusesToWriteWhatItCannotHold) {
  const TemporaryDirectory directory;
  const std::string directed =
      directory.write("directed.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  const std::string broken = directory.write("broken.txt", "0 1 1\n1 2 2.5\n");
  const std::string none = directory.write("none.txt", "0 1 1\n1 2 0\n");
  on_threads([&](const Context& context) {
    const auto refusal = [&](const std::string& path) {
      const GraphFile graph = read_graph(path, {}, context);
      return error_of([&] { GraphOutput(directory.file("out.graph"), test::world()).write(graph, context); });
    };
    EXPECT_THAT(refusal(directed), HasSubstr("cannot hold directed edges"));
    EXPECT_THAT(refusal(broken), HasSubstr("edge 2, from 1 to 2, has weight 2.5; METIS files have whole weights"));
    EXPECT_THAT(refusal(none), HasSubstr("has weight 0; METIS files have whole weights from 1"));
  });
}

TEST(Metis, RefusesWhatItCannotRead) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "is empty"},
      {"% only\n", "truncated: it ends before its header"},
      {"\n", ":1: 0 columns, but the header of a METIS file"},
      {"%\n3\n", ":2: 1 columns, but the header of a METIS file"},
      {"3 x\n", ":1: 'x' is not a size"},
      {"-3 1\n", ":1: '-3' is not a size"},
      {"281474976710657 1\n", ":1: 281474976710657 vertices are too many"},
      {"3 0\n\n\n\n", "has no edges"},
      {"2 1 11\n1 2 1\n1 1 1\n", ":1: the format '11' cannot be read"},
      {"2 1 010\n1 2\n1 1\n", ":1: the format '010' cannot be read"},
      {"2 1\n2\n1 3\n", ":3: label 3 is outside 1 to 2"},
      {"2 1\n2\n%\n0\n", ":4: label 0 is outside 1 to 2"},
      {"2 1\n2\nx\n", ":3: label 'x' is not an integer"},
      {"2 1\n2\n\x01\n", ":3: byte 0x01 at column 1"},
      {"2 1 1\n2\n1 1\n", ":2: the edge to 2 has no weight"},
      {"2 1 1\n2 z\n1 1\n", ":2: weight 'z' is not a number"},
      {"3 1\n2\n1\n", ":3: the file ends here, after 2 of the 3 vertices"},
      {"3 1\n2\n1", ":3: the file ends here, after 2 of the 3 vertices"},
      {"3 1\n", ":1: the file ends here, after 0 of the 3 vertices"},
      {"2 1\n2\n1\n\n1\n", ":5: there are more rows than the 2 vertices that the header says"},
      {"3 2\n2\n1\n\n", "has 1 entries, but its header says 2"},
      {"3 1\n2\n1 3\n2\n", "has 2 entries, but its header says 1"},
      {"3 1\n2\n\n\n", "lists an edge at only one of its two ends"},
      {"3 2\n2 3\n1\n2\n", "lists an edge at only one of its two ends"},
      {"2 1 1\n2 5\n1 6\n", "lists an edge at only one of its two ends, or with different weights there"},
  };
  test::expect_bad_files("a.graph", cases, {ReadOptions{}, in_pieces});
}

}  // namespace
}  // namespace breadth
