// Results as text and as JSON: the benchmark's, and what it has in common with those of single searches.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph500/report/report.hpp"
#include "graph500/report/statistics.hpp"

namespace breadth {

// Text.

/// Lines `key: value` with the keys of Graph500 specification 2.0. Lines that start with `#` come first where
/// options come from a profile, and where the run is incomplete or does not conform. A run with an invalid search has
/// no statistics. A run with no search ends after construction_time.
std::string specification_text(const BenchmarkReport& report);

/// "64 searches, all valid, conforming: 18.4 GTEPS (harmonic mean), kernel 1 0.46 s": all of it in one line for a
/// person, with what is missing or wrong.
std::string closing_line(const BenchmarkReport& report);

/// The same result in the layout that release 3.0 of the Graph500 reference prints, which scripts parse by column.
std::string reference_text(const BenchmarkReport& report);

// JSON: parts that results have in common.

nlohmann::ordered_json device_choice_json(const DeviceChoice& choice);
/// A value as the command line has it: a number, or a word.
nlohmann::ordered_json value_json(const std::string& value);
/// Options by their names.
nlohmann::ordered_json values_json(const std::vector<std::pair<std::string, std::string>>& options);
nlohmann::ordered_json profile_json(const UsedProfile& profile);
nlohmann::ordered_json machine_json(const Machine& machine);
nlohmann::ordered_json phases_json(const PhaseSeconds& phases);
/// What a search did: "levels", "leaves", what it settled afterwards, and the "phases" of its time.
nlohmann::ordered_json work_json(const SearchRecord& search);

/// The text of a JSON file. What is not UTF-8, as names of files may be, is replaced.
std::string json_text(const nlohmann::ordered_json& json);

// JSON: the benchmark's whole result.

/// The whole report, every search with its levels, as docs/reports.md describes it. `choices` are the options of the
/// run by their names, which the command line makes from its rows (cli/options/option_json.hpp).
std::string json_text(const BenchmarkReport& report, const nlohmann::ordered_json& choices);

}  // namespace breadth
