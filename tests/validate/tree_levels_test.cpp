#include "validate/tree_levels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/ranks.hpp"

namespace breadth {
namespace {

using test::world;

/// Compares with walking up from every vertex, one step at a time.
void expect_levels(const std::vector<std::int64_t>& parents, std::int64_t root, int thread_count) {
  const BlockDistribution distribution(parents.size(), world().size());
  const int rank = world().rank();
  LabelArray own(distribution.count(rank), std::uint64_t{1} << 40);  // wide: holds any parent
  for (std::size_t i = 0; i < own.size(); ++i) own.set(i, Label{parents[distribution.label(rank, i).index()]});
  ThreadTeam threads(thread_count);
  const Buffer<std::uint32_t> levels = tree_levels(own, Label{root}, distribution, {world(), threads});
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
    const std::int64_t root =
        static_cast<std::int64_t>(random()) % n < 0 ? 0 : static_cast<std::int64_t>(random() % 300) % n;
    std::vector<std::int64_t> parents(static_cast<std::size_t>(n));
    for (std::int64_t v = 0; v < n; ++v) {
      // mostly towards lower labels, so that there are deep trees, with cycles and nonsense between
      const std::uint64_t kind = random() % 20;
      std::int64_t parent = v == 0 ? root : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(v));
      if (kind == 0) parent = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
      if (kind == 1) parent = -1;
      if (kind == 2) parent = n + static_cast<std::int64_t>(random() % 5);
      if (kind == 3) parent = -7;
      parents[static_cast<std::size_t>(v)] = parent;
    }
    expect_levels(parents, root, static_cast<int>(1 + random() % 3));
  }
}

TEST(TreeLevels, ALongPathTakesFewRounds) {
  const std::int64_t n = 100000;
  std::vector<std::int64_t> parents(n);
  for (std::int64_t v = 0; v < n; ++v) parents[static_cast<std::size_t>(v)] = std::max<std::int64_t>(0, v - 1);
  const BlockDistribution distribution(n, world().size());
  const int rank = world().rank();
  LabelArray own(distribution.count(rank), n);
  for (std::size_t i = 0; i < own.size(); ++i) own.set(i, Label{parents[distribution.label(rank, i).index()]});
  ThreadTeam threads(2);
  const Buffer<std::uint32_t> levels = tree_levels(own, Label{0}, distribution, {world(), threads});
  for (std::size_t i = 0; i < own.size(); ++i) ASSERT_EQ(levels[i], distribution.label(rank, i).index());
}

}  // namespace
}  // namespace breadth
