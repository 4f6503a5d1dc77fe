// Statistics of the benchmark's output: of any sample, of a kernel under the required names, and of the time of
// searches by phase.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph500/report/report.hpp"

namespace breadth {

// Samples.

/// Summary of a sample (Graph500 specification 2.0, output of the statistics).
struct Summary {
  double minimum = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double maximum = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< divided by n - 1; 0 for a sample of one
};

/// Summarises a sample of at least one value. With x sorted and integer division in all indices: first quartile =
/// (x[(n-1)/4] + x[n/4]) / 2, median = (x[(n-1)/2] + x[n/2]) / 2, third quartile = (x[n-1-(n-1)/4] + x[n-1-n/4]) / 2.
/// O(n log n).
Summary summarize(std::span<const double> values);

/// Summarises traversed edges per second: search i traversed `edges[i]` edges in `seconds[i]`. Both have one size, at
/// least one, and all values are positive. Quartiles, mean and deviation are computed from seconds per edge: the
/// harmonic mean is the right one for rates, and its deviation is by Norris, Annals of Mathematical Statistics 11
/// (1940).
Summary summarize_teps(std::span<const double> seconds, std::span<const double> edges);

// The required statistics of a kernel under their required names.

/// Names and values, in the order in which they are printed.
using NamedValues = std::vector<std::pair<std::string, double>>;

/// min_time, firstquartile_time, … stddev_time, in seconds. All of these functions require at least one search.
NamedValues time_statistics(const KernelReport& kernel);
/// min_nedge, … stddev_nedge.
NamedValues edge_statistics(const KernelReport& kernel);
/// min_TEPS, … harmonic_mean_TEPS, harmonic_stddev_TEPS.
NamedValues teps_statistics(const KernelReport& kernel);
/// min_validate, … stddev_validate, in seconds; all -1 unless every search was validated. Searches that were validated
/// together each have an equal share of their time.
NamedValues validation_statistics(const KernelReport& kernel);

// The time of searches by phase.

/// Seconds of rank 0 in a search, by phase, as in Cui et al. 2012, fig. 11. The pass over the leaves counts as a pull.
struct PhaseSeconds {
  double push_compute = 0;
  double push_communicate = 0;
  double pull_compute = 0;
  double pull_communicate = 0;
  double convert = 0;  ///< `switch` in the paper: changing the form of the frontier
  double stall = 0;    ///< waiting for slower ranks
  double other = 0;    ///< the rest of the search: its start, and writing the parents
};

PhaseSeconds phase_seconds(const SearchRecord& search);
/// The mean over the searches; all 0 if there are none.
PhaseSeconds mean_phase_seconds(const KernelReport& kernel);

}  // namespace breadth
