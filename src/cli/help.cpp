#include "cli/help.hpp"

#include <algorithm>
#include <cstddef>

#include "cli/options/option_set.hpp"
#include "cli/options/presets.hpp"

namespace breadth::cli {

std::string program_help(const std::vector<Command>& commands) {
  std::string text =
      "Breadth searches very large graphs breadth first and runs the Graph500 benchmark.\n\n"
      "Usage: breadth COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands) text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  text +=
      "\n  breadth COMMAND --help           the everyday options of a command\n"
      "  breadth COMMAND --help-all       all its options\n"
      "  breadth options [NAME|GROUP]     all options, one, or those of a group, with ranges and papers\n"
      "  breadth --version                the version\n\n"
      "Options come from the command line, a TOML file (--config FILE), variables such as BREADTH_SCALE,\n"
      "a profile that `breadth tune` wrote (--profile FILE), and the preset of a paper (--preset NAME).\n"
      "Each of these overrides those after it.\n"
      "On several ranks: mpiexec -n 4 breadth COMMAND [OPTIONS]\n\n"
      "Presets:\n";
  for (const Preset& preset : presets()) text += fmt::format("  {:<16}{}\n", preset.name, preset.meaning);
  return text;
}

namespace {
/// The left column of help for an option: --scale N.
std::string usage_of(const Option& option) {
  if (option.kind != OptionKind::value) return as_given(option);
  return fmt::format("{} {}", as_given(option), name_of(option.takes));
}

std::string default_of(const Option& option) {
  if (option.kind == OptionKind::flag || option.default_text.empty()) return {};
  return fmt::format(" [{}]", option.default_text);
}

/// A heading and its options, one line each, and a second line with the range if `ranges`. Empty if there are no
/// options.
std::string help_section(const std::string& heading, const std::vector<const Option*>& options, bool ranges) {
  if (options.empty()) return {};
  std::size_t width = 0;
  for (const Option* option : options) width = std::max(width, usage_of(*option).size());
  std::string text = fmt::format("\n{}:\n", heading);
  for (const Option* option : options) {
    const bool named = option->kind != OptionKind::argument;
    text += fmt::format("  {:<{}}  {}{}", usage_of(*option), width, option->meaning,
                        option->required && named ? " (required)" : "");
    if (ranges && option->kind != OptionKind::flag) text += fmt::format("\n  {:<{}}  {}", "", width, option->range);
    text += default_of(*option) + "\n";
  }
  return text;
}
}  // namespace

std::string command_help(const Command& command, bool all) {
  const auto chosen = [&command](const auto& belongs) {
    std::vector<const Option*> options;
    for (const Option& option : command.options.options()) {
      if (belongs(option)) options.push_back(&option);
    }
    return options;
  };
  const auto is_argument = [](const Option& option) { return option.kind == OptionKind::argument; };
  const std::vector<const Option*> arguments = chosen(is_argument);
  std::string text = fmt::format("breadth {}: {}\n\nUsage: breadth {}", command.name, command.summary, command.name);
  for (const Option* option : chosen([&](const Option& one) { return one.required && !is_argument(one); }))
    text += " " + usage_of(*option);
  text += " [OPTIONS]";
  for (const Option* argument : arguments) {
    text += argument->required ? " " + argument->name : fmt::format(" [{}]", argument->name);
  }
  text += "\n";
  if (!command.example.empty()) text += fmt::format("Example: breadth {} {}\n", command.name, command.example);
  text += help_section("Arguments", arguments, all);
  for (const Word<OptionGroup>& one : words_of(OptionGroup{})) {
    const OptionGroup group = one.value;
    if (group != OptionGroup::everyday && !all) break;
    text += help_section(group_heading(group), chosen([&](const Option& option) {
                           return !is_argument(option) && option.group.value_or(OptionGroup::everyday) == group;
                         }),
                         all);
  }
  const char* other = all ? "--help (everyday options)" : "--help-all (all options)";
  return text +
         fmt::format("\nMore: breadth {} {}, breadth options NAME|GROUP (one, or a group)\n", command.name, other);
}

}  // namespace breadth::cli
