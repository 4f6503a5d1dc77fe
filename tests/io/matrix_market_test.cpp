#include <gtest/gtest.h>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::edges_of;
using test::in_pieces;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;

TEST(MatrixMarket, ReadsPatternsAndNumbers) {
  const TemporaryDirectory directory;
  const std::string general =
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n4 4 3\n1 2 0.5\n2 1 -3e1\n\n3 3 7\n";
  on_threads([&](const Context& context) {
    for (const ReadOptions& options : {ReadOptions{}, in_pieces}) {
      for (const auto& [name, content] : {std::pair{"a.mtx", general}, {"a.mtx.gz", test::gzip(general)}}) {
        const GraphFile graph = read_graph(directory.write(name, content), options, context);
        EXPECT_EQ(graph.directedness, Directedness::directed);
        EXPECT_TRUE(graph.weighted);
        EXPECT_TRUE(graph.every_label_is_vertex);
        EXPECT_EQ(graph.names.count(), 4U);
        EXPECT_EQ(graph.names.find("1", test::world()), Label{0});
        EXPECT_EQ(graph.names.find("4", test::world()), Label{3});
        EXPECT_FALSE(graph.names.find("0", test::world()));
        EXPECT_FALSE(graph.names.find("5", test::world()));
        EXPECT_EQ(edges_of(graph), (std::vector<PlainEdge>{{"1", "2", 0.5F}, {"2", "1", -30.F}, {"3", "3", 7.F}}));
      }
    }
    const std::string symmetric = "%%matrixmarket MATRIX coordinate Pattern SYMMETRIC\n3 3 2\n2 1\n3 2";
    const GraphFile graph = read_graph(directory.write("b.mtx", symmetric), in_pieces, context);
    EXPECT_EQ(graph.directedness, Directedness::undirected);
    EXPECT_FALSE(graph.weighted);
    EXPECT_EQ(edges_of(graph), (std::vector<PlainEdge>{{"2", "1"}, {"3", "2"}}));
    const std::string integer = "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -7\n";
    EXPECT_EQ(edges_of(read_graph(directory.write("c.mtx", integer), {}, context)),
              (std::vector<PlainEdge>{{"1", "2", -7.F}}));
  });
}

// A matrix may have as many rows as there are labels, so that every graph that is written can be read again.
TEST(MatrixMarket, HasUpToAllLabels) {
  const TemporaryDirectory directory;
  const std::string text =
      "%%MatrixMarket matrix coordinate pattern symmetric\n281474976710656 281474976710656 1\n281474976710656 1\n";
  on_threads([&](const Context& context) {
    const GraphFile graph = read_graph(directory.write("a.mtx", text), {}, context);
    EXPECT_EQ(graph.names.count(), static_cast<std::uint64_t>(label_bound));
    EXPECT_EQ(edges_of(graph), (std::vector<PlainEdge>{{"281474976710656", "1"}}));
  });
}

TEST(MatrixMarket, RefusesWhatItCannotRead) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "is empty"},
      {"1 2\n", ":1: a Matrix Market file starts with"},
      {"%%MatrixMarket matrix coordinate\n1 1 1\n", ":1: a Matrix Market file starts with"},
      {"%%MatrixMarket vector coordinate real general\n", ":1: 'vector' is not 'matrix'"},
      {"%%MatrixMarket matrix array real general\n2 2\n", ":1: the format 'array'"},
      {"%%MatrixMarket matrix coordinate complex general\n", ":1: the field 'complex'"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", ":1: the symmetry 'hermitian'"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n", ":1: the symmetry 'skew-symmetric'"},
      {banner, "truncated: it ends before the line of sizes"},
      {banner + "% only\n\n", "truncated: it ends before the line of sizes"},
      {banner + "2 2\n", ":2: 2 columns, but this line"},
      {banner + "%\n2 x 1\n", ":3: 'x' is not a size"},
      {banner + "2 2 -1\n", ":2: '-1' is not a size"},
      {banner + "2 2 99999999999999999999\n", ":2: '99999999999999999999' is not a size"},
      {banner + "2 3 1\n1 1\n", ":2: a matrix of 2 rows and 3 columns is not a graph"},
      {banner + "281474976710657 281474976710657 1\n1 1\n", ":2: 281474976710657 rows are too many"},
      {banner + "2 2 0\n", "has no edges"},
      {banner + "2 2 2\n1 2\n3 1\n", ":4: label 3 is outside 1 to 2"},
      {banner + "2 2 2\n1 2\n0 1\n", ":4: label 0 is outside 1 to 2"},
      {banner + "2 2 2\n1 2\n-1 1\n", ":4: label -1 is negative"},
      {banner + "2 2 2\n1 2\n1 1 0.5\n", ":4: 3 columns, but the header has 2"},
      {banner + "2 2 2\n1 2\n", "has 1 entries, but its header says 2; it is truncated"},
      {banner + "2 2 1\n1 2\n1 1\n", "has 2 entries, but its header says 1"},
      {banner + "2 2 1\n", "has 0 entries, but its header says 1; it is truncated"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n", ":3: 2 columns, but the header has 3"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 z\n", ":3: weight 'z' is not a number"},
  };
  test::expect_bad_files("a.mtx", cases, {in_pieces});
}

}  // namespace
}  // namespace breadth
