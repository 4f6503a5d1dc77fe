// Whether a run obeys the specification.
#pragma once

#include <string>
#include <vector>

#include "graph500/report/report.hpp"

namespace breadth {

/// What keeps a run from conforming to Graph500 specification 2.0, one sentence each; empty where nothing does.
std::vector<std::string> rules_broken(const BenchmarkReport& report);

/// What the specification leaves open and the run decided, one sentence each: what a referee should know.
std::vector<std::string> rules_notes(const BenchmarkReport& report);

}  // namespace breadth
