// Parsing of edges from lines of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/line_columns.hpp"

namespace breadth {

/// The rules for lines: two labels and optionally a weight. Lines of nothing but white space and commas are skipped,
/// and lines whose first other character is # or %.
struct LineRules {
  /// What separates columns: white_space (and commas), or a comma or a tab alone, as in .csv and .tsv files.
  char separator = white_space;
  bool weighted = false;
  /// The smallest allowed weight.
  float min_weight = std::numeric_limits<float>::lowest();
  /// The smallest and largest allowed integer label.
  std::int64_t first_label = INT64_MIN;
  std::int64_t last_label = INT64_MAX;
  /// The origin of the number of columns, for messages: "the first edge", "the header".
  std::string_view columns_from = "the first edge";
};

/// The edges of a piece of text.
struct ParsedLines {
  /// Source and target of each edge in turn. One of the two is filled, depending on the parser. Words point into the
  /// text, or to `unquoted`.
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> words;
  std::deque<std::string> unquoted;  ///< words that have doubled quotes in the text
  /// Empty, or one weight per edge.
  std::vector<float> weights;
  /// For formats that list each edge at both of its ends and keep it at one: the sum of edge hashes, added where the
  /// edge is kept and subtracted at its other end. Over a whole valid file it is 0.
  std::uint64_t balance = 0;

  void clear() {
    integers.clear();
    words.clear();
    unquoted.clear();
    weights.clear();
    balance = 0;
  }
};

/// The first line that breaks the rules.
struct BadLine {
  std::size_t offset;  ///< offset of its first character
  std::string what;
};

/// Appends the edges of whole lines with integer labels. Stops at the first line that breaks the rules and returns it.
std::optional<BadLine> parse_integer_lines(std::string_view text, const LineRules& rules, ParsedLines& lines);

/// Appends the edges of whole lines whose labels may be any words or, if columns have a separator, any text; otherwise
/// like parse_integer_lines.
std::optional<BadLine> parse_word_lines(std::string_view text, const LineRules& rules, ParsedLines& lines);

/// Parses a word as a label or a weight, within the rules. Returns nothing on success, otherwise the reason for a
/// message.
std::optional<std::string> read_label(std::string_view word, const LineRules& rules, std::int64_t& label);
std::optional<std::string> read_weight(std::string_view word, const LineRules& rules, float& weight);

/// Calls look(line, offset) for each line of a text, without its line end.
template <class Look>
void for_each_line(std::string_view text, Look&& look) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    look(text.substr(at, end - at), at);
    at = end + 1;
  }
}
/// Removes the first word from a line and returns it; empty if there is none.
std::string_view take_word(std::string_view& line);
/// The words of a line.
std::vector<std::string_view> split_line(std::string_view line);
/// Describes the first byte of a line that is not valid in text; nothing if there is none.
std::optional<std::string> why_not_text(std::string_view line);
/// The position of the first character that a word cannot contain, because it separates words or lines or is not text;
/// npos if there is none.
std::size_t find_no_word(std::string_view word);
/// The position of the first character that no name can contain, because it ends a line or is not text; npos if there
/// is none.
std::size_t find_no_name(std::string_view name);
/// A word with ASCII letters in lower case.
std::string lower_case(std::string_view word);
/// Whether a line is skipped: a comment, or nothing but white space and commas.
bool is_comment(std::string_view line);
/// Parses a word as a signed decimal 64-bit integer; nothing if it contains anything else.
std::optional<std::int64_t> parse_integer(std::string_view word);
/// Whether a word is a decimal number, with or without a fraction and an exponent, even if no variable can hold it.
bool is_number(std::string_view word);
/// Whether a word consists of an optional sign and any number of digits.
bool looks_like_integer(std::string_view word);
/// A word for a message: quoted, shortened, with unprintable characters replaced.
std::string quoted(std::string_view word);
/// Without this overload, argument-dependent lookup of a std::string finds std::quoted where that is included.
inline std::string quoted(const std::string& word) { return quoted(std::string_view(word)); }

}  // namespace breadth
