// The benchmark's result as JSON.
#pragma once

#include <string>

#include "graph500/report/report.hpp"

namespace breadth {

/// The whole report, every search with its levels, as docs/reports.md describes it.
std::string json_text(const BenchmarkReport& report);

}  // namespace breadth
