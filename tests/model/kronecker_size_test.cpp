// Expected sizes compared with the definition of the expectation, pair by pair.
#include "model/graph_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace breadth {
namespace {

/// The probability that one tuple is (source, target).
double tuple_chance(int scale, unsigned source, unsigned target) {
  constexpr double quadrants[2][2] = {{0.57, 0.19}, {0.19, 0.05}};
  double chance = 1;
  for (int bit = 0; bit < scale; ++bit) chance *= quadrants[(source >> bit) & 1U][(target >> bit) & 1U];
  return chance;
}

TEST(KroneckerSize, IsTheSumOverAllPairs) {
  for (int scale = 1; scale <= 7; ++scale) {
    const unsigned labels = 1U << scale;
    const double tuples = 5.0 * labels;
    double edges = 0;
    double vertices = 0;
    for (unsigned v = 0; v < labels; ++v) {
      double touches = 0;
      for (unsigned u = 0; u < labels; ++u) {
        if (u == v) continue;
        const double chance = tuple_chance(scale, u, v) + tuple_chance(scale, v, u);
        touches += chance;
        if (u < v) edges += 1 - std::pow(1 - chance, tuples);
      }
      vertices += 1 - std::pow(1 - touches, tuples);
    }
    const GraphSize size = expected_kronecker_size(scale, 5, false);
    EXPECT_EQ(size.labels, labels);
    EXPECT_EQ(size.tuples, 5 * labels);
    EXPECT_NEAR(static_cast<double>(size.edges), edges, 0.51) << scale;
    EXPECT_NEAR(static_cast<double>(size.connected_vertices), vertices, 0.51) << scale;
  }
}

// Compares the number of vertices above a degree with the exact distribution: each neighbour exists with its own
// probability.
TEST(KroneckerSize, ExpectsAsManyHubsAsTheDistributionOfDegrees) {
  const int scale = 9;
  const unsigned labels = 1U << scale;
  const double tuples = 16.0 * labels;
  for (const unsigned degree : {3U, 20U, 70U, 150U}) {
    double hubs = 0;
    for (unsigned v = 0; v < labels; ++v) {
      std::vector<double> at(degree + 1, 0);  // probability of each degree
      at[0] = 1;
      for (unsigned u = 0; u < labels; ++u) {
        if (u == v) continue;
        const double chance = 1 - std::pow(1 - tuple_chance(scale, u, v) - tuple_chance(scale, v, u), tuples);
        for (unsigned i = degree; i > 0; --i) at[i] += chance * (at[i - 1] - at[i]);
        at[0] *= 1 - chance;
      }
      hubs += 1 - std::accumulate(at.begin(), at.end(), 0.0);
    }
    const ExpectedHubs expected = expected_hubs(scale, 16, degree);
    EXPECT_NEAR(static_cast<double>(expected.count), hubs, 1 + 0.03 * hubs) << degree;
    const std::uint64_t entries = expected.light_to_light + 2 * expected.light_to_hub + expected.hub_to_hub;
    EXPECT_NEAR(static_cast<double>(entries),
                2.0 * static_cast<double>(expected_kronecker_size(scale, 16, false).edges), 3);
  }
}

// For each vertex and each group, uses the probability that the vertex has no neighbour in the group.
TEST(KroneckerSize, ExpectsTheGroupsThatHaveNeighbours) {
  const int scale = 8;
  const unsigned labels = 1U << scale;
  const double tuples = 16.0 * labels;
  for (const double groups : {1.0, 2.0, 7.5, 64.0}) {
    double pairs = 0;
    for (unsigned v = 0; v < labels; ++v) {
      double none = 1;
      for (unsigned u = 0; u < labels; ++u) {
        if (u == v) continue;
        const double chance = 1 - std::pow(1 - tuple_chance(scale, u, v) - tuple_chance(scale, v, u), tuples);
        none *= 1 - chance / groups;
      }
      pairs += (groups - 1) * (1 - none);
    }
    EXPECT_NEAR(expected_group_pairs(scale, 16, groups), pairs, 1e-6 * (1 + pairs)) << groups;
  }
  // With the largest number of groups, hardly two neighbours share a group, so there is one pair per entry.
  const double entries = 2.0 * static_cast<double>(expected_kronecker_size(scale, 16, false).edges);
  EXPECT_NEAR(expected_group_pairs(scale, 16, 1e9) / entries, 1, 0.001);
}

TEST(KroneckerSize, StaysFiniteAtTheLargestScales) {
  const GraphSize size = expected_kronecker_size(42, 16, true);
  EXPECT_TRUE(size.weighted);
  EXPECT_GT(size.connected_vertices, size.labels / 5);
  EXPECT_LT(size.connected_vertices, size.labels / 2);
  EXPECT_GT(size.edges, size.tuples / 100 * 95);
  EXPECT_LT(size.edges, size.tuples);
}

}  // namespace
}  // namespace breadth
