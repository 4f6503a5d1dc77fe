// Fuzz targets: command lines, option files, profiles, and the files of groups and networks.
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/config_file.hpp"
#include "cli/options/rank_options.hpp"
#include "fuzzed_commands.hpp"
#include "io/files/line_parser.hpp"
#include "target.hpp"

namespace breadth::fuzz {

namespace {
using cli::ConfigEntry;
using cli::Invocation;
using cli::Option;
using cli::OptionKind;
using cli::OptionSet;

/// The result of a command line: a command or a text to print, or the message of a UsageError.
struct Parsed {
  std::optional<Invocation> invocation;
  std::string refusal;
};

Parsed parse(const std::vector<std::string>& words, FuzzedCommands& program) {
  try {
    return {cli::parse_command_line(words, {}, program.commands()), ""};
  } catch (const UsageError& error) {
    require(!std::string_view(error.what()).empty(), "a refusal without a message");
    return {std::nullopt, error.what()};
  }
}

/// The words of a command line that gives the options of a command their current values.
std::vector<std::string> words_for(const cli::Command& command) {
  std::vector<std::string> words = {command.name};
  std::vector<std::string> arguments = {"--"};
  for (const auto& [name, text] : command.options.values()) {
    if (!command.options.given(name)) continue;
    const bool argument = command.options.find(name)->kind == OptionKind::argument;
    (argument ? arguments : words).push_back(argument ? text : fmt::format("--{}={}", name, text));
  }
  if (arguments.size() > 1) words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// Throws BrokenRule unless a command that is ready to run can be parsed again from the words for its values, with the
/// same values.
void check_command(const Invocation& invocation) {
  if (invocation.command == nullptr) {
    require(!invocation.text.empty(), "nothing to run and nothing to print");
    return;
  }
  const OptionSet& options = invocation.command->options;
  for (const Option& option : options.options()) (void)options.named(option.name);
  FuzzedCommands program;
  const Parsed again = parse(words_for(*invocation.command), program);
  require(again.invocation.has_value(), "the same options in words are refused: {}", again.refusal);
  require(again.invocation->command != nullptr, "the same options in words ask for a text");
  require(again.invocation->command->options.values() == options.values(), "the same options in words have others");
}

/// Each line is a word. No word may name a file outside of the working folder.
Outcome feed_command_line(Bytes input, const Site&) {
  std::vector<std::string> words(1);
  for (const std::uint8_t byte : input) {
    if (byte == '\n') {
      words.emplace_back();
    } else {
      words.back().push_back(byte == '/' ? '_' : static_cast<char>(byte));
    }
  }
  if (words.back().empty()) words.pop_back();
  FuzzedCommands program;
  const Parsed parsed = parse(words, program);
  if (!parsed.invocation) return Outcome::refused;
  check_command(*parsed.invocation);
  return Outcome::accepted;
}

/// Reads an option file. Returns its entries, or the message of a UsageError, which must name the file.
std::pair<std::vector<ConfigEntry>, std::string> read_entries(const char* kind, const std::string& path) {
  FuzzedCommands program;
  try {
    return {cli::read_config_file(kind, path, program.commands().front().options), ""};
  } catch (const UsageError& error) {
    const std::string message = error.what();
    require(message.find(path) != std::string::npos, "'{}' does not name {}", message, path);
    return {{}, message};
  }
}

std::string toml_word(std::string_view text) {
  std::string word = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') word += '\\';
    word += code < 0x20 || code == 0x7F ? fmt::format("\\u{:04X}", unsigned{code}) : std::string(1, letter);
  }
  return word + '"';
}

/// The content of an entry, without its place in the file.
std::array<std::string, 3> saying(const ConfigEntry& entry) { return {entry.section, entry.key, entry.value}; }

/// Throws BrokenRule unless entries that are written as words can be read again.
void check_entries(const std::vector<ConfigEntry>& entries, Bytes input, const Site& site) {
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')) + 1;
  std::set<std::array<std::string, 3>> expected;
  std::set<std::pair<std::string, std::string>> keys;
  for (const ConfigEntry& entry : entries) {
    require(entry.line >= 1 && entry.line <= lines, "{} is in line {} of {}", entry.key, entry.line, lines);
    expected.insert(saying(entry));
    keys.emplace(entry.section, entry.key);
  }
  if (keys.size() != entries.size()) return;  // "a_b" and "a-b" are one option, but two keys
  std::string text;
  std::string section;
  for (const auto& [of_section, key, value] : expected) {
    if (of_section != section) text += fmt::format("[{}]\n", toml_word(of_section));
    section = of_section;
    text += fmt::format("{} = {}\n", toml_word(key), toml_word(value));
  }
  const Bytes bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const auto [again, refusal] = read_entries("option file", site.write("again.toml", bytes));
  require(refusal.empty(), "entries that were written down again are refused: {}", refusal);
  std::set<std::array<std::string, 3>> found;
  for (const ConfigEntry& entry : again) found.insert(saying(entry));
  require(found == expected, "entries that were written down again say something else");
}

/// Feeds the input as a TOML file of options, given by an option of that name.
Outcome feed_options(Bytes input, const Site& site, const char* kind, const char* option) {
  const std::string path = site.write("options.toml", input);
  const auto [entries, refusal] = read_entries(kind, path);
  if (refusal.empty()) check_entries(entries, input, site);
  FuzzedCommands program;
  const Parsed parsed = parse({"search", option, path}, program);
  require(refusal.empty() || !parsed.invocation, "a refused file is obeyed: {}", refusal);
  if (!parsed.invocation) return Outcome::refused;
  check_command(*parsed.invocation);
  return Outcome::accepted;
}

Outcome feed_config(Bytes input, const Site& site) { return feed_options(input, site, "option file", "--config"); }
Outcome feed_profile(Bytes input, const Site& site) { return feed_options(input, site, "profile", "--profile"); }

/// Whether route options with this file can be loaded. Throws BrokenRule for a refusal whose message does not name the
/// file.
bool loads(RouteOptions route, const std::string& path, const Communicator& ranks) {
  try {
    cli::load_route_files(route, ranks);
    return true;
  } catch (const Error& error) {
    require(std::string_view(error.what()).find(path) != std::string_view::npos, "'{}' does not name {}", error.what(),
            path);
    return false;
  }
}

/// Whether all words before the # of a line are 32-bit integers.
bool has_numbers_alone(const std::string& line) {
  std::istringstream words(line.substr(0, line.find('#')));
  for (std::string word; words >> word;) {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number || *number != static_cast<std::int32_t>(*number)) return false;
  }
  return true;
}

/// Feeds the input as the file of groups, or of places in the network.
Outcome feed_route(Bytes input, const Site& site) {
  const std::string path = site.write("ranks.txt", input);
  const bool groups = loads({.groups_file = path}, path, site.context.ranks);
  const bool network = loads({.network_file = path}, path, site.context.ranks);
  require(!groups || network, "a number is a group, but no place in a network");
  std::istringstream lines(std::string(input.begin(), input.end()));
  for (std::string line; network && std::getline(lines, line);) {
    require(has_numbers_alone(line), "'{}' is taken for numbers", line);
  }
  return network ? Outcome::accepted : Outcome::refused;
}

/// A random option with a value that is in its range, just outside of it, or another option's.
std::pair<std::string, std::string> random_option(std::minstd_rand& random) {
  static const FuzzedCommands program;
  const std::vector<Option>& options = program.commands().front().options.options();
  const Option& option = options[random() % options.size()];
  // An option's range is a sentence. Its words are among the values to try.
  std::vector<std::string> values = {"0", "1", "-1", "", "true", "18446744073709551616", "nan", "2,3", "auto"};
  std::string word;
  for (const char letter : option.range + " " + option.default_text + " ") {
    if (letter != ' ' && letter != ',') word += letter;
    if ((letter == ' ' || letter == ',') && !word.empty()) values.push_back(std::exchange(word, {}));
  }
  return {option.name, values[random() % values.size()]};
}

std::size_t append(std::span<std::uint8_t> memory, std::size_t size, std::string_view text) {
  if (size + text.size() > memory.size()) return size;
  std::copy(text.begin(), text.end(), memory.begin() + static_cast<std::ptrdiff_t>(size));
  return size + text.size();
}

/// Adds an existing option in half of the calls; otherwise mutates plainly.
std::size_t mutate_command_line(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain) {
  std::minstd_rand random(seed);
  if (random() % 2 == 0) return plain(memory, size);
  const auto [name, value] = random_option(random);
  const char* between = random() % 2 == 0 ? "=" : "\n";
  const char* before = size != 0 && memory[size - 1] != '\n' ? "\n" : "";
  return append(memory, size, fmt::format("{}--{}{}{}\n", before, name, between, value));
}

std::size_t mutate_toml(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain) {
  std::minstd_rand random(seed);
  if (random() % 2 == 0) return plain(memory, size);
  const auto [name, value] = random_option(random);
  const char* quote = random() % 2 == 0 ? "" : "\"";
  return append(memory, size, fmt::format("\n{} = {}{}{}\n", name, quote, value, quote));
}
}  // namespace

std::span<const Target> option_targets() {
  static constexpr std::array all{
      Target{.name = "command_line", .feed = feed_command_line, .mutate = mutate_command_line},
      Target{.name = "config", .feed = feed_config, .mutate = mutate_toml},
      Target{.name = "profile", .feed = feed_profile, .mutate = mutate_toml},
      Target{.name = "route", .feed = feed_route},
  };
  return all;
}

}  // namespace breadth::fuzz
