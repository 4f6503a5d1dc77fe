#include "cli/command.hpp"

namespace breadth::cli {

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  for (Command (*make)() : {graph500_command, bfs_command, sssp_command, generate_command, convert_command,
                            info_command, plan_command, tune_command}) {
    commands.push_back(make());
  }
  commands.push_back(options_command(commands));
  return commands;
}

}  // namespace breadth::cli
