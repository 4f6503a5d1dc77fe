// The texts that --help prints.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace breadth::cli {

/// The list of commands, and the places from which options are read.
std::string program_help(const std::vector<Command>& commands);

/// The everyday options of a command, or all options by group.
std::string command_help(const Command& command, bool all);

}  // namespace breadth::cli
