// Results as JSON: the benchmark's, and what it has in common with those of single searches.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

#include "graph500/report/report.hpp"
#include "graph500/report/statistics.hpp"

namespace breadth {

// Parts that results have in common.

nlohmann::ordered_json device_choice_json(const DeviceChoice& choice);
/// Options by their names; values that are numbers become such.
nlohmann::ordered_json values_json(const std::vector<std::pair<std::string, std::string>>& options);
nlohmann::ordered_json profile_json(const UsedProfile& profile);
nlohmann::ordered_json machine_json(const Machine& machine);
nlohmann::ordered_json phases_json(const PhaseSeconds& phases);
/// What a search did: "levels", "leaves", what it settled afterwards, and the "phases" of its time.
nlohmann::ordered_json work_json(const SearchRecord& search);

/// The text of a JSON file. What is not UTF-8, as names of files may be, is replaced.
std::string json_text(const nlohmann::ordered_json& json);

// The benchmark's whole result.

/// The whole report, every search with its levels, as docs/reports.md describes it. `choices` are the options of the
/// run by their names: whoever declares them knows these (cli/options/option_json.hpp).
std::string json_text(const BenchmarkReport& report, const nlohmann::ordered_json& choices);

}  // namespace breadth
