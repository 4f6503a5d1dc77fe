#include "cli/command_line.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "cli/commands/graph_files.hpp"
#include "cli/commands/profile.hpp"
#include "cli/config_file.hpp"
#include "cli/help.hpp"
#include "cli/options/option_set.hpp"
#include "comm/agreement.hpp"
#include "core/text.hpp"

namespace breadth::cli {

// On one rank.

namespace {
constexpr std::string_view variable_prefix = "BREADTH_";
constexpr const char* config_option = "config";

Command& find_command(const std::string& name, std::vector<Command>& commands) {
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found != commands.end()) return *found;
  const std::vector<std::string> names = texts_of(commands, &Command::name);
  if (name.starts_with("-")) {
    fail<UsageError>("unknown option {} before the command; the commands are {}", name, joined(names, ", "));
  }
  fail<UsageError>("unknown command {}{}; breadth --help lists all", name, nearest_if_near(name, names));
}

/// The names of options that can be given outside the command line.
std::vector<std::string> named_options(const OptionSet& options) {
  std::vector<std::string> names;
  for (const Option& option : options.options()) {
    if (option.kind != OptionKind::argument) names.push_back(option.name);
  }
  return names;
}

/// The option of a command with this name, current or old; nullptr if there is none.
const Option* named_option(const Command& command, const std::string& name) {
  const Option* const option = command.options.find(name);
  return option != nullptr && option->kind != OptionKind::argument ? option : nullptr;
}

bool any_has_option(std::span<const Command> commands, const std::string& name) {
  return std::ranges::any_of(commands,
                             [&name](const Command& command) { return named_option(command, name) != nullptr; });
}

std::vector<std::string> named_options(std::span<const Command> commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    const std::vector<std::string> of_command = named_options(command.options);
    names.insert(names.end(), of_command.begin(), of_command.end());
  }
  return names;
}

/// CLI11's parser for one command. The texts of the given options are stored in `texts_`.
class WordParser {
 public:
  explicit WordParser(const Command& command) : app_(command.summary, "breadth " + command.name) {
    app_.allow_extras();
    app_.set_help_all_flag("--help-all");
    for (const Option& option : command.options.options()) {
      std::string& text = texts_[option.name];
      const std::string names = "--" + option.name + (option.was.empty() ? "" : ",--" + option.was);
      switch (option.kind) {
        case OptionKind::flag: handles_[option.name] = app_.add_flag(names); break;
        case OptionKind::value: handles_[option.name] = app_.add_option(names, text)->take_last(); break;
        case OptionKind::argument: handles_[option.name] = app_.add_option(option.name, text); break;
      }
    }
  }

  enum class Wish { run, help, help_all };
  Wish parse(std::span<const std::string> words) {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // the order that CLI11 requires
    try {
      app_.parse(reversed);
    } catch (const CLI::CallForHelp&) {
      return Wish::help;
    } catch (const CLI::CallForAllHelp&) {
      return Wish::help_all;
    } catch (const CLI::ParseError& error) {
      throw UsageError(error.what());
    }
    for (const auto& [name, text] : texts_) {
      if (handles_.at(name)->results().size() > 1) fail<UsageError>("--{} is given more than once", name);
    }
    return Wish::run;
  }
  /// The words that are not options, including the "--" before arguments if there is one.
  [[nodiscard]] std::vector<std::string> unknown() const { return app_.remaining(); }
  [[nodiscard]] bool found(const std::string& name) const { return handles_.at(name)->count() > 0; }
  [[nodiscard]] std::string text(const Option& option) const {
    return option.kind == OptionKind::flag ? handles_.at(option.name)->results().back() : texts_.at(option.name);
  }

 private:
  CLI::App app_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, CLI::Option*> handles_;
};

/// The option that a word names: "keys" for --keys and for --keys=3. Empty if it does not begin with two dashes.
std::string option_in(const std::string& word) {
  return word.starts_with("--") ? word.substr(2, word.find('=') - 2) : std::string();
}

