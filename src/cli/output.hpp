// Results, on standard output and as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "io/files/output_file.hpp"

namespace breadth::cli {

/// Writes the first rank's text to standard output, at once and whole. Throws AgreedError if that fails. Collective.
void print_result(const std::string& text, const Communicator& ranks);

/// A line `key: value` for each value of an object; words stand without quotes.
std::string lines_of(const nlohmann::ordered_json& values);

/// --json, whose file a ResultOutput writes.
void add_json_option(OptionSet& options, std::string& json);

/// Where a command's result goes: lines to standard output and, with --json FILE, everything to that file. With
/// `--json -` that is standard output, and the lines go to standard error. All of it is collective.
class ResultOutput {
 public:
  /// `json` is the file, empty for none. Throws AgreedError where it cannot be written.
  ResultOutput(std::string json, const Communicator& ranks);

  /// Whether anybody will read JSON.
  [[nodiscard]] bool wants_json() const noexcept { return !json_.empty(); }
  /// Writes the first rank's result; json() makes the text there, if it is wanted. To be called once. Throws
  /// AgreedError.
  void write(const std::string& lines, const std::function<std::string()>& json);

 private:
  const Communicator& ranks_;
  std::string json_;
  std::optional<OutputFile> file_;  ///< on the first rank
};

}  // namespace breadth::cli
