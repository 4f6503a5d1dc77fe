#include "graph500/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace breadth {

Summary summarize(std::span<const double> values) {
  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end());
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

TepsSummary summarize_teps(std::span<const double> seconds, std::span<const double> edges) {
  std::vector<double> seconds_per_edge(seconds.size());
  std::transform(seconds.begin(), seconds.end(), edges.begin(), seconds_per_edge.begin(), std::divides<>());
  const Summary inverse = summarize(seconds_per_edge);

  TepsSummary teps;
  teps.minimum = 1 / inverse.maximum;
  teps.first_quartile = 1 / inverse.third_quartile;
  teps.median = 1 / inverse.median;
  teps.third_quartile = 1 / inverse.first_quartile;
  teps.maximum = 1 / inverse.minimum;
  teps.harmonic_mean = 1 / inverse.mean;
  if (seconds.size() > 1) {
    const double root = std::sqrt(static_cast<double>(seconds.size() - 1));
    teps.harmonic_standard_deviation = inverse.standard_deviation / (inverse.mean * inverse.mean * root);
  }
  return teps;
}

}  // namespace breadth