/// Throws UsageError for an option without its value: it is the last word, another option follows, or it ends in "=",
/// which CLI11 would ignore.
void require_values(std::span<const std::string> words, const Command& command) {
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const Option* option = named_option(command, option_in(words[i]));
    if (option == nullptr) continue;
    if (words[i].find('=') == words[i].size() - 1)
      fail<UsageError>("{} needs a value after =: {}", as_given(*option), option->range);
    if (option->kind != OptionKind::value || words[i].find('=') != std::string::npos) continue;
    if (++i == words.size()) fail<UsageError>("{} needs a value: {}", as_given(*option), option->range);
    if (const std::string next = option_in(words[i]); named_option(command, next) != nullptr)
      fail<UsageError>("{} has no value before --{}; it needs {}", as_given(*option), next, option->range);
  }
}

/// The words, without the dashes before options that the command itself does not have: `breadth options --route`.
std::vector<std::string> without_dashes(std::span<const std::string> words, const Command& command) {
  return texts_of(words, [&command](const std::string& word) {
    const std::string name = option_in(word);
    const bool own = command.options.find(name) != nullptr || name.starts_with("help");
    return name.empty() || own ? word : name;
  });
}

/// The commands that have an option, as in "bfs and sssp have it"; empty if there are none.
std::string commands_with(const std::string& name, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (named_option(command, name) != nullptr) names.push_back(command.name);
  }
  return names.empty() ? "" : listed(names) + (names.size() == 1 ? " has it" : " have it");
}

void refuse_unknown_words(const std::vector<std::string>& unknown, const Command& command,
                          const std::vector<Command>& commands) {
  const auto mark = std::ranges::find(unknown, "--");
  const auto dashed =
      std::find_if(unknown.begin(), mark, [](const std::string& word) { return word.starts_with("-"); });
  if (dashed == mark) {
    if (mark != unknown.begin()) fail<UsageError>("breadth {} takes no argument '{}'", command.name, unknown.front());
    if (unknown.size() < 2) return;
    fail<UsageError>("breadth {} takes no argument '{}'; options come before --", command.name, unknown[1]);
  }
  const std::string name = dashed->substr(0, dashed->find('='));
  if (const std::string others = commands_with(option_in(*dashed), commands); !others.empty())
    fail<UsageError>("breadth {} has no option {}; {}", command.name, name, others);
  const std::string_view bare = std::string_view(name).substr(std::min(name.find_first_not_of('-'), name.size()));
  fail<UsageError>("unknown option {}{}; breadth {} --help-all lists all", name,
                   nearest_if_near(bare, named_options(command.options), "--"), command.name);
}

/// Throws UsageError if an entry belongs to a profile. Its table [options] is also the name of a command, which has
/// other options.
void refuse_profile(const std::string& path, const ConfigEntry& entry, const std::vector<Command>& commands,
                    const Command& chosen) {
  if (!is_profile_table(entry.section)) return;
  const auto command = std::ranges::find(commands, entry.section, &Command::name);
  const bool of_command =
      command != commands.end() && (entry.kind == ConfigKind::table || named_option(*command, entry.key) != nullptr);
  if (of_command) return;
  const bool taken = chosen.options.find("profile") != nullptr;
  fail<UsageError>("{} is a profile of breadth tune: {}", path,
                   taken ? "give it as --profile" : fmt::format("breadth {} takes none", chosen.name));
}

/// Throws UsageError for a table or key that no command has.
void require_known(const std::string& path, const ConfigEntry& entry, const std::vector<Command>& commands) {
  std::span<const Command> meant(commands);
  if (!entry.section.empty()) {
    const std::vector<std::string> names = texts_of(commands, &Command::name);
    const auto section = std::ranges::find(commands, entry.section, &Command::name);
    if (section == commands.end()) {
      fail<UsageError>("{}:{}: unknown command [{}]{}", path, entry.line, entry.section,
                       nearest_if_near(entry.section, names, "[", "]"));
    }
    meant = {&*section, 1};
  }
  if (entry.kind == ConfigKind::table) return;
  if (!any_has_option(meant, entry.key)) {
    fail<UsageError>("{}:{}: unknown option {}{}", path, entry.line, entry.key,
                     nearest_if_near(entry.key, named_options(meant)));
  }
  if (entry.key == config_option) fail<UsageError>("{}:{}: an option file cannot name another one", path, entry.line);
}

