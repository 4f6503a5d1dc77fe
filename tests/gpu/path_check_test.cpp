// Right and wrong trees of shortest paths, validated on a device and by the processors' validation, which share no
// code.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "device_ways.hpp"
#include "gpu/edges.hpp"
#include "gpu/memory_plan.hpp"
#include "graph500/devices/device_edges.hpp"
#include "reports.hpp"
#include "support/edge_lists.hpp"
#include "support/shortest_paths.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

using test::NamedEdges;
using test::none;
using test::sorted;
using test::world;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct Paths {
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parents;
  std::vector<float> distances;
};

Paths right_paths(const NamedEdges& list, std::int64_t root) {
  const test::ShortestPaths found = test::shortest_paths(list, Directedness::undirected, root);
  Paths paths{.root = static_cast<std::uint32_t>(root), .parents = {}, .distances = found.distances};
  for (const std::int64_t parent : found.parents) {
    paths.parents.push_back(parent < 0 ? none : static_cast<std::uint32_t>(parent));
  }
  return paths;
}

ValidationReport report_of_processors(const NamedEdges& list, const Paths& paths) {
  ThreadTeam threads(1);
  const std::size_t size = paths.parents.size();
  LabelArray parents(size, size);
  std::copy(paths.parents.begin(), paths.parents.end(), parents.entries<std::uint32_t>().begin());
  return validate_sssp(test::part_of(list), Directedness::undirected,
                       {Label{std::int64_t{paths.root}}, parents, paths.distances}, BlockDistribution(size, 1),
                       {world(), threads});
}

ValidationReport report_of_device(gpu::Edges& edges, const Paths& paths) {
  return report_of(edges.check_paths(paths.parents, paths.distances, paths.root), Label{std::int64_t{paths.root}},
                   {.labels = paths.parents.size(), .distances = true});
}

/// Checks that each rule is broken equally often in both reports, and with the same examples. Where there are many
/// cases, each report has only some of them as examples.
void expect_same(const ValidationReport& found, const ValidationReport& expected) {
  ASSERT_EQ(found.broken.size(), expected.broken.size()) << found.text() << "instead of\n" << expected.text();
  for (std::size_t i = 0; i < found.broken.size(); ++i) {
    EXPECT_EQ(name_of(found.broken[i].rule), name_of(expected.broken[i].rule));
    EXPECT_EQ(found.broken[i].count, expected.broken[i].count) << name_of(expected.broken[i].rule);
    EXPECT_EQ(found.broken[i].examples.size(), expected.broken[i].examples.size());
    if (found.broken[i].count > gpu::max_cases) continue;
    EXPECT_EQ(sorted(found.broken[i].examples), sorted(expected.broken[i].examples));
  }
  EXPECT_EQ(found.reached, expected.reached);
  EXPECT_EQ(found.depth, expected.depth);
  EXPECT_EQ(found.traversed_edges, expected.traversed_edges);
}

/// Changes a few parents and distances, and rarely the root.
void spoil(Paths& paths, std::mt19937_64& random) {
  const std::size_t size = paths.parents.size();
  constexpr std::array odd = {0.0F, -1.0F, infinite, -infinite, not_a_number, 0.5F, 3e38F};
  for (std::uint64_t changes = random() % 4; changes > 0; --changes) {
    const std::size_t vertex = random() % size;
    switch (random() % 7) {
      case 0: paths.parents[vertex] = static_cast<std::uint32_t>(random() % size); break;
      case 1: paths.parents[vertex] = none; break;
      case 2: paths.parents[vertex] = static_cast<std::uint32_t>(size + random() % 3); break;
      case 3: paths.distances[vertex] = odd[random() % odd.size()]; break;
      case 4: paths.distances[vertex] += 0.0625F; break;
      case 5: paths.distances[paths.root] = odd[random() % odd.size()]; break;
      case 6:
        if (random() % 8 == 0) paths.root = static_cast<std::uint32_t>(random() % size);
        break;
    }
  }
}

/// Sometimes gives a tuple an invalid weight, or a weight so large that paths beyond it are infinitely long.
void spoil_weights(NamedEdges& list, std::mt19937_64& random) {
  constexpr std::array odd = {-0.25F, infinite, not_a_number, 3e38F, -0.0F};
  for (std::uint64_t changes = random() % 3; changes > 0; --changes) {
    list.weights[random() % list.weights.size()] = odd[random() % odd.size()];
  }
}

class GpuPathCheckTest : public test::DeviceTest {};

INSTANTIATE_TEST_SUITE_P(On, GpuPathCheckTest, test::every_device(), test::device_name);

TEST_P(GpuPathCheckTest, RightTreesOfDegenerateGraphs) {
  ThreadTeam threads(1);
  for (NamedEdges list : test::degenerate_graphs()) {
    list = test::with_coarse_weights(std::move(list), 4);
    SCOPED_TRACE(list.name);
    const MemoryEdgeList on_host = test::part_of(list);
    const auto edges = test::edges_on(GetParam(), {.list = &on_host, .weighted = true}, threads);
    for (const Edge& edge : {list.edges.front(), list.edges.back()}) {
      const Paths paths = right_paths(list, edge.source.value);
      const ValidationReport found = report_of_device(*edges, paths);
      EXPECT_TRUE(found.valid()) << found.text();
      expect_same(found, report_of_processors(list, paths));
    }
  }
}

