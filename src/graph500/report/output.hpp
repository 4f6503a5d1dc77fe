// Results as text and as JSON: the benchmark's, and the parts that single searches also use.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph500/report/report.hpp"
#include "graph500/report/statistics.hpp"

namespace breadth {

// Text.

/// Lines `key: value` with the keys of Graph500 specification 2.0. Remarks come first, in lines that start with `#`:
/// how options were chosen, notes for a referee, and whether the run is incomplete, invalid or not conforming. A run
/// with an invalid search has no statistics. A run without searches ends after the construction and preparation times.
std::string specification_text(const BenchmarkReport& report);

/// A summary in one line for the user, with everything that is missing or wrong: "64 searches, all valid, conforming:
/// 18.4 GTEPS (harmonic mean), kernel 1 0.46 s".
std::string closing_line(const BenchmarkReport& report);

/// The result in the layout of release 3.0 of the Graph500 reference, which scripts parse by column.
std::string reference_text(const BenchmarkReport& report);

// JSON: parts that are common to several results.

nlohmann::ordered_json device_choice_json(const DeviceChoice& choice);
/// A value as on the command line: a number, or a word.
nlohmann::ordered_json value_json(const std::string& value);
/// An object with the options' names and values.
nlohmann::ordered_json values_json(const std::vector<std::pair<std::string, std::string>>& options);
nlohmann::ordered_json profile_json(const UsedProfile& profile);
nlohmann::ordered_json machine_json(const Machine& machine);
nlohmann::ordered_json phases_json(const PhaseSeconds& phases);
/// The work of a search: "levels", "leaves", the parents that were settled at the end, and the "phases" of its time.
nlohmann::ordered_json work_json(const SearchRecord& search);

/// The text of a JSON file. Bytes that are not UTF-8, which file names may contain, are replaced.
std::string json_text(const nlohmann::ordered_json& json);

// JSON: the benchmark's whole result.

/// The whole report, with the levels of every search, as docs/reports.md describes it. `choices` holds the options of
/// the run by name; the command line makes it from its option rows (cli/options/option_json.hpp).
std::string json_text(const BenchmarkReport& report, const nlohmann::ordered_json& choices);

}  // namespace breadth
