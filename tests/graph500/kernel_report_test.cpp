// The report on the records of a kernel's searches, compared with values computed by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph500/report/statistics.hpp"

namespace breadth {
namespace {

SearchRecord search(double seconds, std::uint64_t edges, double validation_seconds, Verdict verdict = Verdict::valid) {
  SearchRecord record;
  record.seconds = seconds;
  record.verification = {.verdict = verdict, .edges = edges, .seconds = validation_seconds, .violations = {}};
  return record;
}

KernelReport kernel_of(std::vector<SearchRecord> searches) {
  KernelReport kernel;
  kernel.searches = std::move(searches);
  return kernel;
}

std::vector<std::string> names(const NamedValues& values) {
  std::vector<std::string> found;
  for (const auto& [name, value] : values) found.push_back(name);
  return found;
}

std::vector<double> numbers(const NamedValues& values) {
  std::vector<double> found;
  for (const auto& [name, value] : values) found.push_back(value);
  return found;
}

TEST(KernelStatistics, HaveTheNamesAndTheOrderOfTheSpecification) {
  const KernelReport kernel = kernel_of({search(1, 10, 2)});
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(time_statistics(kernel)), (Names{"min_time", "firstquartile_time", "median_time",
                                                   "thirdquartile_time", "max_time", "mean_time", "stddev_time"}));
  EXPECT_EQ(names(edge_statistics(kernel)), (Names{"min_nedge", "firstquartile_nedge", "median_nedge",
                                                   "thirdquartile_nedge", "max_nedge", "mean_nedge", "stddev_nedge"}));
  EXPECT_EQ(names(teps_statistics(kernel)),
            (Names{"min_TEPS", "firstquartile_TEPS", "median_TEPS", "thirdquartile_TEPS", "max_TEPS",
                   "harmonic_mean_TEPS", "harmonic_stddev_TEPS"}));
  EXPECT_EQ(names(validation_statistics(kernel)),
            (Names{"min_validate", "firstquartile_validate", "median_validate", "thirdquartile_validate",
                   "max_validate", "mean_validate", "stddev_validate"}));
}

TEST(KernelStatistics, SummariseEachQuantityOfTheSearches) {
  const KernelReport kernel = kernel_of({search(4, 30, 1), search(2, 10, 5), search(2, 20, 3)});
  const std::vector<double> time = numbers(time_statistics(kernel));
  EXPECT_EQ(std::vector(time.begin(), time.begin() + 5), (std::vector<double>{2, 2, 2, 4, 4}));
  EXPECT_DOUBLE_EQ(time[5], 8.0 / 3);
  EXPECT_EQ(numbers(edge_statistics(kernel)), (std::vector<double>{10, 10, 20, 30, 30, 20, 10}));
  EXPECT_EQ(numbers(validation_statistics(kernel)), (std::vector<double>{1, 1, 3, 5, 5, 3, 2}));
}

TEST(KernelStatistics, RateEachSearchByItsOwnEdgesAndTime) {
  // 7.5, 5 and 10 edges a second: 2/15, 1/5 and 1/10 seconds an edge.
  const KernelReport kernel = kernel_of({search(4, 30, 1), search(2, 10, 1), search(2, 20, 1)});
  const std::vector<double> teps = numbers(teps_statistics(kernel));
  EXPECT_DOUBLE_EQ(teps[0], 5);
  EXPECT_DOUBLE_EQ(teps[2], 7.5);
  EXPECT_DOUBLE_EQ(teps[4], 10);
  EXPECT_DOUBLE_EQ(teps[5], 3 / (2.0 / 15 + 1.0 / 5 + 1.0 / 10));
}

TEST(KernelStatistics, HaveNoValidationTimesUnlessAllSearchesWereValidated) {
  const std::vector<double> skipped(7, -1);
  EXPECT_EQ(numbers(validation_statistics(kernel_of({search(1, 1, 2), search(1, 1, 0, Verdict::unchecked)}))), skipped);
  EXPECT_NE(numbers(validation_statistics(kernel_of({search(1, 1, 2), search(1, 1, 2, Verdict::invalid)}))), skipped)
      << "a search that fails its validation was validated";
}

LevelStatistics level(Direction direction, const LevelSeconds& seconds) {
  LevelStatistics statistics;
  statistics.direction = direction;
  statistics.seconds = seconds;
  return statistics;
}

/// A search of 20 seconds, 4 of which are in no level.
SearchRecord phased_search() {
  SearchRecord record = search(20, 1, 1);
  record.levels = {level(Direction::push, {.compute = 1, .communicate = 2, .wait = 0.5, .convert = 0.25}),
                   level(Direction::pull, {.compute = 3, .communicate = 1, .wait = 0.5, .convert = 0.75}),
                   level(Direction::push, {.compute = 2, .communicate = 1, .wait = 0, .convert = 0})};
  record.leaves.seconds = {.compute = 1.5, .communicate = 0.5, .wait = 1, .convert = 1};
  return record;
}

TEST(PhaseSeconds, AddLevelsByDirectionAndTheLeavesToThePulls) {
  const PhaseSeconds phases = phase_seconds(phased_search());
  EXPECT_EQ(phases.push_compute, 3);
  EXPECT_EQ(phases.push_communicate, 3);
  EXPECT_EQ(phases.pull_compute, 4.5);
  EXPECT_EQ(phases.pull_communicate, 1.5);
  EXPECT_EQ(phases.convert, 2);
  EXPECT_EQ(phases.stall, 2);
  EXPECT_EQ(phases.other, 4) << "the rest of 20 seconds";
}

TEST(PhaseSeconds, AreAllOtherOfASearchWithoutLevels) {
  const PhaseSeconds phases = phase_seconds(search(3, 1, 1));
  EXPECT_EQ(phases.other, 3);
  EXPECT_EQ(phases.push_compute + phases.pull_compute + phases.push_communicate + phases.pull_communicate, 0);
}

TEST(PhaseSeconds, AreMeansOverTheSearches) {
  const PhaseSeconds mean = mean_phase_seconds(kernel_of({phased_search(), search(8, 1, 1)}));
  EXPECT_EQ(mean.push_compute, 1.5);
  EXPECT_EQ(mean.push_communicate, 1.5);
  EXPECT_EQ(mean.pull_compute, 2.25);
  EXPECT_EQ(mean.pull_communicate, 0.75);
  EXPECT_EQ(mean.convert, 1);
  EXPECT_EQ(mean.stall, 1);
  EXPECT_EQ(mean.other, 6);
  const PhaseSeconds none = mean_phase_seconds({});
  EXPECT_EQ(none.other, 0);
  EXPECT_EQ(none.push_compute, 0);
}

}  // namespace
}  // namespace breadth
