// Right and wrong trees, validated on a device and by the processors' validation, which share no code.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
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
#include "support/oracle.hpp"
#include "validate/validate.hpp"

namespace breadth {
namespace {

using gpu::TreeFindings;
using test::NamedEdges;
using test::none;
using test::Oracle;
using test::sorted;
using test::world;

/// The device's rules under the names of the report.
constexpr std::array rules = {Rule::covers_edge_list, Rule::root,     Rule::parent_range, Rule::leads_to_root,
                              Rule::edge_span,        Rule::spanning, Rule::tree_edge};

struct Tree {
  std::int64_t root = 0;
  std::vector<std::uint32_t> parents;
};

Tree right_tree(const Oracle& oracle, std::int64_t root) {
  Tree tree{.root = root, .parents = {}};
  for (const std::int64_t parent : oracle.parents(Label{root})) {
    tree.parents.push_back(parent < 0 ? none : static_cast<std::uint32_t>(parent));
  }
  return tree;
}

ValidationReport report_of_processors(const NamedEdges& list, const Tree& tree) {
  ThreadTeam threads(1);
  const std::size_t size = tree.parents.size();
  LabelArray parents(size, size);
  for (std::size_t i = 0; i < size; ++i) parents.entries<std::uint32_t>()[i] = tree.parents[i];
  return validate_bfs(test::part_of(list), Directedness::undirected, {Label{tree.root}, parents},
                      BlockDistribution(size, 1), {world(), threads});
}

/// Whether the numbers of a case show that the rule is broken.
bool breaks(gpu::TreeRule rule, const std::array<std::uint32_t, gpu::case_numbers>& found, const Tree& tree) {
  const auto size = static_cast<std::uint32_t>(tree.parents.size());
  const auto [a, b, c, d, unused] = found;
  switch (rule) {
    case gpu::covers_edge_list: return a >= size || b >= size;
    case gpu::root: return tree.parents[a] == b && (a == tree.root) != (a == b);
    case gpu::parent_range: return tree.parents[a] == b && b >= size && b != none;
    case gpu::leads_to_root:
    case gpu::tree_edge: return tree.parents[a] == b && b < size;
    case gpu::edge_span: return c > d + 1 || d > c + 1;
    case gpu::spanning: return c == a || c == b;
    default: break;  // rules about distances
  }
  return false;
}

void expect_same(const TreeFindings& found, const ValidationReport& expected, const Tree& tree) {
  std::array<std::uint64_t, rule_count> counts{};
  for (const BrokenRule& broken : expected.broken) counts[static_cast<std::size_t>(broken.rule)] = broken.count;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
    const TreeFindings::Broken& broken = found.broken[rule];
    EXPECT_EQ(broken.count, counts[static_cast<std::size_t>(rules[rule])]) << name_of(rules[rule]);
    EXPECT_EQ(broken.cases.size(), std::min<std::uint64_t>(broken.count, gpu::max_cases));
    for (const auto& one : broken.cases) {
      EXPECT_TRUE(breaks(static_cast<gpu::TreeRule>(rule), one, tree)) << name_of(rules[rule]);
    }
  }
  EXPECT_EQ(found.reached, expected.reached);
  EXPECT_EQ(found.depth, expected.depth);
  EXPECT_EQ(found.traversed_edges, expected.traversed_edges);
}

BrokenRule& broken_roots(ValidationReport& report) {
  return *std::find_if(report.broken.begin(), report.broken.end(),
                       [](const BrokenRule& broken) { return broken.rule == Rule::root; });
}

/// Checks that the device's report has the same examples as the processors'. Where there are many cases, each report
/// has only some of them as examples.
void expect_same_words(const ValidationReport& found, const ValidationReport& expected) {
  ASSERT_EQ(found.broken.size(), expected.broken.size());
  for (std::size_t i = 0; i < found.broken.size(); ++i) {
    EXPECT_EQ(found.broken[i].rule, expected.broken[i].rule);
    EXPECT_EQ(found.broken[i].examples.size(), expected.broken[i].examples.size());
    if (found.broken[i].count > gpu::max_cases) continue;
    EXPECT_EQ(sorted(found.broken[i].examples), sorted(expected.broken[i].examples));
  }
}

/// Changes a few parents, and rarely the root.
void spoil(Tree& tree, std::mt19937_64& random) {
  const std::size_t size = tree.parents.size();
  const auto label = [&] { return static_cast<std::uint32_t>(random() % size); };
  for (std::uint64_t changes = random() % 4; changes > 0; --changes) {
    const std::uint32_t vertex = label();
    switch (random() % 6) {
      case 0: tree.parents[vertex] = label(); break;
      case 1: tree.parents[vertex] = none; break;
      case 2: tree.parents[vertex] = vertex; break;
      case 3: tree.parents[vertex] = static_cast<std::uint32_t>(size + random() % 5); break;
      case 4:  // a cycle with its parent
        if (tree.parents[vertex] < size) tree.parents[tree.parents[vertex]] = vertex;
        break;
      case 5: tree.root = label(); break;
    }
  }
}

class GpuTreeCheckTest : public test::DeviceTest {};

INSTANTIATE_TEST_SUITE_P(On, GpuTreeCheckTest, test::every_device(), test::device_name);

TEST_P(GpuTreeCheckTest, RightTreesOfDegenerateGraphs) {
  ThreadTeam threads(1);
  for (const NamedEdges& list : test::degenerate_graphs()) {
    SCOPED_TRACE(list.name);
    const Oracle oracle(list, Directedness::undirected);
    const MemoryEdgeList on_host = test::part_of(list);
    const auto edges = test::edges_on(GetParam(), {.list = &on_host}, threads);
    for (const Edge& edge : {list.edges.front(), list.edges.back()}) {
      const Tree tree = right_tree(oracle, edge.source.value);
      const TreeFindings found = edges->check_tree(tree.parents, static_cast<std::uint32_t>(tree.root));
      expect_same(found, report_of_processors(list, tree), tree);
      for (const TreeFindings::Broken& broken : found.broken) EXPECT_EQ(broken.count, 0);
    }
  }
}

TEST_P(GpuTreeCheckTest, WrongTreesAreFoundAsProcessorsFindThem) {
  ThreadTeam threads(1);
  std::array<int, rules.size()> seen{};
  std::mt19937_64 random(17);
  for (int round = 0; round < 150 && !HasFailure(); ++round) {
    const auto n = static_cast<std::int64_t>(2 + random() % 400);
    const NamedEdges list = random() % 2 == 0 ? test::random_edges(n, 1 + random() % 700, random())
                                              : test::skewed_edges(n, 1 + random() % 700, random());
    SCOPED_TRACE(list.name);
    const Oracle oracle(list, Directedness::undirected);
    const MemoryEdgeList on_host = test::part_of(list);
    const std::uint64_t held = random() % 2 == 0 ? ~std::uint64_t{0} : 1 + random() % 100;
    const auto edges = test::edges_on(GetParam(), {.list = &on_host, .held = held}, threads);
    for (int i = 0; i < 4; ++i) {
      Tree tree = right_tree(oracle, list.edges[random() % list.edges.size()].source.value);
      spoil(tree, random);
      if (random() % 8 == 0) tree.parents.resize(tree.parents.size() - tree.parents.size() / 4);
      const auto size = static_cast<std::int64_t>(tree.parents.size());
      const TreeFindings found = edges->check_tree(tree.parents, static_cast<std::uint32_t>(std::min(tree.root, size)));
      ValidationReport expected = report_of_processors(list, tree);
      if (tree.root >= size) --broken_roots(expected).count;  // an invalid root is for the caller to detect
      expect_same(found, expected, tree);
      if (tree.root < size) {
        expect_same_words(report_of(found, Label{tree.root}, {.labels = tree.parents.size()}), expected);
      }
      for (std::uint32_t rule = 0; rule < rules.size(); ++rule) seen[rule] += found.broken[rule].count > 0 ? 1 : 0;
    }
  }
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) EXPECT_GE(seen[rule], 5) << name_of(rules[rule]);
}

