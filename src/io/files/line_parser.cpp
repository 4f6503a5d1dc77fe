#include "io/files/line_parser.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace breadth {

namespace {
bool is_separator(char c) { return class_of(c) == CharacterClass::blank || class_of(c) == CharacterClass::line_end; }
bool starts_comment(char c) { return c == '#' || c == '%'; }

/// Reads a decimal integer; returns nullptr if there is none or if it is too large. Stops at the first character that
/// is not a digit, so the text must not end in a digit.
const char* read_integer(const char* at, std::int64_t& result) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  const char* const first = at;
  std::uint64_t value = 0;
  for (unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'}; digit < 10;
       digit = static_cast<unsigned char>(*at) - unsigned{'0'}) {
    value = value * 10 + digit;
    ++at;
  }
  constexpr std::ptrdiff_t always_fits = 18;  // digits
  if (at - first > always_fits) {
    const auto [end, error] = std::from_chars(negative ? first - 1 : first, at, result);
    return error == std::errc() ? at : nullptr;
  }
  result = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return at == first ? nullptr : at;
}

/// Reads a finite number; returns nullptr if there is none. A number that is too small becomes zero.
const char* read_weight(const char* at, const char* end, float& result) {
  if (*at == '+' && at[1] != '-') ++at;
  const auto [stop, error] = std::from_chars(at, end, result);
  if (error == std::errc::result_out_of_range) result = std::strtof(std::string(at, stop).c_str(), nullptr);
  return error != std::errc::invalid_argument && std::isfinite(result) ? stop : nullptr;
}

/// Reads the number in quotes at `at` with read(first, last, number), which returns the end of the number or nullptr.
/// Returns the position behind the quotes, or nullptr if there is anything else.
template <class Read>
const char* read_in_quotes(const char* at, Read&& read) {
  std::string_view value;
  std::deque<std::string> unquoted;
  const char* const stop = *at == '"' ? read_quoted(at, value, unquoted) : nullptr;
  if (stop == nullptr || !unquoted.empty()) return nullptr;  // no number has a quote
  const char* const end = value.data() + value.size();
  return read(value.data(), end) == end ? stop : nullptr;
}

/// Labels that are integers within bounds.
class IntegerLabels {
 public:
  using Value = std::int64_t;

  explicit IntegerLabels(const LineRules& rules) : first_(rules.first_label), last_(rules.last_label) {}
  template <class Columns>
  const char* read(const char* at, const char*, std::int64_t& label, ParsedLines&) const {
    const char* stop = read_integer(at, label);
    if (Columns::has_quotes && stop == nullptr) {
      stop = read_in_quotes(at, [&](const char* first, const char*) { return read_integer(first, label); });
    }
    return stop != nullptr && label >= first_ && label <= last_ ? stop : nullptr;
  }
  static std::vector<std::int64_t>& labels(ParsedLines& lines) { return lines.integers; }

 private:
  std::int64_t first_;
  std::int64_t last_;
};

/// Labels that are words or, where columns have a separator, any text.
class WordLabels {
 public:
  using Value = std::string_view;

  template <class Columns>
  static const char* read(const char* at, const char* end, std::string_view& label, ParsedLines& lines) {
    const char* const stop = Columns::read(at, end, label, lines.unquoted);
    return label.empty() ? nullptr : stop;
  }
  static std::vector<std::string_view>& labels(ParsedLines& lines) { return lines.words; }
};

/// Reads the line whose first column starts at `at`. Returns its end, or nullptr if it breaks the rules.
template <class Columns, class Labels>
const char* read_line(const char* at, const char* end, const LineRules& rules, const Labels& labels,
                      ParsedLines& lines) {
  typename Labels::Value source{};
  typename Labels::Value target{};
  const char* stop = labels.template read<Columns>(at, end, source, lines);
  if (stop == nullptr || (at = Columns::next(stop)) == nullptr) return nullptr;
  stop = labels.template read<Columns>(at, end, target, lines);
  if (stop == nullptr) return nullptr;
  float weight = 0;
  if (rules.weighted) {
    if ((at = Columns::next(stop)) == nullptr) return nullptr;
    stop = read_weight(at, end, weight);
    if (Columns::has_quotes && stop == nullptr) {
      stop = read_in_quotes(at, [&](const char* first, const char* last) { return read_weight(first, last, weight); });
    }
    if (stop == nullptr || weight < rules.min_weight) return nullptr;
  }
  at = Columns::line_end(stop);
  if (at == nullptr) return nullptr;
  Labels::labels(lines).push_back(source);
  Labels::labels(lines).push_back(target);
  if (rules.weighted) lines.weights.push_back(weight);
  return at;
}

