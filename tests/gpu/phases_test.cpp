// Single phases at the boundaries of words, rows, pieces and groups of lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "core/errors.hpp"
#include "gpu/bfs/search_phases.hpp"
#include "gpu/memory_plan.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/simulated/simulated_device.hpp"

namespace breadth::gpu {
namespace {

/// A graph with rows of these lengths, longest first. The neighbours of each vertex are the vertices 0, 1, 2 and so on.
struct Star {
  explicit Star(const std::vector<std::uint32_t>& degrees) {
    for (const std::uint32_t degree : degrees) {
      for (std::uint32_t i = 0; i < degree; ++i) neighbours.push_back(i);
      offsets.push_back(neighbours.size());
      first_neighbours.push_back(0);
    }
    const auto vertices = static_cast<std::uint32_t>(degrees.size());
    word_degrees.assign(vertices / 32 + 1, 1);
    bounds = {.first_leaf = vertices, .searched = vertices, .vertices = vertices};
    visited.assign(vertices / 32 + 1, 0);
    found.assign(vertices / 32 + 1, 0);
    parents.assign(vertices, ~0U);
    queue.assign(vertices, ~0U);
    next.assign(vertices, ~0U);
  }
  template <class T>
  static ArrayView<const T> constant(std::vector<T>& values) {
    return {values.data(), values.size()};
  }
  template <class T>
  static ArrayView<T> view(std::vector<T>& values) {
    return {values.data(), values.size()};
  }
  GraphView graph() {
    return {constant(offsets),      {offsets.data() + 1, offsets.size() - 1},
            constant(neighbours),   constant(first_neighbours),
            constant(word_degrees), constant(first_pieces),
            constant(piece_rows),   bounds};
  }
  SearchView search() { return {view(visited), view(found), view(parents), view(tallies)}; }
  QueueView front() { return {view(queue), view(pieces), view(sizes)}; }
  QueueView target() { return {view(next), view(next_pieces), view(next_sizes)}; }
  MissView misses() { return {view(queue), view(sizes)}; }
  void visit(std::uint32_t vertex) { visited[vertex / 32] |= 1U << vertex % 32; }
  [[nodiscard]] bool is_visited(std::uint32_t vertex) const { return (visited[vertex / 32] >> vertex % 32 & 1U) != 0; }
  [[nodiscard]] bool is_found(std::uint32_t vertex) const { return (found[vertex / 32] >> vertex % 32 & 1U) != 0; }

  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours, first_neighbours, word_degrees, first_pieces{0}, piece_rows;
  std::vector<std::uint32_t> visited, found, parents, queue, next, pieces, next_pieces;
  std::vector<std::uint32_t> sizes = std::vector<std::uint32_t>(row_classes);
  std::vector<std::uint32_t> next_sizes = std::vector<std::uint32_t>(row_classes);
  std::vector<std::uint64_t> tallies = std::vector<std::uint64_t>(tally_kinds);
  RowBounds bounds;
};

/// The frontier is vertex 0 alone, with a row of this class, and `warps` warps process it. Checks that each of its
/// neighbours is claimed once, except vertex 0 itself and vertices visited before.
void expect_push(std::uint32_t degree, RowClass row_class, std::uint64_t warps) {
  Star star(std::vector<std::uint32_t>(std::max(degree, 2U), degree));
  star.visit(0);
  star.visit(1);
  star.queue[0] = 0;
  star.sizes[row_class] = 1;
  SimulatedDevice().launch(QueueWalk<PushStep>{{star.graph(), star.search(), star.front(), star.target(), degree}},
                           warps);
  const std::uint32_t claimed = degree - std::min(degree, 2U);
  EXPECT_EQ(star.tallies[vertices_claimed], claimed);
  EXPECT_EQ(star.tallies[edges_examined], degree);
  EXPECT_EQ(star.next_sizes[by_lanes], claimed);
  const std::set<std::uint32_t> queued(star.next.begin(), star.next.begin() + claimed);
  EXPECT_EQ(queued.size(), claimed);
  for (std::uint32_t vertex = 2; vertex < degree; ++vertex) {
    EXPECT_TRUE(star.is_visited(vertex));
    EXPECT_EQ(star.parents[vertex], 0);
    EXPECT_EQ(queued.count(vertex), 1);
  }
}

TEST(GpuPhases, RowsOfEveryLengthArePushedAlongByAnyLanes) {
  for (const std::uint32_t degree : {1U, 2U, 7U, 8U, 9U, 31U, 32U, 33U, 64U, 100U}) {
    for (const RowClass row_class : {by_warps, by_groups, by_lanes}) {
      for (const std::uint64_t warps : {1U, 2U, 5U, 20U}) {
        SCOPED_TRACE(testing::Message() << degree << ' ' << row_class << ' ' << warps);
        expect_push(degree, row_class, warps);
      }
    }
  }
}

/// The found bits of a push without queues are exactly the vertices that it visits, without those visited before.
TEST(GpuPhases, APushWithoutQueuesLeavesWhatItFoundInItsBits) {
  for (const std::uint32_t degree : {1U, 33U, 100U}) {
    SCOPED_TRACE(degree);
    Star star(std::vector<std::uint32_t>(100, degree));
    star.bounds.searched = 90;
    for (std::uint32_t i = 0; i < 100; i += 7) star.visit(i);
    star.queue[0] = 0;
    star.sizes[by_warps] = 1;
    const SimulatedDevice device;
    device.launch(KeepVisited{{star.search()}, star.visited.size()}, 1);
    device.launch(QueueWalk<PushUnqueuedStep>{{star.graph(), star.search(), star.front()}}, 2);
    device.launch(SettlePush{{star.graph(), star.search()}, 0, 100}, 1);
    std::uint32_t claimed = 0;
    for (std::uint32_t i = 0; i < 100; ++i) {
      const bool fresh = i < std::min(degree, 90U) && i % 7 != 0;
      claimed += fresh ? 1 : 0;
      EXPECT_EQ(star.is_found(i), fresh) << i;
      EXPECT_EQ(star.is_visited(i), fresh || i % 7 == 0);
      EXPECT_EQ(star.parents[i], fresh ? 0 : ~0U);
    }
    EXPECT_EQ(star.tallies[vertices_claimed], claimed);
    EXPECT_EQ(star.tallies[edges_claimed], claimed);
    EXPECT_EQ(star.tallies[edges_examined], degree);
    EXPECT_EQ(star.next_sizes[by_lanes], 0);
  }
}

/// Found vertices of every class are put into the queue of their class once each. The bounds of the classes are inside
/// words.
TEST(GpuPhases, WhatWasFoundIsQueuedByClass) {
  constexpr std::uint32_t vertices = 3000;
  Star star(std::vector<std::uint32_t>(vertices, 2));
  star.bounds.long_rows = 40;
  star.bounds.push_warps = 500;
  star.bounds.push_groups = 1601;
  star.first_pieces.clear();
  for (std::uint32_t i = 0; i <= 40; ++i) star.first_pieces.push_back(3 * i);
  star.pieces.assign(120, ~0U);
  std::set<std::uint32_t> found;
  for (std::uint32_t i = 5; i < vertices; i += 1 + i % 13) {
    star.found[i / 32] |= 1U << i % 32;
    found.insert(i);
  }
  SimulatedDevice().launch(CollectFrontier{star.graph(), star.search(), star.front()}, 3);
  std::set<std::uint32_t> queued;
  for (std::uint32_t i = 0; i < star.sizes[by_pieces]; ++i) {
    EXPECT_EQ(found.count(star.pieces[i] / 3), 1);
    if (star.pieces[i] % 3 == 2) {
      EXPECT_TRUE(queued.insert(star.pieces[i] / 3).second);
    }
  }
  EXPECT_EQ(star.sizes[by_pieces], 3 * queued.size());
  for (const RowClass row_class : {by_warps, by_groups, by_lanes}) {
    const std::uint32_t begin = star.bounds.begin(row_class);
    const std::uint32_t end = row_class == by_lanes ? vertices : star.bounds.begin(row_class + 1);
    for (std::uint32_t i = 0; i < star.sizes[row_class]; ++i) {
      const std::uint32_t vertex = star.queue[begin + i];
      EXPECT_TRUE(vertex >= begin && vertex < end);
      EXPECT_TRUE(queued.insert(vertex).second);
    }
  }
  EXPECT_EQ(queued, found);
}

TEST(GpuPhases, LongRowsArePushedAlongInPieces) {
  for (const std::uint32_t degree : {257U, 512U, 513U, 1025U, 5000U}) {
    std::vector<std::uint32_t> degrees(5000, 1);
    degrees[0] = degree;
    Star star(degrees);
    const std::uint32_t pieces = (degree + piece_edges - 1) / piece_edges;
    star.bounds.long_rows = star.bounds.push_warps = star.bounds.push_groups = 1;
    star.first_pieces = {0, pieces};
    star.piece_rows.assign(pieces, 0);
    star.pieces.assign(pieces, ~0U);
    star.next_pieces.assign(pieces, ~0U);
    star.visit(0);
    const LockStepWarp warp({});
    append(warp, star.graph(), star.front(), warp.same(0), warp.lane() == 5U);
    ASSERT_EQ(star.sizes[by_pieces], pieces);
    SimulatedDevice().launch(QueueWalk<PushStep>{{star.graph(), star.search(), star.front(), star.target(), 5000}},
                             pieces);
    EXPECT_EQ(star.tallies[edges_examined], degree);
    EXPECT_EQ(star.tallies[vertices_claimed], degree - 1);
    EXPECT_EQ(star.next_sizes[by_lanes], degree - 1);
    EXPECT_TRUE(star.is_visited(degree - 1));
    EXPECT_EQ(degree < 5000 && star.is_visited(degree), false);
  }
}

/// All vertices have the same long row, in which the neighbour at `hit` is the first one in the frontier. Checks that
/// each vertex finds it, and that no group of lanes looks further than the group of neighbours that contains it.
template <std::uint32_t Width>
void expect_pull(std::uint32_t degree, std::uint32_t hit, std::uint32_t rows) {
  Star star(std::vector<std::uint32_t>(200, degree));
  star.visit(hit);
  for (std::uint32_t i = 0; i < rows; ++i) star.queue[i] = 199 - i;
  star.sizes[missed_by_groups] = rows;
  SimulatedDevice().launch(PullRows<Width>{star.graph(), star.search(), star.misses()}, 1);
  for (std::uint32_t vertex = 0; vertex < 200; ++vertex) {
    const bool finds = vertex >= 200 - rows && hit < degree;
    EXPECT_EQ(star.is_found(vertex), finds);
    EXPECT_EQ(star.parents[vertex], finds ? hit : ~0U);
  }
  const std::uint64_t looked_at = std::min(degree - 1, ((hit - 1) / Width + 1) * Width);
  EXPECT_EQ(star.tallies[edges_examined], rows * looked_at);
}

TEST(GpuPhases, RowsAreLookedThroughUpToTheFirstHit) {
  for (const std::uint32_t degree : {2U, 8U, 9U, 10U, 33U, 34U, 90U}) {
    for (const std::uint32_t hit : {1U, 7U, 8U, 9U, 32U, 33U, 80U, 150U}) {
      SCOPED_TRACE(testing::Message() << "degree " << degree << ", hit " << hit);
      for (const std::uint32_t rows : {1U, 3U, 4U, 5U, 40U}) {
        expect_pull<8>(degree, hit, rows);
        expect_pull<32>(degree, hit, rows);
      }
    }
  }
}

/// Pulls first neighbours that are in the frontier or not, for ranges that begin and end inside words.
TEST(GpuPhases, WordsOfFirstNeighboursArePulled) {
  constexpr std::uint32_t vertices = 3000;
  for (const std::uint32_t begin : {0U, 31U, 64U, 1000U}) {
    Star star(std::vector<std::uint32_t>(vertices, 2));
    star.bounds.pull_warps = 1500;
    star.bounds.first_leaf = 2500;
    for (std::uint32_t i = 0; i < vertices; ++i) star.first_neighbours[i] = i * 7 % vertices;
    for (std::uint32_t i = 0; i < vertices; i += 3) star.visit(i);
    for (std::uint32_t i = 320; i < 384; ++i) star.visit(i);
    const std::uint32_t end = 2990;
    SimulatedDevice().launch(PullWords{star.graph(), star.search(), star.misses(), begin, end}, vertices / 1024 + 1);
    std::set<std::uint32_t> by_warp(star.queue.begin(), star.queue.begin() + star.sizes[missed_by_warps]);
    std::set<std::uint32_t> by_group(star.queue.begin() + 1500,
                                     star.queue.begin() + 1500 + star.sizes[missed_by_groups]);
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
      const bool wanted = vertex >= begin && vertex < end && !star.is_visited(vertex);
      const bool hit = wanted && star.is_visited(vertex * 7 % vertices);
      ASSERT_EQ(star.is_found(vertex), hit) << vertex;
      ASSERT_EQ(star.parents[vertex], hit ? vertex * 7 % vertices : ~0U);
      ASSERT_EQ(by_warp.count(vertex), wanted && !hit && vertex < 1500 ? 1 : 0);
      ASSERT_EQ(by_group.count(vertex), wanted && !hit && vertex >= 1500 && vertex < 2500 ? 1 : 0);
    }
  }
}

TEST(GpuMemory, WhatDoesNotFitIsRefusedWithFigures) {
  EXPECT_NO_THROW(require_memory({.graph = 3U << 20U, .search = 1U << 20U}, 4U << 20U, "a GPU"));
  try {
    require_memory({.graph = 3U << 20U, .search = 1U << 20U}, (4U << 20U) - 1, "a GPU");
    FAIL() << "no error";
  } catch (const OutOfMemory& error) {
    EXPECT_STREQ(error.what(),
                 "the graph (3 MiB) and its search (1 MiB) do not fit into the memory of a GPU, of which "
                 "4 MiB are free");
  }
}

}  // namespace
}  // namespace breadth::gpu
