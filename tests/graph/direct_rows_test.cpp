// Rows that are built directly, compared with sets of neighbours.
#include "graph/build/direct_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "core/data/label_array.hpp"
#include "support/edge_lists.hpp"

namespace breadth {
namespace {

using test::world;

TEST(DegreeCounter, CountsBeyondItsBytes) {
  constexpr std::size_t labels = 50;
  ThreadTeam threads(3);
  DegreeCounter counter(labels, threads);
  std::vector<std::map<std::size_t, std::uint64_t>> expected(3);
  threads.run([&](int thread) {
    std::mt19937_64 random(static_cast<std::uint64_t>(thread));
    DegreeCounter::OfThread degrees = counter.of_thread(thread);
    for (int i = 0; i < 20000; ++i) {
      const std::size_t label = std::min(random() % labels, random() % labels);  // low labels more than 256 times
      degrees.count(label);
      ++expected[static_cast<std::size_t>(thread)][label];
    }
    for (int i = 0; i < 512; ++i) degrees.count(labels - 1);  // the byte overflows to 0
    expected[static_cast<std::size_t>(thread)][labels - 1] += 512;
  });
  const Buffer<std::uint32_t> sums = counter.sums();
  std::vector<std::map<std::size_t, std::uint64_t>> counts(3);
  for (int thread = 0; thread < 3; ++thread) {
    counter.for_each_count(thread, [&](std::size_t label, std::uint32_t count) {
      counts[static_cast<std::size_t>(thread)][label] += count;
    });
  }
  EXPECT_EQ(counts, expected);
  for (std::size_t label = 0; label < labels; ++label) {
    EXPECT_EQ(sums[label], expected[0][label] + expected[1][label] + expected[2][label]) << label;
  }
}

/// Checks that each row has the neighbours of its vertex once each, in increasing order.
void expect_rows(std::span<const Edge> edges, std::int64_t labels, VertexOrder order, int thread_count) {
  ThreadTeam threads(thread_count);
  const BlockDistribution distribution(static_cast<std::uint64_t>(labels), 1);
  const auto [vertices, rows] = build_directly(MemoryEdgeList(edges), order, distribution, {world(), threads});
  std::map<std::int64_t, std::set<std::uint32_t>> expected;
  for (const auto& [source, target] : edges) {
    if (source == target) continue;
    expected[source.value].insert(vertices.local_of_offset[target.index()]);
    expected[target.value].insert(vertices.local_of_offset[source.index()]);
  }
  ASSERT_EQ(vertices.offset_of_local.size(), expected.size());
  ASSERT_EQ(rows.offsets.size(), expected.size() + 1);
  std::size_t entries = 0;
  for (std::uint32_t local = 0; local < expected.size(); ++local) {
    const auto row = rows.row(LocalVertex{local});
    const auto& neighbours = expected[vertices.offset_of_local[local]];
    ASSERT_TRUE(std::equal(row.begin(), row.end(), neighbours.begin(), neighbours.end())) << "global id " << local;
    entries += row.size();
  }
  EXPECT_EQ(rows.entries(), entries);
}

TEST(DirectRows, HaveTheNeighboursOfManyDuplicates) {
  for (const int threads : {1, 3}) {
    for (const VertexOrder order : {VertexOrder::degree, VertexOrder::label}) {
      const test::NamedEdges few = test::skewed_edges(40, 20000, 3);  // most vertices have more than 256 edges
      expect_rows(few.edges, 40, order, threads);
      const test::NamedEdges many = test::skewed_edges(3000, 30000, 4);
      expect_rows(many.edges, 3000, order, threads);
    }
  }
}

TEST(DirectRows, HaveTheNeighboursOfGraphsWithoutEdges) {
  expect_rows(std::vector{test::edge(3, 3), test::edge(0, 0)}, 9, VertexOrder::degree, 2);
}

/// More vertices than keys allow: a key has no room for a bucket row beside a column.
TEST(DirectRows, HaveTheNeighboursOfMoreVerticesThanKeysAreFor) {
  if (world().rank() > 0) GTEST_SKIP() << "every rank would do the same";
  constexpr std::int64_t labels = (std::int64_t{1} << 22) + 12345;
  std::vector<Edge> path;
  for (std::int64_t i = 1; i < labels; ++i) path.push_back(i % 2 == 0 ? test::edge(i - 1, i) : test::edge(i, i - 1));
  for (std::int64_t i = 0; i < 1000; ++i) path.push_back(test::edge(i * 7, i * 7 + 1));  // duplicates
  ThreadTeam threads(2);
  const BlockDistribution distribution(labels, 1);
  const auto [order, rows] =
      build_directly(MemoryEdgeList(path), VertexOrder::degree, distribution, {world(), threads});
  ASSERT_EQ(order.offset_of_local.size(), labels);
  ASSERT_EQ(rows.entries(), 2 * (labels - 1));
  for (std::uint32_t local = 0; local < labels; ++local) {
    const std::int64_t label = order.offset_of_local[local];
    std::vector<std::uint32_t> expected;
    if (label > 0) expected.push_back(order.local_of_offset[static_cast<std::size_t>(label - 1)]);
    if (label + 1 < labels) expected.push_back(order.local_of_offset[static_cast<std::size_t>(label + 1)]);
    std::sort(expected.begin(), expected.end());
    const auto row = rows.row(LocalVertex{local});
    ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.begin(), expected.end())) << "label " << label;
  }
}

}  // namespace
}  // namespace breadth
