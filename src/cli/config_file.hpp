// Options in a TOML file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_set.hpp"

namespace breadth::cli {

/// What stands in a line of an option file: [TABLE], or a key with a text in quotes, with true or false, or with a
/// number, a date or an array.
enum class ConfigKind { table, text, truth, other };

/// One key of an option file, or a table.
struct ConfigEntry {
  std::string section;  ///< the table, or the one that the key stands in; empty at the top
  std::string key;      ///< with '-' for '_'
  std::string value;    ///< as it would stand on the command line; the parts of an array with commas between
  std::size_t line = 0;
  ConfigKind kind = ConfigKind::text;
};

/// Throws UsageError where an option that takes any text has none in quotes; numbers may name vertices.
void require_text(const std::string& path, const ConfigEntry& entry, const Option& option);

/// Where an option's value in a file comes from, as messages name it.
std::string origin_in(const std::string& path, const ConfigEntry& entry);

/// What a file or a pipe holds; nothing, with errno set, where it cannot be read whole.
std::optional<std::string> whole_text(const std::string& path);

/// Reads a TOML file whose keys are options, at the top or in tables. Throws UsageError for a file that cannot be read,
/// as the `kind` that it is ("profile"), and, with the line and what is wanted there, for one that is not TOML and for
/// values that no option can have. A word without quotes that its option in `options` would not take with them either
/// is named as what the option must be.
std::vector<ConfigEntry> read_config_file(const char* kind, const std::string& path, OptionSet& options);

}  // namespace breadth::cli
