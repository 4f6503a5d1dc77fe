// breadth options
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/options/option_set.hpp"
#include "cli/options/presets.hpp"
#include "cli/running.hpp"
#include "comm/routes/routed_exchange.hpp"
#include "core/text.hpp"
#include "graph500/report/output.hpp"

namespace breadth::cli {

namespace {
using Json = nlohmann::ordered_json;

struct Listed {
  Option option;
  std::vector<std::string> commands = {};
  std::vector<std::string> excludes = {};
};

/// The options that one option excludes, whichever of the two lists the exclusion.
std::vector<std::string> excluded_by(const Option& option, const OptionSet& options) {
  const auto names = [](const Option& one, const Option& other) {
    return std::ranges::find(one.excludes, other.field, &Exclusion::field) != one.excludes.end();
  };
  std::vector<std::string> excluded;
  for (const Option& other : options.options()) {
    if (names(option, other) || names(other, option)) excluded.push_back(other.name);
  }
  return excluded;
}

/// Each option once, with the commands that have it in this meaning.
std::vector<Listed> list_options(const std::vector<Command>& commands) {
  std::vector<Listed> listed;
  for (const Command& command : commands) {
    for (const Option& option : command.options.options()) {
      if (option.kind == OptionKind::argument) continue;
      const auto same = std::ranges::find_if(listed, [&option](const Listed& other) {
        return other.option.name == option.name && other.option.meaning == option.meaning &&
               other.option.default_text == option.default_text && other.option.range == option.range;
      });
      Listed& one = same != listed.end() ? *same : listed.emplace_back(Listed{.option = option});
      one.commands.push_back(command.name);
      for (const std::string& excluded : excluded_by(option, command.options)) {
        if (std::ranges::find(one.excludes, excluded) == one.excludes.end()) one.excludes.push_back(excluded);
      }
    }
  }
  return listed;
}

/// The cases in which an option has no effect, each in a few words.
std::vector<std::string> cases_without_effect(const Option& option) {
  std::vector<std::string> cases;
  if (option.between_ranks) cases.emplace_back("on one rank");
  if (option.on_processors) cases.emplace_back("on a device");
  for (const Idle& idle : option.idle) cases.emplace_back(idle.when);
  return cases;
}

std::string list_text(const std::vector<Listed>& listed) {
  std::string text;
  for (const auto& [option, commands, excludes] : listed) {
    text += fmt::format("--{}  ({})\n    {}\n", option.name, joined(commands, ", "), option.meaning);
    const std::string by_default = option.required ? "none, it has to be given" : option.default_text;
    if (!option.was.empty())
      text += fmt::format("    was: --{}, which still works until the next release\n", option.was);
    if (option.group) text += fmt::format("    group: {}\n", name_of(*option.group));
    text += fmt::format("    default: {}\n    range: {}\n", by_default.empty() ? "none" : by_default, option.range);
    if (!option.source.empty()) text += fmt::format("    from: {}\n", option.source);
    const std::vector<std::string> without_effect = cases_without_effect(option);
    if (!without_effect.empty()) text += fmt::format("    no effect: {}\n", joined(without_effect, "; "));
    if (!excludes.empty()) text += fmt::format("    excludes: --{}\n", joined(excludes, ", --"));
    if (!option.tuned.values.empty()) text += fmt::format("    tuned: {}\n", joined(option.tuned.values, ", "));
  }
  return text;
}

/// The options that a word names, by their name or their group: --device is in the group device.
std::vector<Listed> named_by(const std::string& word, const std::vector<Listed>& listed) {
  std::vector<Listed> named;
  std::ranges::copy_if(listed, std::back_inserter(named), [&word](const Listed& one) {
    return goes_by(one.option, word) || (one.option.group && name_of(*one.option.group) == word);
  });
  return named;
}

std::vector<std::string> group_names() { return texts_of(words_of(OptionGroup{}), &Word<OptionGroup>::word); }

constexpr const char* all_presets = "presets";

/// The presets that a word names: one, or all.
std::string presets_named(const std::string& word) {
  if (word == all_presets) return presets_text();
  const auto preset = std::ranges::find(presets(), word, &Preset::name);
  return preset == presets().end() ? "" : preset_text(*preset);
}

void check_word(const std::string& word, const std::vector<Listed>& listed) {
  if (word.empty() || !named_by(word, listed).empty() || !presets_named(word).empty()) return;
  const std::vector<std::string> groups = group_names();
  std::vector<std::string> names = groups;
  for (const Listed& one : listed) names.push_back(one.option.name);
  for (const Preset& preset : presets()) names.push_back(preset.name);
  fail<UsageError>("there is no option, group or preset {}{}; the groups are {} and {}", word,
                   nearest_if_near(word, names), joined(groups, ", "), all_presets);
}

Json to_json(const Option& option, const OptionSet& options) {
  Json json = {{"name", option.name},
               {"was", option.was},
               {"kind", name_of(option.kind)},
               {"group", option.group ? Json(name_of(*option.group)) : Json()},
               {"required", option.required},
               {"meaning", option.meaning},
               {"default", option.default_text},
               {"range", option.range},
               {"words", option.texts.words}};
  if (const auto& numbers = option.texts.numbers) {
    json["numbers"] = {
        {"least", Json::parse(numbers->minimum)}, {"most", Json::parse(numbers->maximum)}, {"whole", numbers->whole}};
  }
  json["from"] = option.source;
  json["without_effect"] = cases_without_effect(option);
  json["excludes"] = excluded_by(option, options);
  json["tuned"] = option.tuned.values;
  return json;
}

/// All commands with their options, the presets, and the routes of --route, as JSON for programs.
std::string list_json(const std::vector<Command>& commands) {
  Json json = {{"commands", Json::array()}, {"presets", Json::array()}, {"routes", Json::array()}};
  for (const Command& command : commands) {
    Json options = Json::array();
    for (const Option& option : command.options.options()) options.push_back(to_json(option, command.options));
    json["commands"].push_back({{"name", command.name}, {"summary", command.summary}, {"options", options}});
  }
  for (const Preset& preset : presets()) {
    Json values = Json::object();
    for (const auto& [option, value] : values_of(preset)) values[option] = value;
    json["presets"].push_back({{"name", preset.name},
                               {"meaning", preset.meaning},
                               {"differs", preset.differs},
                               {"from", preset.source},
                               {"sets", values}});
  }
  for (const RouteKind& route : route_kinds()) {
    json["routes"].push_back({{"name", name_of(route.policy)},
                              {"meaning", route.meaning},
                              {"from", route.source},
                              {"monitors", route.monitors}});
  }
  return json_text(json);
}
}  // namespace

Command options_command(const std::vector<Command>& others) {
  Command command{.name = "options",
                  .summary = "list all options, one or a group, with meaning, default, range and paper",
                  .example = "alpha"};
  command.names_options = true;
  const auto as_json = std::make_shared<bool>(false);
  const auto word = std::make_shared<std::string>();
  command.options.add("name", nullptr, "a name without dashes", {}, "",
                      {.group = OptionGroup::everyday,
                       .meaning = "an option, preset or group: " + joined(group_names(), ", "),
                       .kind = OptionKind::argument},
                      [word](const std::string& text) { *word = text; });
  command.options.add_flag(
      "json", *as_json,
      {.group = OptionGroup::everyday, .meaning = "print JSON, each command's options by themselves"});
  command.check = [others, word](const OptionSet& options) {
    if (options.given("json") && options.given("name")) {
      fail<UsageError>("--json and '{}' exclude each other: JSON has all options", *word);
    }
    check_word(*word, list_options(others));
  };
  command.run = [others, as_json, word](const Communicator& ranks) {
    const std::vector<Listed> listed = list_options(others);
    const auto text = [&] {
      return word->empty() ? list_text(listed) + "\n" + presets_text()
                           : list_text(named_by(*word, listed)) + presets_named(*word);
    };
    print_result(*as_json ? list_json(others) : text(), ranks);
    return 0;
  };
  return command;
}

}  // namespace breadth::cli
