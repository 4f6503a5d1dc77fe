// Options in a TOML file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_set.hpp"

namespace breadth::cli {

/// The kind of a line in an option file: [TABLE], or a key with a quoted text, with true or false, or with a number, a
/// date or an array.
enum class ConfigKind { table, text, truth, other };

/// A key or a table of an option file.
struct ConfigEntry {
  std::string section;  ///< the table, or the table of the key; empty at the top
  std::string key;      ///< with '-' instead of '_'
  std::string value;    ///< as on the command line; parts of an array are separated by commas
  std::size_t line = 0;
  ConfigKind kind = ConfigKind::text;
};

/// Throws UsageError if an option that takes any text has a value that is not quoted. Vertices may also be numbers.
void require_text(const std::string& path, const ConfigEntry& entry, const Option& option);

/// The origin of an option's value in a file, for messages.
std::string origin_in(const std::string& path, const ConfigEntry& entry);

/// The content of a file or a pipe; nothing, with errno set, if it cannot be read completely.
std::optional<std::string> whole_text(const std::string& path);

/// Reads a TOML file whose keys are options, at the top or in tables. Throws UsageError if the file cannot be read; the
/// message calls it by its `kind` ("profile"). Throws UsageError with the line and the expected content if it is not
/// TOML, or if a value is invalid for every option. For an unquoted word that its option in `options` would reject even
/// with quotes, the message gives the option's range.
std::vector<ConfigEntry> read_config_file(const char* kind, const std::string& path, OptionSet& options);

}  // namespace breadth::cli