/// Reads a whole word, which may start with a plus sign, as a number. Returns invalid_argument if it is not a number,
/// result_out_of_range if the variable cannot hold it; the variable is then unchanged.
template <class Number>
std::errc read_word(std::string_view word, Number& number) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return stop == end ? error : std::errc::invalid_argument;
}

bool outside(std::int64_t label, const LineRules& rules) {
  return label < rules.first_label || label > rules.last_label;
}

std::string describe_label(std::string_view word, const LineRules& rules) {
  const std::optional<std::int64_t> label = parse_integer(word);
  if (label && *label < 0 && rules.first_label >= 0) return fmt::format("label {} is negative", *label);
  if (label && outside(*label, rules)) {
    return fmt::format("label {} is outside {} to {}", *label, rules.first_label, rules.last_label);
  }
  if (looks_like_integer(word)) return fmt::format("label {} does not fit in 64 bits", quoted(word));
  return fmt::format("label {} is not an integer", quoted(word));
}

std::string describe_weight(std::string_view word, const LineRules& rules) {
  double value = 0;
  const std::errc error = read_word(word, value);
  if (error == std::errc::invalid_argument) return fmt::format("weight {} is not a number", quoted(word));
  if (!std::isfinite(value) && error == std::errc()) return fmt::format("weight {} is not finite", quoted(word));
  if (value < rules.min_weight) return fmt::format("weight {} is below {}", quoted(word), rules.min_weight);
  return fmt::format("weight {} does not fit in 32 bits", quoted(word));
}

/// The reason why a line breaks the rules.
std::string describe(std::string_view line, const LineRules& rules, bool words_allowed) {
  if (std::optional<std::string> reason = why_not_text(line)) return *reason;
  if (std::optional<std::string> reason = why_not_columns(line, rules.separator)) return *reason;
  const std::vector<std::string> words = split_columns(line, rules.separator).values;
  const std::size_t columns = rules.weighted ? 3 : 2;
  if (words.size() != columns) {
    return fmt::format("{} column{}, but {} has {}{}", words.size(), words.size() == 1 ? "" : "s", rules.columns_from,
                       columns, separators_hint(line, rules.separator));
  }
  for (std::size_t i = 0; i < 2 && !words_allowed; ++i) {
    const std::optional<std::int64_t> label = parse_integer(words[i]);
    if (!label || outside(*label, rules)) return describe_label(words[i], rules);
  }
  return describe_weight(words.back(), rules)
      .append(is_number(words.back()) ? "" : separators_hint(line, rules.separator));
}

/// Parses lines that all have a line end. Returns the start of a bad line, or `end`.
template <class Columns, class Labels>
const char* parse_terminated(const char* at, const char* end, const LineRules& rules, const Labels& labels,
                             ParsedLines& lines) {
  while (at != end) {
    const char* const line = at;
    at = WhiteSpaceColumns::skip_blanks(at);
    if (starts_comment(*at)) {
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    } else if (*at != '\n') {
      at = Columns::first(line, at);
      if (at != nullptr) at = read_line<Columns>(at, end, rules, labels, lines);
      if (at == nullptr) return line;
    }
    ++at;
  }
  return end;
}