TEST_P(GpuTreeCheckTest, DeepTreesAndLongCircles) {
  ThreadTeam threads(1);
  const NamedEdges list = test::path(3000);
  const Oracle oracle(list, Directedness::undirected);
  const MemoryEdgeList on_host = test::part_of(list);
  const auto edges = test::edges_on(GetParam(), {.list = &on_host}, threads);
  Tree tree = right_tree(oracle, 0);
  EXPECT_EQ(edges->check_tree(tree.parents, 0).depth, 2999);
  expect_same(edges->check_tree(tree.parents, 0), report_of_processors(list, tree), tree);
  tree.parents[1000] = 2999;  // 2,000 vertices in a cycle
  expect_same(edges->check_tree(tree.parents, 0), report_of_processors(list, tree), tree);
  tree.parents[1000] = 2022;  // 1,023 in a cycle, and other vertices lead to it
  expect_same(edges->check_tree(tree.parents, 0), report_of_processors(list, tree), tree);
}

TEST(GpuTreeCheck, WhatItTakesIsPlanned) {
  ThreadTeam threads(1);
  const NamedEdges list = test::path(9000);
  const MemoryEdgeList on_host(list.edges);  // the whole list, on every rank
  const Tree tree = right_tree(Oracle(list, Directedness::undirected), 4500);
  const std::uint64_t planned =
      gpu::edge_bytes(list.edges.size(), false) + gpu::tree_check_bytes(9000) + 9000 * sizeof(std::uint32_t);
  EXPECT_NO_THROW(
      (void)gpu::make_simulated_edges({.list = &on_host}, threads, planned)->check_tree(tree.parents, 4500));
  EXPECT_THROW(
      (void)gpu::make_simulated_edges({.list = &on_host}, threads, planned - 1)->check_tree(tree.parents, 4500),
      OutOfMemory);
}

}  // namespace
}  // namespace breadth
