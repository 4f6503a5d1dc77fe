// breadth options
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/presets.hpp"
#include "core/text.hpp"
#include "graph500/json_parts.hpp"

namespace breadth::cli {

namespace {
using Json = nlohmann::ordered_json;

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
               other.option.default_text == option.default_text && other.option.range == option.range;
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
    text += fmt::format("--{}  ({})\n    {}\n", option.name, joined(commands, ", "), option.meaning);
    const std::string by_default = option.required ? "none, it has to be given" : option.default_text;
    text += fmt::format("    default: {}\n    range: {}\n", by_default.empty() ? "none" : by_default, option.range);
    if (!option.source.empty()) text += fmt::format("    from: {}\n", option.source);
  }
  return text;
}

const char* kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::value: return "value";
    case OptionKind::flag: return "flag";
    case OptionKind::argument: break;
  }
  return "argument";
}

Json to_json(const Option& option) {
  Json json = {{"name", option.name},        {"kind", kind_name(option.kind)}, {"required", option.required},
               {"meaning", option.meaning},  {"default", option.default_text}, {"range", option.range},
               {"words", option.texts.words}};
  if (const auto& numbers = option.texts.numbers) {
    json["numbers"] = {
        {"least", Json::parse(numbers->least)}, {"most", Json::parse(numbers->most)}, {"whole", numbers->whole}};
  }
  json["from"] = option.source;
  return json;
}

/// Every command with its options, and the presets, for programs.
std::string list_json(const std::vector<Command>& commands) {
  Json json = {{"commands", Json::array()}, {"presets", Json::array()}};
  for (const Command& command : commands) {
    Json options = Json::array();
    for (const Option& option : command.options.options()) options.push_back(to_json(option));
    json["commands"].push_back({{"name", command.name}, {"summary", command.summary}, {"options", options}});
  }
  for (const Preset& preset : presets()) {
    Json values = Json::object();
    for (const auto& [option, value] : preset.values) values[option] = value;
    json["presets"].push_back(
        {{"name", preset.name}, {"meaning", preset.meaning}, {"from", preset.source}, {"sets", values}});
  }
  return json_text(json);
}
}  // namespace

Command options_command(const std::vector<Command>& others) {
  Command command{.name = "options", .summary = "list every option with its meaning, default, range and paper"};
  const auto as_json = std::make_shared<bool>(false);
  command.options.add_flag("json", *as_json, {.meaning = "print JSON, each command's options by themselves"});
  command.run = [others, as_json](const Communicator& ranks) {
    print_result(*as_json ? list_json(others) : list_text(list_options(others)) + "\n" + presets_text(), ranks);
    return 0;
  };
  return command;
}

}  // namespace breadth::cli
