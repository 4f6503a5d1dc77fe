// The search for the best values, with made-up costs whose best setting is known. No clock is involved.
#include "tune/coordinate_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace breadth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<Tunable> tunables = {
    {.option = "alpha", .values = {"2.5", "5", "10", "20", "40", "80", "160"}, .refined = true},
    {.option = "beta", .values = {"4", "16", "64", "256", "1024"}, .refined = true},
    {.option = "leaves", .values = {"last", "levels"}},
};
const Setting defaults = {"20", "64", "last"};

using Cost = std::function<double(const Setting&)>;

/// The squared distance between a value and the best one in powers of two.
double octaves_squared(const std::string& value, double best) {
  return std::pow(std::log2(std::stod(value) / best), 2);
}

/// Splits a cost into three samples of different size.
Costs samples_of(double cost) { return {cost / 2, cost / 3, cost / 6}; }

/// Measures made-up costs, with relative noise if it is not 0, and counts the measurements.
struct Bench {
  Cost cost;
  std::size_t max_measurements = 1000;
  double noise = 0;  ///< relative, the standard deviation
  std::mt19937_64 random{1};
  std::size_t measurements = 0;
  std::vector<Trial> trials;

  CoordinateSearchResult run(const Setting& start = defaults) {
    const Measure measure = [this](std::span<const Setting> settings) -> std::optional<std::vector<Costs>> {
      if (measurements == max_measurements) return std::nullopt;
      ++measurements;
      std::vector<Costs> costs;
      for (const Setting& setting : settings) {
        const double disturbance = 1 + noise * std::normal_distribution<double>(0, 1)(random);
        costs.push_back(samples_of(cost(setting) * disturbance));
      }
      return costs;
    };
    return coordinate_search(tunables, start, measure, [this](const Trial& trial) { trials.push_back(trial); });
  }
};

TEST(CoordinateSearch, FindsTheBestOfEveryOption) {
  for (const double alpha : {2.5, 7.0, 20.0, 50.0, 160.0}) {
    for (const double beta : {4.0, 100.0, 1024.0}) {
      for (const char* leaves : {"last", "levels"}) {
        Bench bench{.cost = [&](const Setting& setting) {
          return 1 + 0.2 * octaves_squared(setting[0], alpha) + 0.1 * octaves_squared(setting[1], beta) +
                 (setting[2] == leaves ? 0 : 0.3);
        }};
        const CoordinateSearchResult result = bench.run();
        // The search can get no nearer than differences of 1 % of the cost show, nor than the last refinement.
        EXPECT_LT(bench.cost(result.best), 1.035) << alpha << " " << beta;
        EXPECT_EQ(result.best[2], leaves);
        EXPECT_THAT(result.not_tried, IsEmpty());
        EXPECT_THAT(result.tried, ElementsAre(true, true, true));
      }
    }
  }
}

TEST(CoordinateSearch, ComesBackToOptionsThatDependOnOthers) {
  // The best alpha depends on leaves, so alpha, the first option, must be tried again after leaves has changed.
  Bench bench{.cost = [](const Setting& setting) {
    const bool levels = setting[2] == "levels";
    return (levels ? 0.5 : 2) + 0.1 * octaves_squared(setting[0], levels ? 80 : 10);
  }};
  EXPECT_THAT(bench.run().best, ElementsAre("80", "64", "levels"));
}

TEST(CoordinateSearch, KeepsWhatItStartedFromWhereAllAreEqual) {
  Bench bench{.cost = [](const Setting&) { return 3.5; }};
  const CoordinateSearchResult result = bench.run();
  EXPECT_EQ(result.best, defaults);
  EXPECT_EQ(result.noise.typical(), 0);
  EXPECT_THAT(result.not_tried, IsEmpty());
  for (const Trial& trial : bench.trials) EXPECT_FALSE(trial.kept);
}

TEST(CoordinateSearch, KeepsWhatItStartedFromForLessThanAPercent) {
  Bench bench{.cost = [](const Setting& setting) { return setting == defaults ? 1.0 : 0.993; }};
  EXPECT_EQ(bench.run().best, defaults);
}

TEST(CoordinateSearch, StartsFromDefaultsThatAreNoneOfTheValues) {
  Bench bench{.cost = [](const Setting& setting) { return 1 + octaves_squared(setting[0], 30); }};
  const CoordinateSearchResult result = bench.run({"30", "64", "last"});
  EXPECT_THAT(result.best, ElementsAre("30", "64", "last"));
}

