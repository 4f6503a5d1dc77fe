// Presets: named sets of options that reproduce the systems of papers.
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

/// A paper's system as options of the engine, for any command: it sets everything for which the engine has options.
/// Values that equal today's defaults are written out if the system depends on them.
struct System {
  GraphLayout layout = {};
  BfsOptions bfs = {};
  SsspOptions sssp = {};
};

/// A set of option values with lower precedence than the user's options. Options that it does not set keep their
/// defaults.
struct Preset {
  std::string name;
  std::string meaning;       ///< one line, like the meaning of an option
  std::string differs = {};  ///< differences from the paper's system, if any
  std::string source = {};   ///< the paper that describes the system, if any
  std::optional<System> system = {};
};

/// All presets; the first one changes nothing.
std::span<const Preset> presets();

/// The options that a preset changes from their defaults, with their values as on the command line.
std::vector<std::pair<std::string, std::string>> values_of(const Preset& preset);

/// Adds --preset, and makes the command take from the preset the options that neither the user nor a profile gives.
/// Options that the command does not have are ignored. `name` must outlive the command.
void add_preset(Command& command, std::string& name);

/// A description of what a preset sets, for the user.
std::string preset_text(const Preset& preset);
/// The descriptions of all presets.
std::string presets_text();

}  // namespace breadth::cli