TEST_P(GpuPathCheckTest, WrongPathsAreFoundAsProcessorsFindThem) {
  ThreadTeam threads(1);
  std::array<int, rule_count> seen{};
  std::mt19937_64 random(23);
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    const auto n = static_cast<std::int64_t>(2 + random() % 400);
    NamedEdges list = random() % 2 == 0 ? test::random_edges(n, 1 + random() % 700, random())
                                        : test::skewed_edges(n, 1 + random() % 700, random());
    list = random() % 2 == 0 ? test::with_coarse_weights(std::move(list), random())
                             : test::with_wild_weights(std::move(list), random());
    NamedEdges searched = list;
    spoil_weights(list, random);
    if (random() % 2 == 0) searched = list;
    for (float& weight : searched.weights) weight = weight >= 0 ? weight : 0.25F;  // valid weights for the search
    SCOPED_TRACE(list.name + ", round " + std::to_string(round));
    const MemoryEdgeList on_host = test::part_of(list);
    const std::uint64_t held = random() % 2 == 0 ? ~std::uint64_t{0} : 1 + random() % 100;
    const auto edges = test::edges_on(GetParam(), {.list = &on_host, .weighted = true, .held = held}, threads);
    for (int i = 0; i < 4; ++i) {
      Paths paths = right_paths(searched, list.edges[random() % list.edges.size()].source.value);
      spoil(paths, random);
      if (random() % 8 == 0 && paths.root < paths.parents.size() - paths.parents.size() / 4) {
        paths.parents.resize(paths.parents.size() - paths.parents.size() / 4);
        paths.distances.resize(paths.parents.size());
      }
      const ValidationReport expected = report_of_processors(list, paths);
      expect_same(report_of_device(*edges, paths), expected);
      for (const BrokenRule& broken : expected.broken) ++seen[static_cast<std::size_t>(broken.rule)];
    }
  }
  for (const Rule rule : {Rule::covers_edge_list, Rule::root, Rule::parent_range, Rule::leads_to_root, Rule::distance,
                          Rule::distance_span, Rule::weight, Rule::spanning, Rule::tree_edge}) {
    EXPECT_GE(seen[static_cast<std::size_t>(rule)], 5) << name_of(rule);
  }
}

/// Tests each way in which a distance can be wrong, one at a time.
TEST_P(GpuPathCheckTest, SaysWhatIsWrongWithADistance) {
  ThreadTeam threads(1);
  NamedEdges list = test::path(4);
  list.edges.push_back(test::edge(6, 6));
  list.weights = {0.5F, 0.5F, 0.5F, 1.0F};
  const MemoryEdgeList on_host = test::part_of(list);
  const auto edges = test::edges_on(GetParam(), {.list = &on_host, .weighted = true}, threads);
  const Paths right = right_paths(list, 0);
  const auto said = [&](std::size_t vertex, float distance) {
    Paths paths = right;
    paths.distances[vertex] = distance;
    const ValidationReport report = report_of_device(*edges, paths);
    expect_same(report, report_of_processors(list, paths));
    return report.text();
  };
  EXPECT_NE(said(0, 0.25F).find("root 0 has distance 0.25"), std::string::npos);
  EXPECT_NE(said(2, -1).find("vertex 2 in the tree has distance -1"), std::string::npos);
  EXPECT_NE(said(5, 3).find("vertex 5 without a parent has distance 3"), std::string::npos);
  EXPECT_NE(said(3, 1.25F).find("vertex 3 has distance 1.25; no edge to its parent 2 gives that"), std::string::npos);
  EXPECT_NE(said(3, 2).find("edge (2, 3) of weight 0.5 joins distances 1 and 2"), std::string::npos);
}

TEST_P(GpuPathCheckTest, ListsWithoutWeightsAreRefused) {
  ThreadTeam threads(1);
  const MemoryEdgeList list(test::path(3).edges);
  const auto edges = test::edges_on(GetParam(), {.list = &list}, threads);
  EXPECT_THROW((void)report_of_device(*edges, {0, {0, 0, 1}, {0, 1, 2}}), Error);
}

/// Trees with and without distances are checked in turn, with exactly the planned memory.
TEST(GpuPathCheck, WhatItTakesIsPlanned) {
  ThreadTeam threads(1);
  const NamedEdges list = test::with_coarse_weights(test::path(9000), 3);
  const MemoryEdgeList on_host(list.edges, list.weights);  // the whole list, on every rank
  const Paths paths = right_paths(list, 4500);
  const std::uint64_t planned = gpu::edge_bytes(list.edges.size(), true) + gpu::tree_check_bytes(9000, true) +
                                9000 * (sizeof(std::uint32_t) + sizeof(float));
  const auto edges = gpu::make_simulated_edges({.list = &on_host, .weighted = true}, threads, planned);
  EXPECT_TRUE(report_of_device(*edges, paths).valid());
  EXPECT_EQ(edges->check_tree(paths.parents, paths.root).traversed_edges, list.edges.size());
  EXPECT_TRUE(report_of_device(*edges, paths).valid());
  const auto smaller = gpu::make_simulated_edges({.list = &on_host, .weighted = true}, threads, planned - 1);
  EXPECT_THROW((void)report_of_device(*smaller, paths), OutOfMemory);
}

}  // namespace
}  // namespace breadth
