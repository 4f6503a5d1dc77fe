// Where the time of searches went.
#pragma once

#include "graph500/report/report.hpp"

namespace breadth {

/// Seconds of rank 0 in a search, by phase, as in Cui et al. 2012, fig. 11; the pass over the leaves is one that pulls.
struct PhaseSeconds {
  double push_compute = 0;
  double push_communicate = 0;
  double pull_compute = 0;
  double pull_communicate = 0;
  double convert = 0;  ///< `switch` in the paper: changing the form of the frontier
  double stall = 0;    ///< waiting for slower ranks
  double other = 0;    ///< what is left of the search: its start, and writing the parents
};

PhaseSeconds phase_seconds(const SearchRecord& search);
/// The mean over the searches; nothing of none.
PhaseSeconds mean_phase_seconds(const KernelReport& kernel);

}  // namespace breadth
