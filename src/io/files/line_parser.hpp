// Edges out of lines of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breadth {

/// What the lines of a text look like: two labels and perhaps a weight, separated by white space or commas. Empty lines
/// and those whose first character is # or % say nothing.
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

/// The edges of a stretch of text.
struct ParsedLines {
  /// Source and target of each edge in turn: one of the two, as they were asked for. Words are parts of the text.
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> words;
  /// Empty, or one an edge.
  std::vector<float> weights;

  void clear() {
    integers.clear();
    words.clear();
    weights.clear();
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

/// The words of a line.
std::vector<std::string_view> split_line(std::string_view line);
/// Names the first byte of a line that no text has; nothing if there is none.
std::optional<std::string> why_not_text(std::string_view line);
/// Where a word has its first character that no word can have, because it separates words or lines or is no text; npos
/// if there is none.
std::size_t find_no_word(std::string_view word);
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

}  // namespace breadth
