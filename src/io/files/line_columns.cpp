#include "io/files/line_columns.hpp"

#include <fmt/format.h>

#include "io/files/line_parser.hpp"

namespace breadth {

namespace {
std::string_view name_of(char separator) { return separator == '\t' ? "tab" : "comma"; }

/// The columns of a line that ends in a line end.
template <char separator>
LineColumns split_separated(const std::string& line) {
  using Columns = SeparatedColumns<separator>;
  LineColumns columns;
  std::deque<std::string> unquoted;
  const auto column = [&] { return columns.values.size() + 1; };
  for (const char* at = Columns::skip_blanks(line.data()); at != nullptr;) {
    std::string_view value;
    const char* const stop = Columns::read(at, line.data() + line.size(), value, unquoted);
    if (stop == nullptr) {
      columns.wrong_quotes = fmt::format(
          "column {} begins with a quote that this line does not close; close it, or write it twice in a value in "
          "quotes",
          column());
      return columns;
    }
    at = Columns::next(stop);
    if (at == nullptr && Columns::line_end(stop) == nullptr) {
      const std::string_view rest = {Columns::skip_blanks(stop), line.data() + line.size() - 1};
      columns.wrong_quotes = fmt::format(
          "column {} has {} after its closing quote; a quote inside a value is written twice", column(), quoted(rest));
      return columns;
    }
    columns.values.emplace_back(value);
  }
  return columns;
}

void append_in_quotes(std::string_view value, std::string& line) {
  line += '"';
  for (const char c : value) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

/// Describes an empty column, as shown by commas; nothing if there is none.
std::optional<std::string> why_not_between_commas(std::string_view line) {
  bool is_empty = true;
  bool is_missing = false;
  for (const char c : line) {
    is_missing = is_missing || (c == ',' && is_empty);
    if (class_of(c) != CharacterClass::blank || c == ',') is_empty = c == ',';
  }
  const bool ends_empty = is_empty && line.find(',') != std::string_view::npos;
  if (!is_missing && !ends_empty) return std::nullopt;
  return "a column is empty: there is nothing before or after a comma";
}
}  // namespace

const char* read_quoted(const char* at, std::string_view& value, std::deque<std::string>& unquoted) {
  const char* const first = ++at;
  bool doubled = false;
  for (; *at != '"' || at[1] == '"'; ++at) {
    if (class_of(*at) >= CharacterClass::line_end) return nullptr;
    if (*at != '"') continue;
    doubled = true;
    ++at;
  }
  value = {first, at};
  if (!doubled) return at + 1;
  std::string& single = unquoted.emplace_back();
  for (const char* c = first; c != at; ++c) {
    single += *c;
    if (*c == '"') ++c;
  }
  value = single;
  return at + 1;
}

LineColumns split_columns(std::string_view line, char separator) {
  if (separator == ',') return split_separated<','>(std::string(line) + '\n');
  if (separator == '\t') return split_separated<'\t'>(std::string(line) + '\n');
  const std::vector<std::string_view> words = split_line(line);
  return {.values = {words.begin(), words.end()}, .wrong_quotes = std::nullopt};
}

std::optional<std::string> why_not_columns(std::string_view line, char separator) {
  if (separator == white_space) return why_not_between_commas(line);
  const LineColumns columns = split_columns(line, separator);
  if (columns.wrong_quotes || std::ranges::find(columns.values, "") == columns.values.end()) {
    return columns.wrong_quotes;
  }
  return fmt::format("a column is empty: there is nothing before or after a {}", name_of(separator));
}

std::string separators_hint(std::string_view line, char separator) {
  const std::size_t words = split_line(line).size();
  if (separator != white_space) {
    const bool more = words > split_columns(line, separator).values.size();
    return more ? fmt::format("; only a {0} separates columns, because the first line has a {0}", name_of(separator))
                : "";
  }
  if (line.find('"') != std::string_view::npos) return "; quotes have no meaning, and white space separates columns";
  const auto marks = std::ranges::count_if(line, [](char c) { return c == ',' || c == '\t'; });
  return marks > 0 && words > static_cast<std::size_t>(marks) + 1 ? "; white space separates columns, too" : "";
}

void append_value(std::string_view value, char separator, std::string& line) {
  const auto is_odd = [separator](char c) {
    return c == separator || c == '"' || (class_of(c) == CharacterClass::blank && c != ' ' && c != ',');
  };
  const bool plain = !is_comment(value) && value.front() != ' ' && value.back() != ' ' &&
                     !value.starts_with(byte_order_mark) && std::ranges::none_of(value, is_odd);
  if (separator == white_space || plain) {
    line += value;
  } else {
    append_in_quotes(value, line);
  }
}

std::string spaced_value(std::string name) {
  const auto is_blank = [](char c) { return class_of(c) == CharacterClass::blank && c != ','; };
  if (!name.starts_with('"') && std::ranges::none_of(name, is_blank)) return name;
  std::string value;
  append_in_quotes(name, value);
  return value;
}

}  // namespace breadth
