// The statistics that the benchmark's output is made of.
#pragma once

#include <span>

namespace breadth {

/// Summary of a sample (Graph500 specification 2.0, output of the statistics).
struct Summary {
  double minimum = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double maximum = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< over n - 1; 0 for a sample of one
};

/// Summary of traversed edges per second. Quartiles, mean and deviation come from seconds per edge: the harmonic mean
/// is the one that makes sense for rates, its deviation is that of Norris, Annals of Mathematical Statistics 11 (1940).
struct TepsSummary {
  double minimum = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double maximum = 0;
  double harmonic_mean = 0;
  double harmonic_standard_deviation = 0;  ///< 0 for a sample of one
};

/// With x sorted, all indices by whole division: first quartile = (x[(n-1)/4] + x[n/4]) / 2, median the same with
/// halves, third quartile = (x[n-1-(n-1)/4] + x[n-1-n/4]) / 2. At least one value. O(n log n).
Summary summarize(std::span<const double> values);

/// `seconds[i]` for `edges[i]` edges; equally many of both, at least one, all above 0.
TepsSummary summarize_teps(std::span<const double> seconds, std::span<const double> edges);

}  // namespace breadth