/// Adds a notice if an option was given by its old name, in a place with this origin.
void add_notice(const Option& option, const std::string& called, const std::string& origin,
                std::vector<std::string>& notices) {
  const std::string notice = renamed_notice(option, called);
  if (!notice.empty()) notices.push_back(origin.empty() ? notice : fmt::format("{} ({})", notice, origin));
}

/// Sets an option of the command to a value from outside the command line, unless it already has a value.
void set_unless_given(const Option& option, const std::string& called, const std::string& value,
                      const std::string& origin, Invocation& invocation) {
  OptionSet& options = invocation.command->options;
  if (options.given(option.name)) return;
  options.set(option, value, origin);
  add_notice(option, called, origin, invocation.notices);
}

/// Sets the options that the option file gives and the command line does not.
void apply_config(const std::string& path, const std::vector<Command>& commands, Invocation& invocation) {
  Command& command = *invocation.command;
  std::vector<ConfigEntry> entries = read_config_file("option file", path, command.options);
  for (const ConfigEntry& entry : entries) refuse_profile(path, entry, commands, command);
  // A command's own table has precedence over keys at the top.
  std::ranges::stable_sort(entries, {}, [](const ConfigEntry& entry) { return entry.section.empty(); });
  for (const ConfigEntry& entry : entries) {
    require_known(path, entry, commands);
    const Option* option = command.options.find(entry.key);
    const bool applies = entry.section.empty() || entry.section == command.name;
    if (option == nullptr || !applies || entry.kind == ConfigKind::table) continue;
    require_text(path, entry, *option);
    set_unless_given(*option, entry.key, entry.value, origin_in(path, entry), invocation);
  }
}

std::string option_of_variable(const std::string& variable) {
  std::string name = variable.substr(variable_prefix.size());
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '_' ? '-' : static_cast<char>(std::tolower(letter));
  });
  return name;
}

std::string variable_of_option(const std::string& option) {
  std::string name(option);
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  });
  return std::string(variable_prefix) + name;
}

void refuse_unknown_variables(const Variables& variables, const std::vector<Command>& commands) {
  for (const auto& [variable, value] : variables) {
    if (any_has_option(commands, option_of_variable(variable))) continue;
    const std::string_view bare = std::string_view(variable).substr(variable_prefix.size());
    const std::vector<std::string> names = texts_of(named_options(commands), [](const std::string& name) {
      return variable_of_option(name).substr(variable_prefix.size());
    });
    fail<UsageError>("unknown variable {} in the environment{}", variable,
                     nearest_if_near(bare, names, variable_prefix));
  }
}

void apply_variables(const Variables& variables, Invocation& invocation) {
  for (const auto& [variable, value] : variables) {
    const std::string name = option_of_variable(variable);
    const Option* const option = named_option(*invocation.command, name);
    if (option != nullptr) set_unless_given(*option, name, value, "in " + variable, invocation);
  }
}

/// The path of the option file, which a variable may give; empty if there is none.
std::string config_path(const WordParser& parser, const Variables& variables, const Command& command) {
  const Option* config = command.options.find(config_option);
  if (config == nullptr) return {};
  if (parser.found(config->name)) return parser.text(*config);
  for (const auto& [variable, value] : variables) {
    if (variable == variable_of_option(config->name)) return value;
  }
  return {};
}

void require_options(const Command& command) {
  for (const Option& option : command.options.options()) {
    if (!option.required || command.options.given(option.name)) continue;
    fail<UsageError>("breadth {} needs {}: {}", command.name, as_given(option), option.meaning);
  }
}
}  // namespace

Variables breadth_variables() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    const std::size_t equals = text.find('=');
    if (!text.starts_with(variable_prefix) || equals == std::string::npos) continue;
    variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::ranges::sort(variables);
  return variables;
}

