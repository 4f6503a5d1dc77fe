// breadth options
#include <algorithm>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/presets.hpp"

namespace breadth::cli {

namespace {
struct Listed {
  Option option;
  std::vector<std::string> commands;
};

/// Each option once, with the commands that have it in that meaning.
std::vector<Listed> list_options(const std::vector<Command>& commands) {
  std::vector<Listed> listed;
  for (const Command& command : commands) {
    for (const Option& option : command.options.options()) {
      if (option.kind == OptionKind::argument) continue;
      const auto same = std::find_if(listed.begin(), listed.end(), [&option](const Listed& other) {
        return other.option.name == option.name && other.option.meaning == option.meaning &&
               other.option.default_text == option.default_text;
      });
      if (same != listed.end()) {
        same->commands.push_back(command.name);
      } else {
        listed.push_back({option, {command.name}});
      }
    }
  }
  return listed;
}

std::string list_text(const std::vector<Listed>& listed) {
  std::string text;
  for (const auto& [option, commands] : listed) {
    text += fmt::format("--{}  ({})\n    {}\n", option.name, fmt::join(commands, ", "), option.meaning);
    const std::string by_default = option.required ? "none, it has to be given" : option.default_text;
    text += fmt::format("    default: {}\n    range: {}\n", by_default.empty() ? "none" : by_default, option.range);
    if (!option.source.empty()) text += fmt::format("    from: {}\n", option.source);
  }
  return text;
}
}  // namespace

Command options_command(const std::vector<Command>& others) {
  Command command{.name = "options", .summary = "list every option with its meaning, default, range and paper"};
  const std::string text = list_text(list_options(others)) + "\n" + presets_text();
  command.run = [text](const Communicator& ranks) {
    print_result(text, ranks);
    return 0;
  };
  return command;
}

}  // namespace breadth::cli
