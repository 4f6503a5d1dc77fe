#include "io/binary/packed_file.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "file_support.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::edges_of;
using test::error_of;
using test::on_threads;
using test::PlainEdge;
using test::TemporaryDirectory;
using testing::HasSubstr;

TEST(PackedFile, ReadsTuplesByteForByte) {
  const TemporaryDirectory directory;
  // 0x123400000001 -> 0x000056789ABC, then 7 -> 7: low halves first, then both high halves.
  const std::string bytes(
      "\x01\x00\x00\x00\xBC\x9A\x78\x56\x34\x12\x00\x00\x07\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00", 24);
  const std::string path = directory.write("graph.g500", bytes);
  on_threads([&](const Context& context) {
    const GraphFile graph = read_graph(path, {}, context);
    EXPECT_EQ(graph.edge_count, 2U);
    EXPECT_FALSE(graph.weighted);
    EXPECT_FALSE(graph.directedness);
    EXPECT_EQ(std::pair(graph.names.kind(), graph.names.first()), std::pair(NameKind::range, std::int64_t{0}));
    EXPECT_EQ(edges_of(graph),
              (std::vector<PlainEdge>{{std::to_string(0x123400000001), std::to_string(0x56789ABC)}, {"7", "7"}}));
  });
}

TEST(PackedFile, ReadsWeightsBesideIt) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("graph.g500", std::string(36, '\0'));
  const std::vector<float> weights{0.5F, 1.F, -2.F};
  const std::string raw(reinterpret_cast<const char*>(weights.data()), 12);
  const std::string beside = directory.write("graph.g500.weights", raw);
  on_threads([&](const Context& context) {
    const GraphFile graph = read_graph(path, {}, context);
    EXPECT_TRUE(graph.weighted);
    EXPECT_EQ(edges_of(graph), (std::vector<PlainEdge>{{"0", "0", -2.F}, {"0", "0", 0.5F}, {"0", "0", 1.F}}));
  });
  ThreadTeam threads(1);
  for (const std::string& wrong : {raw.substr(0, 8), raw.substr(0, 11), raw + "abcd", std::string()}) {
    EXPECT_THAT(error_of([&] {
                  static_cast<void>(directory.write("graph.g500.weights", wrong));
                  read_graph(path, {}, {test::world(), threads});
                }),
                testing::AllOf(HasSubstr(beside), HasSubstr("but the 3 edges of"), HasSubstr("need 12")));
  }
}

// Every rank checks that weights are lengths. A message gives the place in the whole file.
TEST(PackedFile, RefusesWeightsThatAreNoLengths) {
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  const std::size_t count = 20000;
  const std::string path = directory.write("graph.g500", std::string(12 * count, '\0'));
  const auto refusal = [&] {
    return error_of([&] { read_graph(path, {.weights = WeightUse::lengths}, {test::world(), threads}); });
  };
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("has no weights"), HasSubstr("graph.g500.weights")));
  std::vector<float> weights(count, 0.0F);
  const auto write_weights = [&] {
    static_cast<void>(
        directory.write("graph.g500.weights", std::string(reinterpret_cast<const char*>(weights.data()), 4 * count)));
  };
  write_weights();
  EXPECT_EQ(refusal(), "");
  for (const float wrong : {-0.5F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    weights[17000] = wrong;
    weights[16999] = wrong;
    write_weights();
    EXPECT_THAT(refusal(), testing::AllOf(HasSubstr(path), HasSubstr("edge 17000, from 0 to 0, has weight ")));
  }
}

TEST(PackedFile, RefusesOtherSizes) {
  const TemporaryDirectory directory;
  ThreadTeam threads(1);
  const auto refusal = [&](const std::string& path) {
    return error_of([&] { read_graph(path, {}, {test::world(), threads}); });
  };
  EXPECT_THAT(refusal(directory.write("a.g500", "")), HasSubstr("has no edges"));
  EXPECT_THAT(refusal(directory.write("a.g500", std::string(11, 'x'))),
              HasSubstr("its size of 11 bytes is not a multiple of 12"));
  EXPECT_THAT(refusal(directory.write("a.g500", std::string(121, 'x'))), HasSubstr("truncated"));
  EXPECT_THAT(refusal(directory.file("missing.g500")), HasSubstr("No such file"));
}

// A graph and its weights are two files. If writing is interrupted at any step, both must be the old ones.
TEST(PackedFile, ReplacesBothFilesOrNone) {
  if (test::world().size() > 1) GTEST_SKIP() << "one rank counts its steps";
  const TemporaryDirectory directory;
  ThreadTeam threads(2);
  const Context context{test::world(), threads};
  for (const char* lines : {"0 1 0.5\n1 2 0.25\n", "0 1\n1 2\n"}) {
    const GraphFile graph = read_graph(directory.write("new.txt", lines), {}, context);
    const std::string path = directory.write("graph.g500", "old");
    const std::string weights = directory.write("graph.g500.weights", "old weights");
    bool stopped = true;
    for (int steps = 0; stopped; ++steps) {
      ASSERT_LT(steps, 100);
      threads.set_checkpoint([left = steps]() mutable {
        if (left-- == 0) throw std::runtime_error("stopped");
      });
      try {
        GraphOutput(path, test::world()).write(graph, context);
        stopped = false;
        EXPECT_GT(steps, 0);
      } catch (const std::runtime_error&) {
        ASSERT_EQ(content_of(path), "old") << steps;
        ASSERT_EQ(content_of(weights), "old weights") << steps;
      }
      threads.set_checkpoint({});
    }
    EXPECT_EQ(content_of(path).size(), 24U);
    EXPECT_EQ(content_of(weights).size(), graph.weighted ? 8U : 0U);
    EXPECT_EQ(directory.names().size(), graph.weighted ? 3U : 2U);
  }
}

}  // namespace
}  // namespace breadth
