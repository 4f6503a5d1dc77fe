// From the command line, the option file and the environment to a command that is ready to run, the same on every rank.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "comm/communicator.hpp"

namespace breadth::cli {

/// What the program was asked for: to print a text (help, version), or to run a command.
struct Invocation {
  std::string text;                       ///< printed to standard output if there is no command
  Command* command = nullptr;             ///< its options are set and checked
  std::vector<std::string> notices = {};  ///< for people, a line each: options that they called by an old name
};

/// Variables of the environment, by name.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The variables whose names start with BREADTH_.
Variables breadth_variables();

/// Finds the command and sets its options: from `words` (without the program's name), else from the file that --config
/// names, else from the variables. Throws UsageError for what is unknown, missing, out of range or contradictory.
Invocation parse_command_line(std::span<const std::string> words, const Variables& variables,
                              std::vector<Command>& commands);

/// Parses on every rank and makes sure that all ranks were asked for the same; throws the same UsageError on all
/// otherwise. Collective.
Invocation agree_on_command_line(std::span<const std::string> words, const Variables& variables,
                                 std::vector<Command>& commands, const Communicator& ranks);

}  // namespace breadth::cli
