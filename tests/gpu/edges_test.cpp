// Edge lists that are generated on a device or copied to it, compared with those of the processors.
#include "gpu/edges.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/errors.hpp"
#include "device_ways.hpp"
#include "generate/generators.hpp"
#include "generate/kronecker_lanes.hpp"
#include "support/edge_lists.hpp"

namespace breadth {
namespace {

class GpuEdgesTest : public test::DeviceTest {
 protected:
  struct Tuples {
    std::vector<Edge> edges;
    std::vector<float> weights;
  };
  static Tuples tuples_of(gpu::Edges& edges, bool weighted) {
    std::vector<std::uint32_t> sources(edges.size());
    std::vector<std::uint32_t> targets(edges.size());
    Tuples tuples;
    tuples.weights.resize(weighted ? edges.size() : 0);
    edges.copy_tuples(sources, targets, tuples.weights);
    for (std::size_t i = 0; i < sources.size(); ++i) tuples.edges.push_back(test::edge(sources[i], targets[i]));
    return tuples;
  }
};

INSTANTIATE_TEST_SUITE_P(On, GpuEdgesTest, test::every_device(), test::device_name);

/// Tuples and weights are equal bit for bit, for whole lists and for blocks that end anywhere.
TEST_P(GpuEdgesTest, KroneckerTuplesAreThoseOfTheProcessors) {
  ThreadTeam threads(1);
  for (const KroneckerParameters& parameters :
       {KroneckerParameters{.scale = 1, .edgefactor = 1}, KroneckerParameters{.scale = 3, .edgefactor = 7},
        KroneckerParameters{.scale = 10, .edgefactor = 16},
        KroneckerParameters{.scale = 9, .edgefactor = 3, .seed = {0x123456789ABCDEFU, ~std::uint64_t{0}}}}) {
    const Kronecker kronecker(parameters);
    std::vector<Edge> edges(kronecker.edge_count(), Edge{no_label, no_label});
    std::vector<float> weights(edges.size());
    kronecker.generate(0, edges, weights);
    for (const std::uint64_t held : {edges.size(), std::size_t{1000}, std::size_t{33}}) {
      if (held == 33 && edges.size() > 2000) continue;  // too many launches, one for each block
      SCOPED_TRACE("scale " + std::to_string(parameters.scale) + ", blocks of " + std::to_string(held));
      const auto on_device =
          test::edges_on(GetParam(), {.kronecker = &kronecker, .weighted = true, .held = held}, threads);
      const Tuples made = tuples_of(*on_device, true);
      EXPECT_EQ(made.edges, edges);
      EXPECT_EQ(made.weights, weights);
      EXPECT_EQ(on_device->bytes(), 12 * std::min<std::uint64_t>(held, edges.size()));
    }
  }
}

/// Of a hundred thousand tuples, some have draws that are too small and are drawn again.
TEST_P(GpuEdgesTest, DrawsAreDrawnAgain) {
  const Kronecker kronecker({.scale = 16, .edgefactor = 2});
  std::vector<Edge> edges(kronecker.edge_count(), Edge{no_label, no_label});
  kronecker.generate(0, edges, {});
  std::uint64_t drawn_again = 0;
  const KroneckerLanes lanes = kronecker.lanes_from(0);
  Recurrence::State start = lanes.start;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Recurrence numbers(start);
    for (int draw = 0; draw < 16; ++draw) drawn_again += numbers.next() < KroneckerRule::min_draw ? 1U : 0U;
    start = Recurrence::apply(lanes.powers[0], start);
  }
  ASSERT_GT(drawn_again, 0);
  ThreadTeam threads(1);
  EXPECT_EQ(tuples_of(*test::edges_on(GetParam(), {.kronecker = &kronecker}, threads), false).edges, edges);
}

TEST_P(GpuEdgesTest, ListsOfTheHostAreCopied) {
  ThreadTeam threads(2);
  test::NamedEdges list = test::random_edges(5000, 9001, 8);
  for (std::size_t i = 0; i < list.edges.size(); ++i) list.weights.push_back(static_cast<float>(i) / 3);
  const MemoryEdgeList on_host(list.edges, list.weights);
  for (const std::uint64_t held : {std::uint64_t{9001}, ~std::uint64_t{0}, std::uint64_t{4000}, std::uint64_t{1}}) {
    const auto edges = test::edges_on(GetParam(), {.list = &on_host, .weighted = true, .held = held}, threads);
    const Tuples copied = tuples_of(*edges, true);
    EXPECT_EQ(copied.edges, list.edges) << held;
    EXPECT_EQ(copied.weights, list.weights) << held;
  }
  EXPECT_EQ(tuples_of(*test::edges_on(GetParam(), {.list = &on_host}, threads), false).edges, list.edges);
}

TEST_P(GpuEdgesTest, LabelsThatDoNotFitAreRefused) {
  ThreadTeam threads(1);
  for (const std::int64_t label : {std::int64_t{0xFFFFFFFF}, std::int64_t{1} << 40}) {
    const MemoryEdgeList list(std::vector<Edge>{test::edge(0, 1), test::edge(3, label)});
    try {
      (void)test::edges_on(GetParam(), {.list = &list}, threads);
      ADD_FAILURE() << label;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(label)), std::string::npos) << error.what();
    }
  }
}

TEST(GpuEdges, ListsThatDoNotFitAreRefusedWithFigures) {
  ThreadTeam threads(1);
  const Kronecker kronecker({.scale = 16, .edgefactor = 16});
  const gpu::TupleSource source{.kronecker = &kronecker};
  try {
    (void)gpu::make_simulated_edges(source, threads, std::uint64_t{1} << 22);
    ADD_FAILURE();
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("8 MiB"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("4 MiB"), std::string::npos) << error.what();
  }
}

/// A refusal recommends streaming the edge list if the blocks would leave enough memory, and only then.
TEST(GpuEdges, RefusalsNameTheWayOut) {
  const std::uint64_t all = gpu::edge_bytes(10 * gpu::default_block_tuples, false);
  const std::uint64_t block = gpu::edge_bytes(gpu::default_block_tuples, false);
  const auto names_it = [](const auto& require) {
    try {
      require();
    } catch (const OutOfMemory& error) {
      return std::string(error.what()).find("--device-edges streamed") != std::string::npos;
    }
    ADD_FAILURE() << "no error";
    return false;
  };
  EXPECT_TRUE(names_it([&] { gpu::require_edge_memory(all, block, "a device"); }));
  EXPECT_FALSE(names_it([&] { gpu::require_edge_memory(all, block - 1, "a device"); }));
  EXPECT_FALSE(names_it([&] { gpu::require_edge_memory(block, block - 1, "a device"); }));
  const std::uint64_t spare = all - block;
  EXPECT_TRUE(names_it([&] { gpu::require_construction_memory(spare + 5, all, 5, "a device"); }));
  EXPECT_FALSE(names_it([&] { gpu::require_construction_memory(spare + 6, all, 5, "a device"); }));
  const gpu::RunPlan plan{.edges = all, .block = block, .construction = 70, .searches = {30, 30}, .validation = 20};
  EXPECT_TRUE(names_it([&] { gpu::require_run_memory(plan, block + 80, "a device"); }));
  EXPECT_FALSE(names_it([&] { gpu::require_run_memory(plan, block + 79, "a device"); }));
  EXPECT_NO_THROW(gpu::require_run_memory(plan, all + 80, "a device"));
}

}  // namespace
}  // namespace breadth
