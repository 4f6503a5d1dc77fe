// Options in a TOML file.
#pragma once

#include <string>
#include <vector>

namespace breadth::cli {

/// One key of an option file.
struct ConfigEntry {
  std::string section;  ///< the command's table that it stands in, empty at the top
  std::string key;      ///< with '-' for '_'
  std::string value;    ///< as it would stand on the command line; the parts of an array with commas between
  std::size_t line = 0;
};

/// Reads a TOML file whose keys are options, at the top or in tables named for commands. Throws UsageError, with the
/// line, for a file that cannot be read or is not TOML, and for values that no option can have.
std::vector<ConfigEntry> read_config_file(const std::string& path);

}  // namespace breadth::cli
