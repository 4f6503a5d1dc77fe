// Which searches share a pass over the edge list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "validate/tree_levels.hpp"
#include "validate/tree_validation.hpp"

namespace breadth {

/// Searches that share a pass by their levels' width.
struct PassWidth {
  std::size_t narrow;  ///< levels of one byte
  std::size_t wide;    ///< of 4 bytes
};

/// Bytes that validation takes for a label where one pass takes trees with so many levels of a byte and records of so
/// many bytes. Levels are there while they come about and while they are dealt out.
template <class Entry>
constexpr std::size_t pass_bytes_per_label(std::size_t levels, std::size_t record_bytes) {
  constexpr std::size_t doubling = 4 * sizeof(Entry);  // two ancestors, each with its steps (tree_levels.cpp)
  return levels + std::max(record_bytes, doubling);
}

/// The levels of as many of the first trees as can share a pass.
template <class Result>
std::vector<TreeLevels> levels_of_pass(std::span<const Result> results, const PassWidth& width,
                                       const ValidationInput& input) {
  std::vector<TreeLevels> levels;
  std::size_t room = width.narrow;
  while (levels.size() < std::min(room, results.size())) {
    const Result& next = results[levels.size()];
    levels.push_back(tree_levels(next.parents, next.root, input.distribution, input.context));
    if (levels.back().wide()) room = width.wide;
  }
  while (levels.size() > room) levels.pop_back();
  return levels;
}

/// The reports on all results, pass by pass: validate_pass(results, levels, wide_parents) is given those of one.
template <class Result, class ValidatePass>
std::vector<ValidationReport> validate_in_passes(std::span<const Result> results, const PassWidth& width,
                                                 const ValidationInput& input, ValidatePass&& validate_pass) {
  std::vector<ValidationReport> reports;
  while (reports.size() < results.size()) {
    const std::span left = results.subspan(reports.size());
    std::vector<TreeLevels> levels = levels_of_pass(left, width, input);
    const std::span pass = left.first(levels.size());
    const bool wide = std::any_of(pass.begin(), pass.end(), [](const Result& result) { return result.parents.wide(); });
    for (ValidationReport& report : validate_pass(pass, std::move(levels), wide)) reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace breadth
