#include "io/output/table_output.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/data/label_array.hpp"
#include "file_support.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::on_threads;
using test::TemporaryDirectory;

/// Writes a made-up result for every vertex v of a graph: parent v - 1 (none for the first), level v, distance v / 2 or
/// infinity.
class TableOutput : public testing::Test {
 protected:
  void fill(std::uint64_t vertices) {
    const int rank = test::world().rank();
    distribution_ = BlockDistribution(vertices, test::world().size());
    const std::size_t held = distribution_.count(rank);
    parents_ = LabelArray(held, vertices);
    levels_.resize(held);
    distances_.resize(held);
    rows_ = Bitmap(held);
    for (std::size_t i = 0; i < held; ++i) {
      const std::int64_t label = distribution_.label(rank, i).value;
      parents_.set(i, label == 0 ? no_label : Label{label - 1});
      levels_[i] = static_cast<std::int32_t>(label);
      distances_[i] = label == 1 ? std::numeric_limits<float>::infinity() : static_cast<float>(label) / 2;
      if (label % 2 == 1) rows_.insert(i);
    }
  }
  GraphFile words(const std::string& text, const Context& context) {
    return read_graph(directory_.write("graph.txt", text), {}, context);
  }
  template <class Write>
  std::string written(Write&& write) {
    const std::string path = directory_.file("out");
    SharedOutputFile file(path, test::world());
    write(file);
    file.commit();
    const std::string content = content_of(path);
    test::world().barrier();
    return content;
  }
  [[nodiscard]] std::vector<TableColumn> bfs() const {
    return {{"parent", &parents_}, {"level", std::span<const std::int32_t>(levels_)}};
  }

  TemporaryDirectory directory_;
  BlockDistribution distribution_;
  LabelArray parents_;
  std::vector<std::int32_t> levels_;
  std::vector<float> distances_;
  Bitmap rows_;
};

/// The header and the data of an .npy file.
std::pair<std::string, std::string> split_npy(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
  EXPECT_EQ((10 + length) % 64, 0U);
  std::string header = bytes.substr(10, length);
  EXPECT_EQ(header.back(), '\n');
  header.erase(header.find_last_not_of(" \n") + 1);
  return {header, bytes.substr(10 + length)};
}

