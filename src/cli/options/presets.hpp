// Named sets of options: the systems that papers describe.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace breadth::cli {

/// Values of options, weaker than whatever the user gives. Options that it does not name keep their defaults.
struct Preset {
  std::string name;
  std::string meaning;                                      ///< one line, as an option's
  std::string differs;                                      ///< from the paper's system, if it does
  std::string source;                                       ///< the paper whose system it is, if any
  std::vector<std::pair<std::string, std::string>> values;  ///< other than the defaults, as on the command line
};

/// All there are; the first one changes nothing.
std::span<const Preset> presets();

/// Declares --preset, and has the command take from the preset what neither the user nor a profile gives; options that
/// the command does not have are left out. `name` outlives the command.
void add_preset(Command& command, std::string& name);

/// What a preset sets, for people.
std::string preset_text(const Preset& preset);
/// All of them.
std::string presets_text();

}  // namespace breadth::cli