template <class Columns, class Labels>
std::optional<BadLine> parse_lines(std::string_view text, const LineRules& rules, bool words_allowed,
                                   const Labels& labels, ParsedLines& lines) {
  const auto bad_line = [&](std::size_t offset) {
    const std::string_view rest = text.substr(offset);
    return BadLine{offset, describe(rest.substr(0, rest.find('\n')), rules, words_allowed)};
  };
  // Scanning stops only at line ends, so a last line without one is parsed from a copy that has it.
  const std::size_t terminated = text.rfind('\n') + 1;
  const char* const end = text.data() + terminated;
  const char* const bad = parse_terminated<Columns>(text.data(), end, rules, labels, lines);
  if (bad != end) return bad_line(static_cast<std::size_t>(bad - text.data()));
  if (terminated == text.size()) return std::nullopt;
  const std::string last = std::string(text.substr(terminated)) + '\n';
  const char* const last_end = last.data() + last.size();
  const std::size_t words = lines.words.size();
  if (parse_terminated<Columns>(last.data(), last_end, rules, labels, lines) != last_end) {
    return bad_line(terminated);
  }
  for (std::size_t i = words; i < lines.words.size(); ++i) {  // words must point into the text, not the copy
    const char* const word = lines.words[i].data();
    if (std::less<>()(word, last.data()) || std::less<>()(last_end, word)) continue;  // one of lines.unquoted
    lines.words[i] = text.substr(terminated + static_cast<std::size_t>(word - last.data()), lines.words[i].size());
  }
  return std::nullopt;
}
}  // namespace

std::optional<BadLine> parse_integer_lines(std::string_view text, const LineRules& rules, ParsedLines& lines) {
  return with_columns(rules.separator, [&](auto columns) {
    return parse_lines<decltype(columns)>(text, rules, false, IntegerLabels(rules), lines);
  });
}

std::optional<BadLine> parse_word_lines(std::string_view text, const LineRules& rules, ParsedLines& lines) {
  return with_columns(rules.separator, [&](auto columns) {
    return parse_lines<decltype(columns)>(text, rules, true, WordLabels(), lines);
  });
}

std::optional<std::string> read_label(std::string_view word, const LineRules& rules, std::int64_t& label) {
  if (read_word(word, label) == std::errc() && !outside(label, rules)) return std::nullopt;
  return describe_label(word, rules);
}

std::optional<std::string> read_weight(std::string_view word, const LineRules& rules, float& weight) {
  const std::string terminated = std::string(word) + '\n';
  const char* const end = terminated.data() + word.size();
  if (read_weight(terminated.data(), end, weight) == end && weight >= rules.min_weight) return std::nullopt;
  return describe_weight(word, rules);
}

std::string_view take_word(std::string_view& line) {
  const auto first = std::ranges::find_if_not(line, is_separator);
  const auto stop = std::find_if(first, line.end(), is_separator);
  line = {stop, line.end()};
  return {first, stop};
}

std::vector<std::string_view> split_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) words.push_back(word);
  return words;
}

std::optional<std::string> why_not_text(std::string_view line) {
  const auto forbidden = std::ranges::find_if(line, [](char c) { return class_of(c) == CharacterClass::forbidden; });
  if (forbidden == line.end()) return std::nullopt;
  return fmt::format("byte 0x{:02x} at column {}: this is not text", static_cast<unsigned char>(*forbidden),
                     forbidden - line.begin() + 1);
}

std::size_t find_no_word(std::string_view word) {
  const auto at = std::ranges::find_if(word, [](char c) { return class_of(c) != CharacterClass::word; });
  return at == word.end() ? std::string_view::npos : static_cast<std::size_t>(at - word.begin());
}

std::size_t find_no_name(std::string_view name) {
  const auto at = std::ranges::find_if(name, [](char c) { return class_of(c) >= CharacterClass::line_end; });
  return at == name.end() ? std::string_view::npos : static_cast<std::size_t>(at - name.begin());
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool is_comment(std::string_view line) {
  const auto first = std::ranges::find_if_not(line, is_separator);
  return first == line.end() || starts_comment(*first);
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
  std::int64_t value = 0;
  if (read_word(word, value) != std::errc()) return std::nullopt;
  return value;
}

bool is_number(std::string_view word) {
  double value = 0;
  return read_word(word, value) != std::errc::invalid_argument;
}

bool looks_like_integer(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text(word.substr(0, longest));
  for (char& c : text) {
    const bool harmless = class_of(c) == CharacterClass::word || c == ' ' || c == ',' || c == '\t';
    if (!harmless) c = '?';
  }
  return fmt::format("'{}{}'", text, word.size() > longest ? "…" : "");
}

}  // namespace breadth
