// What --help prints.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace breadth::cli {

/// The commands, and where options come from.
std::string program_help(const std::vector<Command>& commands);

/// The everyday options of a command, or all by their groups.
std::string command_help(const Command& command, bool all);

}  // namespace breadth::cli
