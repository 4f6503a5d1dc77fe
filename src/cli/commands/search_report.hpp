// The JSON of a search on a user's own graph.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/commands/graph_search.hpp"
#include "graph500/report/machine.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

/// What a search found, and how.
struct SearchFindings {
  SearchRecord record;  ///< its key and verification are not looked at
  std::uint64_t reached = 0;
  const LabelArray& parents;
  bool limited = false;                     ///< whether it was not to go as far as edges lead
  std::vector<Label> path = {};             ///< to the target; empty where there is none
  nlohmann::ordered_json measures = {};     ///< of this kind of search: its levels, how far the target is
  nlohmann::ordered_json options = {};      ///< that it was given
  std::optional<UsedProfile> profile = {};  ///< where some of them come from
  std::optional<DeviceChoice> device_choice = {};
};

/// What searches of all kinds found. One member after the other: where memory is missing in the middle of an
/// initializer of nested structures, GCC 12 destroys what is in the inner one twice.
template <class Result>
SearchFindings findings_of(const Result& result, const LabelArray& parents, const std::vector<Label>& path) {
  SearchFindings found{.record = {}, .parents = parents};
  found.record.seconds = result.seconds;
  found.record.levels = result.levels;
  found.record.leaves = result.leaves;
  found.record.settled = result.settled;
  found.record.device_seconds = result.device_seconds;
  found.reached = result.reached;
  found.path = path;
  return found;
}

/// All of it under the names of the benchmark's report (docs/reports.md). Edges are counted in a pass over the edge
/// list and make TEPS, unless the search was limited: then it did not look at all of those. Collective; throws
/// AgreedError when the edge list cannot be read.
nlohmann::ordered_json search_json(const GraphSearch& search, const SearchFindings& found, const Machine& machine,
                                   const Context& context);

}  // namespace breadth::cli
