// The program `breadth` and its commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"

namespace breadth::cli {

/// A command. Its functions own the settings to which the options are stored.
struct Command {
  std::string name;
  std::string summary;
  std::string example = {};  ///< the words after the command's name, for help
  OptionSet options;
  bool names_options = false;  ///< whether its arguments are option names, with or without dashes
  /// Called after the options have their values: sets the defaults that a profile or a preset gives. Throws UsageError.
  std::function<void(OptionSet& options)> complete = [](OptionSet&) {};
  /// Throws UsageError for invalid combinations of options. Examines only options; does not communicate.
  std::function<void(const OptionSet& options)> check = [](const OptionSet&) {};
  /// Does the work on all ranks and returns the exit status, which is equal on all of them.
  std::function<int(const Communicator& ranks)> run;
};

/// Makes a command with settings of type Settings. Three functions must be declared next to the type: declare(Command&,
/// Settings&), which adds the options; check(const OptionSet&, Settings&) and run(Settings&, const Communicator&), for
/// the members of Command.
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
Command components_command();
Command generate_command();
Command convert_command();
Command info_command();
Command plan_command();
Command tune_command();
/// The command that lists the options of the others.
Command options_command(const std::vector<Command>& others);

/// All commands, in the order in which help lists them.
std::vector<Command> all_commands();

/// Runs the program with the arguments of a main function, the first of which is the program's name. Prints results and
/// errors, and returns the exit status. It must be called only once, in a process of its own: its signal handlers
/// remove partial files, and it starts MPI if built with it.
int run_program(int argc, char** argv);

}  // namespace breadth::cli
