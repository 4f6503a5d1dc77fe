#include "cli/config_file.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace breadth::cli {

namespace {
std::string option_name(std::string_view key) {
  std::string name(key);
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string text_of(const std::string& path, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* decimal = node.as_floating_point()) return fmt::format("{}", decimal->get());
  if (const auto* array = node.as_array()) {
    return joined(texts_of(*array, [&path](const toml::node& part) { return text_of(path, part); }), ",");
  }
  fail<UsageError>("{}:{}: the value of an option must be a number, a text, true or false, or an array of them", path,
                   node.source().begin.line);
}

ConfigKind kind_of(const toml::node& node) {
  if (node.is_string()) return ConfigKind::text;
  return node.is_boolean() ? ConfigKind::truth : ConfigKind::other;
}

void append_entries(const std::string& path, const std::string& section, const toml::table& table,
                    std::vector<ConfigEntry>& entries) {
  for (const auto& [key, node] : table) {
    if (const auto* inner = node.as_table(); inner != nullptr && section.empty()) {
      const std::string name(key.str());
      const std::size_t line = key.source().begin.line;
      entries.push_back({.section = name, .key = "", .value = "", .line = line, .kind = ConfigKind::table});
      append_entries(path, name, *inner, entries);
      continue;
    }
    entries.push_back({.section = section,
                       .key = option_name(key.str()),
                       .value = text_of(path, node),
                       .line = key.source().begin.line,
                       .kind = kind_of(node)});
  }
}

std::string read_text(const char* kind, const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail<UsageError>("cannot read the {} {}: a folder", kind, path);
  std::optional<std::string> text = whole_text(path);
  if (!text) fail<UsageError>("cannot read the {} {}: {}", kind, path, std::strerror(errno));
  if (text->find('\0') != std::string::npos)
    fail<UsageError>("cannot read the {} {}: it is not a text file", kind, path);
  return *std::move(text);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The line with this number, from 1.
std::string_view line_of(std::string_view content, std::size_t number) {
  for (std::size_t line = 1; line < number && !content.empty(); ++line)
    content.remove_prefix(std::min(content.find('\n'), content.size() - 1) + 1);
  return trimmed(content.substr(0, content.find('\n')));
}

/// Parses a line `key = word`; nothing if the line has another form.
std::optional<ConfigEntry> unquoted_entry(std::string_view line, std::size_t number) {
  line = line.substr(0, line.find('#'));
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view key = trimmed(line.substr(0, equals));
  const std::string_view value = trimmed(line.substr(equals + 1));
  const bool bare = std::ranges::all_of(key, [](unsigned char letter) {
    return letter == '-' || letter == '_' || (letter < 128 && std::isalnum(letter) != 0);
  });
  if (key.empty() || !bare || line.find_first_of("\"'[]{}") != std::string_view::npos) return std::nullopt;
  return ConfigEntry{.section = "", .key = option_name(key), .value = std::string(value), .line = number};
}

bool is_toml(std::string_view text) {
  try {
    (void)toml::parse(text);
    return true;
  } catch (const toml::parse_error&) {
    return false;
  }
}

/// Throws UsageError with the line where a file is not valid TOML.
[[noreturn]] void refuse(const std::string& path, const std::string& content, const toml::parse_error& error,
                         OptionSet& options) {
  const std::size_t number = error.source().begin.line;
  const std::string_view line = line_of(content, number);
  const auto says = [&](const char* words) { return error.description().find(words) != std::string_view::npos; };
  const bool at_end = says("end-of-file");
  if (!at_end && is_toml(line)) {
    if (says("redefine"))
      fail<UsageError>("{}:{}: '{}' repeats an option or table of an earlier line", path, number, line);
    fail<UsageError>("{}:{}: a value or bracket before '{}' is not closed", path, number, line);
  }
  if (const std::optional<ConfigEntry> entry = unquoted_entry(line, number)) {
    const Option* option = options.find(entry->key);
    if (option != nullptr) options.set(*option, entry->value, origin_in(path, *entry));
    if (!entry->value.empty())
      fail<UsageError>("{}:{}: a text must be in quotes: {} = \"{}\"", path, number, entry->key, entry->value);
  }
  if (at_end) fail<UsageError>("{}:{}: the file ends, but its last value or bracket is not closed", path, number);
  fail<UsageError>("{}:{}: cannot read '{}': a line is KEY = VALUE with words in quotes, [TABLE] or # COMMENT", path,
                   number, line);
}
}  // namespace

void require_text(const std::string& path, const ConfigEntry& entry, const Option& option) {
  const bool any_text = option.takes == Takes::file || option.takes == Takes::folder || option.takes == Takes::vertex;
  if (!any_text || entry.kind == ConfigKind::text) return;
  if (option.takes == Takes::vertex && entry.kind == ConfigKind::other) return;
  fail<UsageError>("{}:{}: {} must be a text in quotes: {}", path, entry.line, entry.key, option.range);
}

std::string origin_in(const std::string& path, const ConfigEntry& entry) {
  return fmt::format("in {}:{}", path, entry.line);
}

std::optional<std::string> whole_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || !text) return std::nullopt;
  return text.str();
}

std::vector<ConfigEntry> read_config_file(const char* kind, const std::string& path, OptionSet& options) {
  const std::string content = read_text(kind, path);
  try {
    std::vector<ConfigEntry> entries;
    append_entries(path, "", toml::parse(content, path), entries);
    return entries;
  } catch (const toml::parse_error& error) {
    refuse(path, content, error, options);
  }
}

}  // namespace breadth::cli
