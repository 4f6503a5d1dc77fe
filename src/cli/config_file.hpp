// Options in a TOML file.
#pragma once

#include <string>
#include <vector>

#include "core/errors.hpp"

namespace breadth::cli {

/// One key of an option file.
struct ConfigEntry {
  std::string section;  ///< the command's table that it stands in, empty at the top
  std::string key;      ///< with '-' for '_'
  std::string value;    ///< as it would stand on the command line; the parts of an array with commas between
  std::size_t line = 0;
};

/// A value that is no TOML, but would be with quotes around it.
class UnquotedValue : public UsageError {
 public:
  UnquotedValue(const std::string& path, ConfigEntry entry);
  /// Its section is not known.
  [[nodiscard]] const ConfigEntry& entry() const noexcept { return entry_; }

 private:
  ConfigEntry entry_;
};

/// Reads a TOML file whose keys are options, at the top or in tables named for commands. Throws UsageError, with the
/// line, for a file that cannot be read or is not TOML, and for values that no option can have; UnquotedValue where
/// quotes are all that a line lacks.
std::vector<ConfigEntry> read_config_file(const std::string& path);

}  // namespace breadth::cli
