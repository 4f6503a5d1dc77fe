// The benchmark's result as text.
#pragma once

#include <string>

#include "graph500/report/report.hpp"

namespace breadth {

/// Lines `key: value` with the keys of Graph500 specification 2.0. Lines that start with `#` come first where
/// options come from a profile, and where the run is incomplete or does not conform. A run with an invalid search has
/// no statistics. A run with no search ends after construction_time.
std::string specification_text(const BenchmarkReport& report);

/// "64 searches, all valid, conforming: 18.4 GTEPS (harmonic mean), kernel 1 0.46 s": all of it in one line for a
/// person, with what is missing or wrong.
std::string closing_line(const BenchmarkReport& report);

/// The same result in the layout that release 3.0 of the Graph500 reference prints, which scripts parse by column.
std::string reference_text(const BenchmarkReport& report);

}  // namespace breadth
