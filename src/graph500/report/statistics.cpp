#include "graph500/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace breadth {

// Samples.

Summary summarize(std::span<const double> values) {
  std::vector<double> x(values.begin(), values.end());
  std::ranges::sort(x);
  const std::size_t n = x.size();
  const auto between = [&x](std::size_t i, std::size_t j) { return (x[i] + x[j]) / 2; };

  Summary summary;
  summary.minimum = x.front();
  summary.first_quartile = between((n - 1) / 4, n / 4);
  summary.median = between((n - 1) / 2, n / 2);
  summary.third_quartile = between(n - 1 - (n - 1) / 4, n - 1 - n / 4);
  summary.maximum = x.back();
  summary.mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
  if (n > 1) {
    const double squares = std::accumulate(x.begin(), x.end(), 0.0, [&](double sum, double value) {
      return sum + (value - summary.mean) * (value - summary.mean);
    });
    summary.standard_deviation = std::sqrt(squares / static_cast<double>(n - 1));
  }
  return summary;
}

Summary summarize_teps(std::span<const double> seconds, std::span<const double> edges) {
  std::vector<double> seconds_per_edge(seconds.size());
  std::ranges::transform(seconds, edges, seconds_per_edge.begin(), std::divides<>());
  const Summary inverse = summarize(seconds_per_edge);

  Summary teps{.minimum = 1 / inverse.maximum,
               .first_quartile = 1 / inverse.third_quartile,
               .median = 1 / inverse.median,
               .third_quartile = 1 / inverse.first_quartile,
               .maximum = 1 / inverse.minimum,
               .mean = 1 / inverse.mean};
  if (seconds.size() > 1) {
    const double root = std::sqrt(static_cast<double>(seconds.size() - 1));
    teps.standard_deviation = inverse.standard_deviation / (inverse.mean * inverse.mean * root);
  }
  return teps;
}

// The required statistics of a kernel under their required names.

namespace {
std::vector<double> collect(const KernelReport& kernel, const std::function<double(const SearchRecord&)>& value) {
  std::vector<double> values(kernel.searches.size());
  std::ranges::transform(kernel.searches, values.begin(), value);
  return values;
}

double seconds_of(const SearchRecord& search) { return search.seconds; }
double edges_of(const SearchRecord& search) { return static_cast<double>(search.verification.edges); }
double validation_seconds_of(const SearchRecord& search) { return search.verification.seconds; }

/// Names the values of a summary. `mean` is a prefix for the kind of mean, empty for the arithmetic mean.
NamedValues name_values(const Summary& summary, const std::string& quantity, const std::string& mean = "") {
  return {{"min_" + quantity, summary.minimum},
          {"firstquartile_" + quantity, summary.first_quartile},
          {"median_" + quantity, summary.median},
          {"thirdquartile_" + quantity, summary.third_quartile},
          {"max_" + quantity, summary.maximum},
          {mean + "mean_" + quantity, summary.mean},
          {mean + "stddev_" + quantity, summary.standard_deviation}};
}
}  // namespace

NamedValues time_statistics(const KernelReport& kernel) {
  return name_values(summarize(collect(kernel, seconds_of)), "time");
}

NamedValues edge_statistics(const KernelReport& kernel) {
  return name_values(summarize(collect(kernel, edges_of)), "nedge");
}

NamedValues teps_statistics(const KernelReport& kernel) {
  return name_values(summarize_teps(collect(kernel, seconds_of), collect(kernel, edges_of)), "TEPS", "harmonic_");
}

NamedValues validation_statistics(const KernelReport& kernel) {
  const bool all_validated = std::ranges::none_of(
      kernel.searches, [](const SearchRecord& search) { return search.verification.verdict == Verdict::unchecked; });
  constexpr double skipped = -1;
  if (!all_validated) {
    return name_values({skipped, skipped, skipped, skipped, skipped, skipped, skipped}, "validate");
  }
  return name_values(summarize(collect(kernel, validation_seconds_of)), "validate");
}

// The time of searches by phase.

namespace {
constexpr double PhaseSeconds::*every_phase[] = {&PhaseSeconds::push_compute, &PhaseSeconds::push_communicate,
                                                 &PhaseSeconds::pull_compute, &PhaseSeconds::pull_communicate,
                                                 &PhaseSeconds::convert,      &PhaseSeconds::stall};

void add(PhaseSeconds& phases, Direction direction, const LevelSeconds& seconds) {
  const bool push = direction == Direction::push;
  (push ? phases.push_compute : phases.pull_compute) += seconds.compute;
  (push ? phases.push_communicate : phases.pull_communicate) += seconds.communicate;
  phases.convert += seconds.convert;
  phases.stall += seconds.wait;
}
}  // namespace

PhaseSeconds phase_seconds(const SearchRecord& search) {
  PhaseSeconds phases;
  for (const LevelStatistics& level : search.levels) add(phases, level.direction, level.seconds);
  add(phases, Direction::pull, search.leaves.seconds);
  phases.other = search.seconds;
  for (const auto phase : every_phase) phases.other -= phases.*phase;
  return phases;
}

PhaseSeconds mean_phase_seconds(const KernelReport& kernel) {
  PhaseSeconds mean;
  const auto count = static_cast<double>(kernel.searches.size());
  for (const SearchRecord& search : kernel.searches) {
    const PhaseSeconds phases = phase_seconds(search);
    for (const auto phase : every_phase) mean.*phase += phases.*phase / count;
    mean.other += phases.other / count;
  }
  return mean;
}

}  // namespace breadth
