// The benchmark's statistics compared with values computed by hand, and with plain definitions.
#include "graph500/report/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace breadth {
namespace {

TEST(Statistics, OfOneValueAreThatValue) {
  const Summary summary = summarize(std::vector<double>{3.5});
  EXPECT_EQ(summary.minimum, 3.5);
  EXPECT_EQ(summary.first_quartile, 3.5);
  EXPECT_EQ(summary.median, 3.5);
  EXPECT_EQ(summary.third_quartile, 3.5);
  EXPECT_EQ(summary.maximum, 3.5);
  EXPECT_EQ(summary.mean, 3.5);
  EXPECT_EQ(summary.standard_deviation, 0);
}

TEST(Statistics, OfTwoValues) {
  const Summary summary = summarize(std::vector<double>{4, 2});
  EXPECT_EQ(summary.first_quartile, 2);  // (x[0] + x[0]) / 2
  EXPECT_EQ(summary.median, 3);          // (x[0] + x[1]) / 2
  EXPECT_EQ(summary.third_quartile, 4);  // (x[1] + x[1]) / 2
  EXPECT_EQ(summary.mean, 3);
  EXPECT_DOUBLE_EQ(summary.standard_deviation, std::sqrt(2.0));
}

TEST(Statistics, OfFourValuesNotInOrder) {
  const Summary summary = summarize(std::vector<double>{30, 10, 40, 20});
  EXPECT_EQ(summary.minimum, 10);
  EXPECT_EQ(summary.first_quartile, 15);  // (x[0] + x[1]) / 2
  EXPECT_EQ(summary.median, 25);          // (x[1] + x[2]) / 2
  EXPECT_EQ(summary.third_quartile, 35);  // (x[3] + x[2]) / 2
  EXPECT_EQ(summary.maximum, 40);
  EXPECT_DOUBLE_EQ(summary.standard_deviation, std::sqrt(500.0 / 3));
}

TEST(Statistics, OfFiveValues) {
  const Summary summary = summarize(std::vector<double>{1, 2, 4, 8, 16});
  EXPECT_EQ(summary.first_quartile, 2);  // both indices are 1
  EXPECT_EQ(summary.median, 4);
  EXPECT_EQ(summary.third_quartile, 8);  // both are 3
  EXPECT_DOUBLE_EQ(summary.mean, 6.2);
}

TEST(Statistics, OfSixtyFourValuesInARow) {
  std::vector<double> values(64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>((i * 37) % 64);
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.first_quartile, 15.5);
  EXPECT_EQ(summary.median, 31.5);
  EXPECT_EQ(summary.third_quartile, 47.5);
  EXPECT_DOUBLE_EQ(summary.standard_deviation, std::sqrt(64.0 * 65 / 12));
}

TEST(Statistics, QuartilesLieBetweenTheirNeighboursByRank) {
  std::mt19937_64 random(7);
  for (std::size_t n = 1; n <= 130; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = std::uniform_real_distribution<double>(0, 1)(random);
    const Summary summary = summarize(values);
    std::vector<double> negated(values);
    for (double& value : negated) value = -value;
    const Summary mirrored = summarize(negated);
    EXPECT_EQ(summary.first_quartile, -mirrored.third_quartile) << n;
    EXPECT_EQ(summary.median, -mirrored.median) << n;
    const auto not_above = [&](double limit) {
      return std::count_if(values.begin(), values.end(), [limit](double value) { return value <= limit; });
    };
    EXPECT_GE(4 * not_above(summary.first_quartile), static_cast<std::ptrdiff_t>(n)) << n;
    EXPECT_GE(2 * not_above(summary.median), static_cast<std::ptrdiff_t>(n)) << n;
    EXPECT_GE(4 * not_above(summary.third_quartile), static_cast<std::ptrdiff_t>(3 * n)) << n;
  }
}

TEST(Statistics, MeanAndDeviationAgreeWithTwoPlainLoops) {
  std::mt19937_64 random(3);
  std::vector<double> values(64);
  for (double& value : values) value = 1 + 1e-3 * std::uniform_real_distribution<double>(0, 1)(random);
  long double sum = 0;
  for (const double value : values) sum += value;
  const long double mean = sum / 64;
  long double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const Summary summary = summarize(values);
  EXPECT_NEAR(summary.mean, static_cast<double>(mean), 1e-14);
  EXPECT_NEAR(summary.standard_deviation, std::sqrt(static_cast<double>(squares / 63)), 1e-14);
}

TEST(TepsStatistics, ComeFromSecondsPerEdge) {
  // Seconds per edge 0.5, 0.25, 0.125, 0.125.
  const std::vector<double> seconds = {5, 5, 1, 2};
  const std::vector<double> edges = {10, 20, 8, 16};
  const Summary teps = summarize_teps(seconds, edges);
  EXPECT_EQ(teps.minimum, 2);
  EXPECT_EQ(teps.first_quartile, 1 / 0.375);  // the slow quarter: between 0.25 and 0.5 seconds an edge
  EXPECT_EQ(teps.median, 1 / 0.1875);
  EXPECT_EQ(teps.third_quartile, 8);
  EXPECT_EQ(teps.maximum, 8);
  EXPECT_EQ(teps.mean, 4);
  // Deviations from the mean 0.25: 0.25, 0, -0.125, -0.125; s = sqrt(0.09375 / 3); s / (mean^2 sqrt(3)).
  EXPECT_DOUBLE_EQ(teps.standard_deviation, std::sqrt(0.09375 / 3) / (0.0625 * std::sqrt(3.0)));
}

TEST(TepsStatistics, OfOneSearchHaveNoDeviation) {
  const Summary teps = summarize_teps(std::vector<double>{2}, std::vector<double>{10});
  EXPECT_EQ(teps.minimum, 5);
  EXPECT_EQ(teps.mean, 5);
  EXPECT_EQ(teps.standard_deviation, 0);
}

}  // namespace
}  // namespace breadth
