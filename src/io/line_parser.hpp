// Edges out of lines of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/name_table.hpp"

namespace breadth {

/// What the lines of a text look like: two labels and perhaps a weight, separated by white space or commas. Empty lines
/// and those whose first character is # or % say nothing.
struct LineRules {
  bool weighted = false;
  /// Bounds of integer labels, both allowed.
  std::int64_t first_label = INT64_MIN;
  std::int64_t last_label = INT64_MAX;
  /// What the number of columns comes from, for messages: "the first edge", "the header".
  std::string_view columns_from = "the first edge";
};

/// A line as it was read: its labels, any 64-bit integers, or indices into a table of names.
struct ParsedEdge {
  std::int64_t source;
  std::int64_t target;
};

/// The edges of a stretch of text; `weights` is empty or as long as `edges`.
struct ParsedLines {
  std::vector<ParsedEdge> edges;
  std::vector<float> weights;
};

/// The first line that breaks the rules.
struct BadLine {
  std::size_t offset;  ///< of its first character
  std::string what;
};

/// Appends the edges of whole lines whose labels are integers, until one breaks the rules.
std::optional<BadLine> parse_integer_lines(std::string_view text, const LineRules& rules, ParsedLines& lines);

/// The same for lines whose labels may be any words: what is appended are their indices in `names`, which takes in the
/// new ones.
std::optional<BadLine> parse_named_lines(std::string_view text, const LineRules& rules, NameTable& names,
                                         ParsedLines& lines);

/// The words of a line.
std::vector<std::string_view> split_line(std::string_view line);
/// Names the first byte of a line that no text has; nothing if there is none.
std::optional<std::string> why_not_text(std::string_view line);
/// Whether a line says nothing: it is empty or a comment.
bool is_comment(std::string_view line);
/// Whether a word is a decimal integer of 64 bits with its sign; nothing else may be in it.
std::optional<std::int64_t> parse_integer(std::string_view word);
/// Whether a word has only digits after its sign, however many.
bool looks_like_integer(std::string_view word);
/// A word for a message: in quotes, shortened, what cannot be printed replaced.
std::string quoted(std::string_view word);

}  // namespace breadth
