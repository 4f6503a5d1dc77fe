// Named sets of options: the systems that papers describe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/search.hpp"

namespace breadth::cli {

/// A paper's system as options of the engine, for any command: each has those that it has options for. What is as by
/// default today is written down where the system depends on it.
struct System {
  GraphLayout layout = {};
  BfsOptions bfs = {};
  SsspOptions sssp = {};
};

/// Values of options, weaker than whatever the user gives. Options that it does not name keep their defaults.
struct Preset {
  std::string name;
  std::string meaning;  ///< one line, as an option's
  std::string differs;  ///< from the paper's system, if it does
  std::string source;   ///< the paper whose system it is, if any
  std::optional<System> system;
};

/// All there are; the first one changes nothing.
std::span<const Preset> presets();

/// What it sets: the options that are not as by default, with their values as on the command line.
std::vector<std::pair<std::string, std::string>> values_of(const Preset& preset);

/// Declares --preset, and has the command take from the preset what neither the user nor a profile gives; options that
/// the command does not have are left out. `name` outlives the command.
void add_preset(Command& command, std::string& name);

/// What a preset sets, for people.
std::string preset_text(const Preset& preset);
/// All of them.
std::string presets_text();

}  // namespace breadth::cli
