// The required statistics of a kernel under their required names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph500/report/report.hpp"

namespace breadth {

/// In the order in which they are printed.
using NamedValues = std::vector<std::pair<std::string, double>>;

/// min_time, firstquartile_time, … stddev_time, in seconds. All of these functions want at least one search.
NamedValues time_statistics(const KernelReport& kernel);
/// min_nedge, … stddev_nedge.
NamedValues edge_statistics(const KernelReport& kernel);
/// min_TEPS, … harmonic_mean_TEPS, harmonic_stddev_TEPS.
NamedValues teps_statistics(const KernelReport& kernel);
/// min_validate, … stddev_validate, in seconds; all -1 unless every search was validated. Searches that were validated
/// together have an equal share of that time each.
NamedValues validation_statistics(const KernelReport& kernel);

}  // namespace breadth
