#include "validate/tree_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "core/data/label_array.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// Compares levels with those from walking up from every vertex, one step at a time.
void expect_levels(const std::vector<std::int64_t>& parents, std::int64_t root, bool wide, int thread_count) {
  const BlockDistribution distribution(parents.size(), world().size());
  const int rank = world().rank();
  LabelArray own(distribution.count(rank), wide ? std::uint64_t{1} << 40 : parents.size());
  for (std::size_t i = 0; i < own.size(); ++i) own.set(i, Label{parents[distribution.label(rank, i).index()]});
  ThreadTeam threads(thread_count);
  const TreeLevels levels = tree_levels(own, Label{root}, distribution, {world(), threads});
  ASSERT_EQ(levels.size(), own.size());
  const auto size = static_cast<std::int64_t>(parents.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::int64_t vertex = distribution.label(rank, i).value;
    std::uint32_t expected = 0;
    while (vertex != root && vertex >= 0 && vertex < size && expected <= parents.size()) {
      vertex = parents[static_cast<std::size_t>(vertex)];
      ++expected;
    }
    ASSERT_EQ(levels[i], vertex == root ? expected : no_level) << "vertex " << distribution.label(rank, i).value;
  }
}

TEST(TreeLevels, WalkUpAnyParents) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto n = static_cast<std::int64_t>(1 + random() % 300);
    const auto root = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    std::vector<std::int64_t> parents(static_cast<std::size_t>(n));
    for (std::int64_t v = 0; v < n; ++v) {
      // Most parents are lower labels, so that trees are deep; some make cycles or are invalid.
      const std::uint64_t kind = random() % 20;
      std::int64_t parent = v == 0 ? root : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(v));
      if (kind == 0) parent = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
      if (kind == 1) parent = -1;
      if (kind == 2) parent = n + static_cast<std::int64_t>(random() % 5);
      if (kind == 3) parent = -7;  // in four bytes this is a label far beyond the last
      parents[static_cast<std::size_t>(v)] = parent;
    }
    expect_levels(parents, root, random() % 2 == 0, static_cast<int>(1 + random() % 3));
  }
}

/// A path has the most levels. With more than 2^18 labels per rank, the questions take several exchanges.
void expect_path_levels(std::int64_t n, bool wide) {
  const BlockDistribution distribution(static_cast<std::uint64_t>(n), world().size());
  const int rank = world().rank();
  LabelArray own(distribution.count(rank), wide ? std::uint64_t{1} << 40 : static_cast<std::uint64_t>(n));
  for (std::size_t i = 0; i < own.size(); ++i) {
    own.set(i, Label{std::max<std::int64_t>(0, distribution.label(rank, i).value - 1)});
  }
  ThreadTeam threads(2);
  const TreeLevels levels = tree_levels(own, Label{0}, distribution, {world(), threads});
  for (std::size_t i = 0; i < own.size(); ++i) ASSERT_EQ(levels[i], distribution.label(rank, i).index());
}

TEST(TreeLevels, ALongPathTakesFewRounds) { expect_path_levels(100000, false); }
TEST(TreeLevels, AVeryLongPathTakesSeveralExchanges) {
  expect_path_levels(600000, false);
  expect_path_levels(600000, true);
}

TEST(TreeLevels, TakeAByteUpTo253) {
  expect_path_levels(254, false);
  expect_path_levels(255, false);
  expect_path_levels(256, true);
  for (const std::int64_t deepest : {252, 253, 254}) {
    const BlockDistribution distribution(static_cast<std::uint64_t>(deepest + 1), world().size());
    LabelArray own(distribution.count(world().rank()), distribution.vertex_count());
    for (std::size_t i = 0; i < own.size(); ++i) {  // backwards: the first vertex is the farthest
      own.set(i, Label{std::min(deepest, distribution.label(world().rank(), i).value + 1)});
    }
    ThreadTeam threads(2);
    const TreeLevels levels = tree_levels(own, Label{deepest}, distribution, {world(), threads});
    EXPECT_EQ(levels.wide(), deepest > 253);
    for (std::size_t i = 0; i < own.size(); ++i) {
      ASSERT_EQ(levels[i], deepest - distribution.label(world().rank(), i).value);
    }
  }
}

TEST(TreeLevels, NothingLeadsToARootThatIsNoLabel) {
  const BlockDistribution distribution(100, world().size());
  LabelArray own(distribution.count(world().rank()), 100);
  for (std::size_t i = 0; i < own.size(); ++i) own.set(i, i % 2 == 0 ? no_label : Label{1});
  ThreadTeam threads(1);
  for (const Label root : {no_label, Label{100}, Label{INT64_MAX}, Label{INT64_MIN}}) {
    const TreeLevels levels = tree_levels(own, root, distribution, {world(), threads});
    for (std::size_t i = 0; i < own.size(); ++i) ASSERT_EQ(levels[i], no_level);
  }
}

TEST(TreeRoots, LeadUpAnyTrees) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t n = 1 + random() % 400;
    std::vector<std::int64_t> parents(n);
    std::vector<std::int64_t> roots(n);
    std::vector<std::uint32_t> levels(n);
    for (std::size_t v = 0; v < n; ++v) {  // paths, broad trees, roots, and labels in no tree
      const std::uint64_t kind = random() % 12;
      const std::size_t parent = kind < 2 || v == 0 ? v : random() % 2 == 0 ? v - 1 : random() % v;
      parents[v] = kind == 11 ? no_label.value : static_cast<std::int64_t>(parent);
      const bool is_root = parents[v] == static_cast<std::int64_t>(v);
      const bool is_out = kind == 11 || (!is_root && levels[parent] == no_level);
      levels[v] = is_out ? no_level : is_root ? 0 : levels[parent] + 1;
      roots[v] = is_out ? no_label.value : is_root ? parents[v] : roots[parent];
    }
    const BlockDistribution distribution(n, world().size());
    const int rank = world().rank();
    LabelArray own(distribution.count(rank), random() % 2 == 0 ? std::uint64_t{1} << 40 : n);
    for (std::size_t at = 0; at < own.size(); ++at) own.set(at, Label{parents[distribution.label(rank, at).index()]});
    ThreadTeam threads(static_cast<int>(1 + random() % 2));
    const TreeRoots found = tree_roots(own, distribution, {world(), threads});
    for (std::size_t at = 0; at < own.size(); ++at) {
      const std::size_t label = distribution.label(rank, at).index();
      ASSERT_EQ(found.levels[at], levels[label]);
      ASSERT_EQ(found.roots[at].value, roots[label]);
    }
  }
}

// The last rank has no labels, and the width of its empty array does not matter.
TEST(TreeLevels, ARankWithoutLabelsTakesPart) {
  const auto holders = static_cast<std::uint64_t>(std::max(1, world().size() - 1));
  const BlockDistribution distribution(64 * holders, world().size());
  const int rank = world().rank();
  LabelArray own;
  if (distribution.count(rank) > 0) own = LabelArray(distribution.count(rank), std::uint64_t{1} << 40);
  for (std::size_t i = 0; i < own.size(); ++i) own.set(i, Label{distribution.label(rank, i).value / 2});
  ThreadTeam threads(1);
  const TreeLevels levels = tree_levels(own, Label{0}, distribution, {world(), threads});
  for (std::size_t i = 0; i < own.size(); ++i) {
    ASSERT_EQ(levels[i], std::bit_width(distribution.label(rank, i).index()));
  }
}

}  // namespace
}  // namespace breadth
