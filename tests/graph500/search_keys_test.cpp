// The choice of search keys compared with a plain loop over a stream that is known completely.
#include "graph500/search_keys.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/data/label_array.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

/// A graph as the choice of keys sees it (which labels have an edge), and an endless stream of candidates.
struct Case {
  std::uint64_t vertex_count;
  std::set<std::int64_t> connected;
  std::function<std::int64_t()> stream;

  std::vector<Label> choose(std::uint64_t count) const {
    const BlockDistribution distribution(vertex_count, test::world().size());
    const SearchKeySource source = {.draw = [this] { return Label{stream()}; },
                                    .connected =
                                        [this, distribution](Label own) {
                                          EXPECT_EQ(distribution.owner(own), test::world().rank());
                                          return connected.contains(own.value);
                                        },
                                    .distribution = distribution,
                                    .connected_vertices = connected.size()};
    return choose_search_keys(source, count, test::world());
  }
};

std::function<std::int64_t()> random_stream(std::uint64_t seed, std::int64_t bound) {
  return [random = std::mt19937_64(seed), bound]() mutable {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
  };
}

TEST(SearchKeys, AreTheFirstFitCandidatesOfTheStream) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::set<std::int64_t> connected;
    std::function<std::int64_t()> pick = random_stream(seed + 1000, 5000);
    while (connected.size() < 300) connected.insert(pick());

    std::vector<Label> expected;
    std::set<std::int64_t> taken;
    std::function<std::int64_t()> stream = random_stream(seed, 8192);  // some candidates are beyond the labels
    while (expected.size() < 64) {
      const std::int64_t candidate = stream();
      if (connected.contains(candidate) && taken.insert(candidate).second) expected.push_back(Label{candidate});
    }
    EXPECT_EQ((Case{5000, connected, random_stream(seed, 8192)}.choose(64)), expected);
  }
}

TEST(SearchKeys, AreAllConnectedVerticesWhereThereAreFewer) {
  const std::vector<Label> keys = Case{100, {3, 50, 99}, random_stream(1, 128)}.choose(64);
  EXPECT_EQ(std::set<Label>(keys.begin(), keys.end()), (std::set<Label>{Label{3}, Label{50}, Label{99}}));
  EXPECT_EQ(keys.size(), 3U);
}

TEST(SearchKeys, AreNoneWhereNoVertexHasAnEdge) { EXPECT_TRUE((Case{1, {}, random_stream(1, 1)}.choose(64)).empty()); }

TEST(SearchKeys, EndWithTheSmallestLabelsWhereTheStreamNeverFindsThem) {
  // The stream yields only label 7, so the other keys must follow in the order of labels.
  const Case graph{2000, {1999, 7, 1000, 2, 1500}, [] { return std::int64_t{7}; }};
  EXPECT_EQ(graph.choose(64), (std::vector<Label>{Label{7}, Label{2}, Label{1000}, Label{1500}, Label{1999}}));
  EXPECT_EQ(graph.choose(3), (std::vector<Label>{Label{7}, Label{2}, Label{1000}}));
}

TEST(SearchKeys, EndForAHugeRangeOfLabelsWithFewEdges) {
  constexpr std::int64_t bound = std::int64_t{1} << 40;
  const BlockDistribution distribution(1 << 20, test::world().size());
  const std::set<std::int64_t> connected = {5, (1 << 20) - 1};
  const std::vector<Label> keys = Case{1 << 20, connected, random_stream(1, bound)}.choose(64);
  EXPECT_EQ(std::set<Label>(keys.begin(), keys.end()), (std::set<Label>{Label{5}, Label{(1 << 20) - 1}}));
}

}  // namespace
}  // namespace breadth