template <class Value>
Value value_at(const std::string& bytes, std::size_t at) {
  Value value{};
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

TEST_F(TableOutput, TextWithPlainLabels) {
  fill(3);
  on_threads([&](const Context& context) {
    const VertexNames names = VertexNames::range(0, 3);
    EXPECT_EQ(written([&](auto& file) {
                write_table_text(file, {names, distribution_, bfs()}, context);
              }),
              "# label parent level\n0 -1 0\n1 0 1\n2 1 2\n");
    const VertexNames shifted = VertexNames::range(1, 3);
    const Table table{
        shifted, distribution_, {{"distance", std::span<const float>(distances_)}, {"parent", &parents_}}};
    EXPECT_EQ(written([&](auto& file) { write_table_text(file, table, context); }),
              "# label distance parent\n1 0 -1\n2 inf 1\n3 1 2\n");
  });
}

TEST_F(TableOutput, TextWithNames) {
  fill(3);
  on_threads([&](const Context& context) {
    const GraphFile graph = words("carol alice\nbob alice\n", context);
    EXPECT_EQ(written([&](auto& file) {
                write_table_text(file, {graph.names, distribution_, bfs()}, context);
              }),
              "# label parent level\nalice -1 0\nbob alice 1\ncarol bob 2\n");
    const GraphFile integers = words("-9 70000000000\n12 -9\n", context);
    EXPECT_EQ(written([&](auto& file) {
                write_table_text(file, {integers.names, distribution_, bfs()}, context);
              }),
              "# label parent level\n-9 -1 0\n12 -9 1\n70000000000 12 2\n");
    const std::string path = directory_.write("graph.csv", "New York,\"\"\"a\"\"\"\n\"b,c\",New York\n");
    const GraphFile odd = read_graph(path, {}, context);
    EXPECT_EQ(written([&](auto& file) {
                write_table_text(file, {odd.names, distribution_, bfs()}, context);
              }),
              "# label parent level\n\"\"\"a\"\"\" -1 0\n\"New York\" \"\"\"a\"\"\" 1\nb,c \"New York\" 2\n");
  });
}

TEST_F(TableOutput, TextOfManyRowsInOrder) {
  constexpr std::int64_t vertices = 1000;
  fill(vertices);
  std::string all = "# label parent level\n";
  std::string odd = all;
  for (std::int64_t v = 0; v < vertices; ++v) {
    const std::string line = std::to_string(v) + " " + std::to_string(v - 1) + " " + std::to_string(v) + "\n";
    all += line;
    if (v % 2 == 1) odd += line;
  }
  on_threads([&](const Context& context) {
    const VertexNames names = VertexNames::range(0, vertices);
    EXPECT_EQ(written([&](auto& file) { write_table_text(file, {names, distribution_, bfs()}, context); }), all);
    EXPECT_EQ(written([&](auto& file) {
                write_table_text(file, {names, distribution_, bfs(), &rows_}, context);
              }),
              odd);
  });
}

TEST_F(TableOutput, NumpyWithOneColumn) {
  fill(200);
  on_threads([&](const Context& context) {
    const VertexNames names = VertexNames::range(0, 200);
    const auto [header, data] = split_npy(written([&](auto& file) {
      write_table_npy(file, {names, distribution_, {bfs().front()}}, context);
    }));
    EXPECT_EQ(header, "{'descr': '<i8', 'fortran_order': False, 'shape': (200,), }");
    ASSERT_EQ(data.size(), 1600U);
    for (std::size_t v = 0; v < 200; ++v) {
      EXPECT_EQ(value_at<std::int64_t>(data, 8 * v), static_cast<std::int64_t>(v) - 1);
    }
  });
}

TEST_F(TableOutput, NumpyWithSeveralColumns) {
  fill(3);
  on_threads([&](const Context& context) {
    const GraphFile graph = words("-9 70000000000\n12 -9\n", context);
    const Table table{graph.names,
                      distribution_,
                      {{"distance", std::span<const float>(distances_)},
                       {"parent", &parents_},
                       {"level", std::span<const std::int32_t>(levels_)}}};
    const auto [header, data] = split_npy(written([&](auto& file) { write_table_npy(file, table, context); }));
    EXPECT_EQ(header,
              "{'descr': [('distance', '<f4'), ('parent', '<i8'), ('level', '<i4'), ], 'fortran_order': False, "
              "'shape': (3,), }");
    ASSERT_EQ(data.size(), 48U);
    EXPECT_EQ(value_at<float>(data, 0), 0.F);
    EXPECT_EQ(value_at<std::int64_t>(data, 4), -1);
    EXPECT_EQ(value_at<float>(data, 16), std::numeric_limits<float>::infinity());
    EXPECT_EQ(value_at<std::int64_t>(data, 20), -9);
    EXPECT_EQ(value_at<std::int64_t>(data, 36), 12);
    EXPECT_EQ(value_at<std::int32_t>(data, 44), 2);
  });
}

TEST_F(TableOutput, LabelsBesideIt) {
  EXPECT_EQ(labels_path("a/parents.npy", NameKind::integers), "a/parents.labels.npy");
  EXPECT_EQ(labels_path("a/parents.npy", NameKind::strings), "a/parents.labels.txt");
  fill(3);
  on_threads([&](const Context& context) {
    const GraphFile strings = words("carol alice\nbob alice\n", context);
    EXPECT_EQ(written([&](auto& file) {
                write_labels(file, {strings.names, distribution_, {}}, context);
              }),
              "alice\nbob\ncarol\n");
    // If names are strings, the vertices in .npy columns are row numbers of the labels file.
    const auto [header, parents] = split_npy(written([&](auto& file) {
      write_table_npy(file, {strings.names, distribution_, {bfs().front()}}, context);
    }));
    EXPECT_EQ(value_at<std::int64_t>(parents, 16), 1);
    const GraphFile integers = words("-9 70000000000\n12 -9\n", context);
    const Table table{integers.names, distribution_, {}, &rows_};
    const auto [label_header, labels] = split_npy(written([&](auto& file) { write_labels(file, table, context); }));
    EXPECT_EQ(label_header, "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }");
    EXPECT_EQ(value_at<std::int64_t>(labels, 0), 12);
  });
}

}  // namespace
}  // namespace breadth
