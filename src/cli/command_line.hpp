// Parsing of the command line, the option file and the environment to a command that is ready to run, equal on every
// rank.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "comm/communicator.hpp"

namespace breadth::cli {

/// The result of parsing: a text to print (help, version), or a command to run.
struct Invocation {
  std::string text;                       ///< to print to standard output if there is no command
  Command* command = nullptr;             ///< the command, with its options set and checked
  std::vector<std::string> notices = {};  ///< notices for the user, one line each: options that were given by an old
                                          ///< name
};

/// Environment variables, by name.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The environment variables whose names start with BREADTH_.
Variables breadth_variables();

/// Finds the command and sets its options: from `words` (without the program's name), otherwise from the file that
/// --config names, otherwise from the variables. Throws UsageError for unknown or missing words and for values that are
/// out of range or contradictory.
Invocation parse_command_line(std::span<const std::string> words, const Variables& variables,
                              std::vector<Command>& commands);

/// Parses on every rank and checks that all ranks were given the same command and options; otherwise throws one
/// UsageError on all. Collective.
Invocation agree_on_command_line(std::span<const std::string> words, const Variables& variables,
                                 std::vector<Command>& commands, const Communicator& ranks);

}  // namespace breadth::cli