TEST(CoordinateSearch, IsNotLedAstrayByNoise) {
  // All settings cost the same. Taking the luckiest of many would nearly always change something.
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Bench bench{.cost = [](const Setting&) { return 1.0; }, .noise = 0.05, .random = std::mt19937_64(seed)};
    if (bench.run().best != defaults) ++changed;
  }
  EXPECT_LE(changed, 20);
}

TEST(CoordinateSearch, FindsUnderNoiseWhatStandsOutOfIt) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Bench bench{.cost = [](const Setting& setting) { return setting[2] == "levels" ? 1.0 : 1.4; },
                .noise = 0.03,
                .random = std::mt19937_64(seed)};
    if (bench.run().best[2] == "levels") ++found;
  }
  EXPECT_EQ(found, 100);
}

TEST(CoordinateSearch, KnowsHowNoisyItWas) {
  Bench bench{.cost = [](const Setting&) { return 1.0; }, .noise = 0.05};
  // The difference of two costs has the standard deviation of one times the square root of two.
  EXPECT_NEAR(bench.run().noise.typical(), 0.05 * std::sqrt(2.0), 0.035);
}

TEST(Noise, IsTheDeviationWhateverAFewDifferencesAre) {
  Noise noise;
  EXPECT_EQ(noise.typical(), 0);
  EXPECT_DOUBLE_EQ(noise.add({1.5}, {0.5}), 1);
  EXPECT_DOUBLE_EQ(noise.add({0.25, 0.25}, {0.5, 1}), 1);
  std::mt19937_64 random(1);
  std::normal_distribution<double> difference(0, 0.01);
  for (int i = 0; i < 400; ++i) {
    const double half = difference(random) / 2;
    noise.add({1 + half}, {1 - half});
  }
  EXPECT_NEAR(noise.typical(), 0.01, 0.001);
}

TEST(CoordinateSearch, MeasuresAgainWhatWasDisturbed) {
  // In each run one measurement is disturbed: the later half of its settings costs four times as much.
  const Cost cost = [](const Setting& setting) { return 1 + 0.2 * octaves_squared(setting[0], 160); };
  for (std::size_t disturbed = 1; disturbed <= 10; ++disturbed) {
    std::size_t measurements = 0;
    const Measure measure = [&](std::span<const Setting> settings) {
      ++measurements;
      std::vector<Costs> costs;
      for (const Setting& setting : settings) {
        const bool late = 2 * costs.size() >= settings.size();
        costs.push_back(samples_of(cost(setting) * (late && measurements == disturbed ? 4 : 1)));
      }
      return std::optional(costs);
    };
    EXPECT_THAT(coordinate_search(tunables, defaults, measure, [](const Trial&) {}).best,
                ElementsAre("160", "64", "last"));
  }
}

TEST(CoordinateSearch, EndsWithTheMeasuringAndSaysWhatIsMissing) {
  const Cost cost = [](const Setting& setting) { return 1 + 0.2 * octaves_squared(setting[0], 160); };
  const auto run = [&](std::size_t most) {
    Bench bench{.cost = cost, .max_measurements = most};
    CoordinateSearchResult result = bench.run();
    EXPECT_EQ(bench.measurements, most);
    return result;
  };
  const CoordinateSearchResult nothing = run(0);
  EXPECT_EQ(nothing.best, defaults);
  EXPECT_THAT(nothing.tried, ElementsAre(false, false, false));
  EXPECT_THAT(nothing.not_tried, ElementsAre("alpha", "beta", "leaves"));

  const CoordinateSearchResult unproven = run(1);  // a screening, but no second comparison
  EXPECT_EQ(unproven.best, defaults);
  EXPECT_THAT(unproven.tried, ElementsAre(false, false, false));

  const CoordinateSearchResult coarse = run(2);
  EXPECT_THAT(coarse.best, ElementsAre("160", "64", "last"));
  EXPECT_THAT(coarse.tried, ElementsAre(true, false, false));
  EXPECT_THAT(coarse.not_tried, ElementsAre("finer values of alpha", "beta", "leaves"));

  const CoordinateSearchResult fine = run(4);
  EXPECT_THAT(fine.not_tried, ElementsAre("beta", "leaves"));

  const CoordinateSearchResult last = run(8);  // three more for beta, and one for leaves
  EXPECT_THAT(last.tried, ElementsAre(true, true, true));
  EXPECT_THAT(last.not_tried, IsEmpty());
}

TEST(CoordinateSearch, LooksAgainAtWhatCameBeforeAChange) {
  Bench bench{.cost = [](const Setting& setting) { return setting[1] == "1024" ? 1.0 : 2.0; },
              .max_measurements = 8};  // three for alpha, two and two for beta, one for leaves
  const CoordinateSearchResult result = bench.run();
  EXPECT_EQ(result.best[1], "1024");
  EXPECT_THAT(result.not_tried, ElementsAre("alpha again"));
}

