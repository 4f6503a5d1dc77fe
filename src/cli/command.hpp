// The program `breadth` and its commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"

namespace breadth::cli {

/// One command. Its functions own the settings that the options fill in.
struct Command {
  std::string name;
  std::string summary;
  std::string example = {};  ///< words after the command's name, for help
  OptionSet options;
  bool names_options = false;  ///< whether its arguments are names of options, with or without dashes
  /// Called once the options have their values: sets defaults that these name, in a profile. Throws UsageError.
  std::function<void(OptionSet& options)> complete = [](OptionSet&) {};
  /// Throws UsageError for combinations of options that make no sense. Only looks at options, does not communicate.
  std::function<void(const OptionSet& options)> check = [](const OptionSet&) {};
  /// Does the work on all ranks and returns the exit status, the same on each.
  std::function<int(const Communicator& ranks)> run;
};

/// A command with settings of this type. For it stand beside the type: declare(Command&, Settings&), which adds the
/// options, and check(const OptionSet&, Settings&) and run(Settings&, const Communicator&), as Command has them.
template <class Settings>
Command command_with(Command command) {
  const auto settings = std::make_shared<Settings>();
  declare(command, *settings);
  command.check = [settings](const OptionSet& options) { check(options, *settings); };
  command.run = [settings](const Communicator& ranks) { return run(*settings, ranks); };
  return command;
}

Command graph500_command();
Command bfs_command();
Command sssp_command();
Command generate_command();
Command convert_command();
Command info_command();
Command plan_command();
Command tune_command();
/// Lists the options of the others.
Command options_command(const std::vector<Command>& others);

/// Every command, in the order in which help lists them.
std::vector<Command> all_commands();

/// Runs the program with the arguments of a main function, of which the first is its own name: prints results and
/// errors, and returns the exit status. The process is the program's alone, once: its signals remove partial files, and
/// MPI is started where that is built in.
int run_program(int argc, char** argv);

}  // namespace breadth::cli
