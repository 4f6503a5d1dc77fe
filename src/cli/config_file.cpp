#include "cli/config_file.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/errors.hpp"

namespace breadth::cli {

namespace {
std::string option_name(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string text_of(const std::string& path, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* decimal = node.as_floating_point()) return fmt::format("{}", decimal->get());
  if (const auto* array = node.as_array()) {
    std::vector<std::string> parts;
    for (const toml::node& part : *array) parts.push_back(text_of(path, part));
    return fmt::format("{}", fmt::join(parts, ","));
  }
  fail<UsageError>("{}:{}: an option is a number, a text, true or false, or an array of them", path,
                   node.source().begin.line);
}

void append_entries(const std::string& path, const std::string& section, const toml::table& table,
                    std::vector<ConfigEntry>& entries) {
  for (const auto& [key, node] : table) {
    if (const auto* inner = node.as_table(); inner != nullptr && section.empty()) {
      append_entries(path, std::string(key.str()), *inner, entries);
      continue;
    }
    entries.push_back({.section = section,
                       .key = option_name(key.str()),
                       .value = text_of(path, node),
                       .line = key.source().begin.line});
  }
}
std::string read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail<UsageError>("cannot read the option file {}: a folder", path);
  std::ifstream file(path);
  if (!file) fail<UsageError>("cannot read the option file {}: {}", path, std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The line `key = word` of that number, from 1 on; nothing where the line is another one.
std::optional<ConfigEntry> unquoted_entry(std::string_view content, std::size_t number) {
  for (std::size_t line = 1; line < number; ++line)
    content.remove_prefix(std::min(content.find('\n'), content.size() - 1) + 1);
  const std::string_view line = content.substr(0, content.find_first_of("\n#"));
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view key = trimmed(line.substr(0, equals));
  const std::string_view value = trimmed(line.substr(equals + 1));
  if (key.empty() || line.find_first_of("\"'[]{}") != std::string_view::npos) return std::nullopt;
  return ConfigEntry{.section = "", .key = option_name(key), .value = std::string(value), .line = number};
}
}  // namespace

UnquotedValue::UnquotedValue(const std::string& path, ConfigEntry entry)
    : UsageError(fmt::format("{}:{}: words stand in quotes: {} = \"{}\"", path, entry.line, entry.key, entry.value)),
      entry_(std::move(entry)) {}

std::vector<ConfigEntry> read_config_file(const std::string& path) {
  const std::string content = read_text(path);
  try {
    std::vector<ConfigEntry> entries;
    append_entries(path, "", toml::parse(content, path), entries);
    return entries;
  } catch (const toml::parse_error& error) {
    const std::size_t line = error.source().begin.line;
    if (std::optional<ConfigEntry> entry = unquoted_entry(content, line)) throw UnquotedValue(path, std::move(*entry));
    fail<UsageError>("{}:{}: {}", path, line, error.description());
  }
}

}  // namespace breadth::cli
