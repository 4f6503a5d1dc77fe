// Edges out of lines of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breadth {

/// What the lines of a text look like: two labels and perhaps a weight, separated by white space or a comma. Lines
/// without any and those whose first character is # or % say nothing.
struct LineRules {
  bool weighted = false;
  /// Weights are at least this.
  float least_weight = std::numeric_limits<float>::lowest();
  /// Bounds of integer labels, both allowed.
  std::int64_t first_label = INT64_MIN;
  std::int64_t last_label = INT64_MAX;
  /// What the number of columns comes from, for messages: "the first edge", "the header".
  std::string_view columns_from = "the first edge";
};

/// The edges of a piece of text.
struct ParsedLines {
  /// Source and target of each edge in turn: one of the two, as they were asked for. Words are parts of the text.
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> words;
  /// Empty, or one an edge.
  std::vector<float> weights;
  /// Of formats whose files have each edge at both of its ends, of which it is kept at one: a hash of each edge, added
  /// where it is kept and taken off at its other end. Over a whole file it is 0.
  std::uint64_t balance = 0;

  void clear() {
    integers.clear();
    words.clear();
    weights.clear();
    balance = 0;
  }
};

/// The first line that breaks the rules.
struct BadLine {
  std::size_t offset;  ///< of its first character
  std::string what;
};

/// Appends the edges of whole lines whose labels are integers, until one breaks the rules.
std::optional<BadLine> parse_integer_lines(std::string_view text, const LineRules& rules, ParsedLines& lines);

/// The same for lines whose labels may be any words.
std::optional<BadLine> parse_word_lines(std::string_view text, const LineRules& rules, ParsedLines& lines);

/// A label or a weight that a word is, within the rules; otherwise the reason why it is none, for a message.
std::optional<std::string> read_label(std::string_view word, const LineRules& rules, std::int64_t& label);
std::optional<std::string> read_weight(std::string_view word, const LineRules& rules, float& weight);

/// Calls look(line, offset) for each line of a text, without its end.
template <class Look>
void for_each_line(std::string_view text, Look&& look) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    look(text.substr(at, end - at), at);
    at = end + 1;
  }
}
/// The first word of a line, which goes from its beginning; empty where there is none.
std::string_view take_word(std::string_view& line);
/// The words of a line.
std::vector<std::string_view> split_line(std::string_view line);
/// Names the first byte of a line that no text has; nothing if there is none.
std::optional<std::string> why_not_text(std::string_view line);
/// Says that a column is empty, as far as commas tell; nothing if none is, nor of a line that says nothing.
std::optional<std::string> why_not_columns(std::string_view line);
/// Where a word has its first character that no word can have, because it separates words or lines or is no text; npos
/// if there is none.
std::size_t find_no_word(std::string_view word);
/// A word in lower case, as far as it is ASCII.
std::string lower_case(std::string_view word);
/// Whether a line says nothing: it is empty or a comment.
bool is_comment(std::string_view line);
/// Whether a word is a decimal integer of 64 bits with its sign; nothing else may be in it.
std::optional<std::int64_t> parse_integer(std::string_view word);
/// Whether a word is a decimal number, with or without a fraction and an exponent; also one that no variable holds.
bool is_number(std::string_view word);
/// Whether a word has only digits after its sign, however many.
bool looks_like_integer(std::string_view word);
/// Why a line has more columns than a person may see, at the end of a message; often empty.
std::string_view separators_hint(std::string_view line);
/// A word for a message: in quotes, shortened, what cannot be printed replaced.
std::string quoted(std::string_view word);
/// Without it a std::string would go to std::quoted, where that is included.
inline std::string quoted(const std::string& word) { return quoted(std::string_view(word)); }

}  // namespace breadth