Invocation parse_command_line(std::span<const std::string> words, const Variables& variables,
                              std::vector<Command>& commands) {
  if (words.empty())
    fail<UsageError>("no command; the commands are {}", joined(texts_of(commands, &Command::name), ", "));
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return {.text = program_help(commands)};
  if (words[0] == "--version") return {.text = "breadth " BREADTH_VERSION "\n"};

  Command& command = find_command(words[0], commands);
  const std::vector<std::string> named =
      command.names_options ? without_dashes(words, command) : std::vector(words.begin(), words.end());
  words = std::span(named).subspan(1);
  require_values(words, command);
  WordParser parser(command);
  const WordParser::Wish wish = parser.parse(words);
  if (wish != WordParser::Wish::run) return {.text = command_help(command, wish == WordParser::Wish::help_all)};
  refuse_unknown_words(parser.unknown(), command, commands);
  refuse_unknown_variables(variables, commands);
  Invocation invocation{.text = "", .command = &command};
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const Option* const option = command.options.find(option_in(words[i]));
    if (option != nullptr) add_notice(*option, option_in(words[i]), "", invocation.notices);
  }
  for (const Option& option : command.options.options()) {
    if (parser.found(option.name)) command.options.set(option, parser.text(option), "");
  }
  const std::string config = config_path(parser, variables, command);
  if (!config.empty()) apply_config(config, commands, invocation);
  apply_variables(variables, invocation);
  command.complete(command.options);
  require_options(command);
  command.options.check_exclusions();
  command.check(command.options);
  keep_files_apart(command.options);
  return invocation;
}

// On all ranks.

namespace {
/// The command and options that a rank was given, item by item.
std::vector<std::string> describe(const Invocation& invocation) {
  if (invocation.command == nullptr)
    return {"a text to print: " + invocation.text.substr(0, invocation.text.find('\n'))};
  const OptionSet& options = invocation.command->options;
  std::vector<std::string> items = {"the command " + invocation.command->name};
  for (const auto& [name, text] : options.values()) items.push_back(as_given(*options.find(name)) + " " + text);
  return items;
}

/// The first rank's items, sent one by one because a text may contain any character. Collective.
std::vector<std::string> items_of_first_rank(const std::vector<std::string>& mine, const Communicator& ranks) {
  std::uint64_t count = mine.size();
  ranks.broadcast(std::span(&count, 1), 0);
  std::vector<std::string> items(count);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = ranks.broadcast(ranks.rank() == 0 ? mine[i] : std::string(), 0);
  return items;
}

/// The first item that only one of the two has; nothing if they agree.
std::optional<std::string> first_difference(const std::vector<std::string>& mine,
                                            const std::vector<std::string>& first_rank) {
  const auto missing_from = [](const std::vector<std::string>& items, const std::string& item) {
    return std::ranges::find(items, item) == items.end();
  };
  for (const std::string& item : mine) {
    if (missing_from(first_rank, item)) return "it was given " + item + ", unlike rank 0";
  }
  for (const std::string& item : first_rank) {
    if (missing_from(mine, item)) return "it was not given " + item + ", unlike rank 0";
  }
  return std::nullopt;
}

void agree(const Communicator& ranks, const std::optional<std::string>& failure) {
  try {
    agree_on_failure(ranks, failure);
  } catch (const AgreedError& error) {
    throw UsageError(error.what());
  }
}
}  // namespace

Invocation agree_on_command_line(std::span<const std::string> words, const Variables& variables,
                                 std::vector<Command>& commands, const Communicator& ranks) {
  Invocation invocation;
  std::optional<std::string> failure;
  try {
    invocation = parse_command_line(words, variables, commands);
  } catch (const UsageError& error) {
    failure = error.what();
  }
  agree(ranks, failure);

  const std::vector<std::string> mine = describe(invocation);
  if (const auto difference = first_difference(mine, items_of_first_rank(mine, ranks))) {
    failure = "the ranks disagree on the options: " + *difference;
  }
  agree(ranks, failure);
  return invocation;
}

}  // namespace breadth::cli