TEST(CoordinateSearch, TriesNumbersBetweenTheBestAndItsNeighbours) {
  std::vector<std::string> alphas;
  Bench bench{.cost = [&alphas](const Setting& setting) {
    if (std::find(alphas.begin(), alphas.end(), setting[0]) == alphas.end()) alphas.push_back(setting[0]);
    return 1 + octaves_squared(setting[0], 20);
  }};
  bench.run();
  EXPECT_THAT(alphas, ElementsAre("20", "2.5", "5", "10", "40", "80", "160", "14.1", "28.3", "16.8", "23.8"));
}

TEST(CoordinateSearch, EndsWhereOptionsNeverSettle) {
  const std::vector<Tunable> switches = {{.option = "one", .values = {"on", "off"}},
                                         {.option = "two", .values = {"on", "off"}}};
  std::size_t measurements = 0;
  const Measure anything_else_is_better = [&measurements](std::span<const Setting> settings) {
    ++measurements;
    std::vector<Costs> costs;
    for (const Setting& setting : settings) costs.push_back({setting == settings.front() ? 2.0 : 1.0});
    return std::optional(costs);
  };
  const CoordinateSearchResult result =
      coordinate_search(switches, {"on", "on"}, anything_else_is_better, [](const Trial&) {});
  EXPECT_EQ(measurements, 12U);  // a screening and a comparison for each, three rounds long
  EXPECT_THAT(result.not_tried, ElementsAre("one again"));
}

Comparison comparison_of(const std::vector<Costs>& costs) {
  Noise noise;
  return *compare_settings(
      {"a"}, {"b"}, [&costs](std::span<const Setting>) { return std::optional(costs); }, noise);
}

TEST(Comparison, IsWonByMoreThanAPercentAndTwiceTheNoise) {
  EXPECT_DOUBLE_EQ(comparison_of({{3}, {2}, {3}, {2}}).speedup, 1.5);
  EXPECT_TRUE(comparison_of({{3}, {2}, {3}, {2}}).convincing);
  EXPECT_FALSE(comparison_of({{1.009}, {1}, {1.009}, {1}}).convincing);
  EXPECT_TRUE(comparison_of({{1.011}, {1}, {1.011}, {1}}).convincing);
  EXPECT_FALSE(comparison_of({{2}, {3}, {2}, {3}}).convincing);
  EXPECT_TRUE(comparison_of({{1.09}, {1}, {1.11}, {1}}).convincing);
  EXPECT_FALSE(comparison_of({{1.0}, {1}, {1.2}, {1}}).convincing);  // 10 % better, 13 % noise
}

TEST(Comparison, IsNotWonByOneLuckySample) {
  // Both gain a ninth: one setting in the first of eight samples only, the other in all of them.
  const Costs ones(8, 1.0);
  const Costs lucky = {0.2, 1, 1, 1, 1, 1, 1, 1};
  const Costs even(8, 0.9);
  EXPECT_NEAR(comparison_of({ones, lucky, ones, lucky}).speedup, 8 / 7.2, 1e-12);
  EXPECT_FALSE(comparison_of({ones, lucky, ones, lucky}).convincing);
  EXPECT_NEAR(comparison_of({ones, even, ones, even}).spread, 0, 1e-12);
  EXPECT_TRUE(comparison_of({ones, even, ones, even}).convincing);
}

TEST(Comparison, KnowsHowMuchOtherSamplesWouldChangeIt) {
  // The spread must be the standard deviation of the speedups from many sets of samples.
  std::mt19937_64 random(1);
  std::exponential_distribution<double> draw(1);
  std::vector<double> speedups;
  double spreads = 0;
  for (int set = 0; set < 500; ++set) {
    Costs incumbent;
    Costs challenger;
    for (int i = 0; i < 64; ++i) {
      challenger.push_back(1 + draw(random));
      incumbent.push_back(challenger.back() + 0.5 * draw(random));
    }
    const Comparison comparison = comparison_of({incumbent, challenger, incumbent, challenger});
    speedups.push_back(comparison.speedup);
    spreads += comparison.spread / 500;
  }
  const double mean = std::accumulate(speedups.begin(), speedups.end(), 0.0) / 500;
  double squares = 0;
  for (const double speedup : speedups) squares += std::pow(speedup - mean, 2);
  EXPECT_NEAR(spreads / std::sqrt(squares / 499), 1, 0.1);
}

}  // namespace
}  // namespace breadth
