// Queries about the broken rules of a report.
#pragma once

#include <algorithm>

#include "validate/validate.hpp"

namespace breadth::test {

inline bool breaks(const ValidationReport& report, Rule rule) {
  return std::any_of(report.broken.begin(), report.broken.end(),
                     [&](const BrokenRule& broken) { return broken.rule == rule && broken.count > 0; });
}

}  // namespace breadth::test
