// The columns of a line of text: what separates them, and values in quotes.
//
// Two kinds of files differ here: white space and commas separate columns, or one character alone does (.csv and .tsv
// files, RFC 4180). A parser gets one of the two types WhiteSpaceColumns and SeparatedColumns, chosen once for a text.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace breadth {

// Characters.

enum class CharacterClass : std::uint8_t { word, blank, line_end, forbidden };

inline constexpr std::array<CharacterClass, 256> character_classes = [] {
  std::array<CharacterClass, 256> classes{};
  for (std::size_t c = 0; c < 0x20; ++c) classes[c] = CharacterClass::forbidden;
  classes[0x7F] = CharacterClass::forbidden;
  for (const char blank : {' ', '\t', '\v', '\f', '\r', ','}) {
    classes[static_cast<unsigned char>(blank)] = CharacterClass::blank;
  }
  classes['\n'] = CharacterClass::line_end;
  return classes;
}();

inline CharacterClass class_of(char c) { return character_classes[static_cast<unsigned char>(c)]; }

/// Examines eight characters at once: sets the high bit of each character that is below `lowest`, equal to `separator`
/// or not text. Bits behind the first one may be wrong.
template <std::uint64_t lowest, std::uint64_t separator>
std::uint64_t word_ends(std::uint64_t characters) {
  constexpr std::uint64_t each = 0x0101010101010101U;
  constexpr std::uint64_t high = 0x80 * each;
  // A byte borrows from its own high bit if it is less than the subtrahend.
  const auto below = [](std::uint64_t bytes, std::uint64_t bound) { return (bytes - bound * each) & ~bytes & high; };
  return below(characters, lowest) | below(characters ^ separator * each, 1) | below(characters ^ 0x7F * each, 1);
}

/// The first character from `at` on that `word_ends` finds, or one of the last seven before `end`.
template <std::uint64_t lowest, std::uint64_t separator>
const char* skip_eights(const char* at, const char* end) {
  std::uint64_t characters = 0;
  for (; end - at >= 8; at += 8) {
    std::memcpy(&characters, at, 8);
    if (const std::uint64_t ends = word_ends<lowest, separator>(characters); ends != 0) {
      return at + std::countr_zero(ends) / 8;
    }
  }
  return at;
}

// How columns are separated. All functions need a line end at or behind `at`, and `end` behind that.

/// The separator of files in which white space and commas separate columns.
inline constexpr char white_space = ' ';

/// Columns that white space separates, or a comma. Quotes have no meaning.
struct WhiteSpaceColumns {
  static constexpr bool has_quotes = false;

  static const char* skip_blanks(const char* at) {
    while (class_of(*at) == CharacterClass::blank) ++at;
    return at;
  }
  /// The start of the first column of a line that is no comment; nullptr if the column is empty. `at` is the line's
  /// first character other than white space and commas.
  static const char* first(const char* line, const char* at) { return std::find(line, at, ',') == at ? at : nullptr; }
  /// The start of the column behind the one that ends at `stop`; nullptr if there is none, or an empty one.
  static const char* next(const char* stop) {
    const char* const at = skip_blanks(stop);
    const bool has_empty_column = at - stop > 1 && std::count(stop, at, ',') > 1;
    return at == stop || has_empty_column ? nullptr : at;
  }
  /// The end of the line whose last column ends at `stop`; nullptr if something follows.
  static const char* line_end(const char* stop) {
    const char* const at = skip_blanks(stop);
    return *at == '\n' && std::find(stop, at, ',') == at ? at : nullptr;
  }
  /// Finds the value that starts at `at`, perhaps empty, and returns its end.
  static const char* read(const char* at, const char* end, std::string_view& value, std::deque<std::string>&) {
    const char* stop = skip_eights<' ' + 1, ','>(at, end);
    while (class_of(*stop) == CharacterClass::word) ++stop;
    value = {at, stop};
    return stop;
  }
};

/// Finds the value in quotes that starts at `at`, and returns the position behind it; nullptr if its line has no
/// closing quote. A value with doubled quotes is stored in `unquoted`, with single ones.
const char* read_quoted(const char* at, std::string_view& value, std::deque<std::string>& unquoted);

/// Columns that one character alone separates. Blanks around a value are no part of it. A value in quotes may have
/// blanks at its ends, separators and, doubled, quotes.
template <char separator>
struct SeparatedColumns {
  static constexpr bool has_quotes = true;

  static bool is_blank(char c) { return class_of(c) == CharacterClass::blank && c != separator && c != ','; }
  static const char* skip_blanks(const char* at) {
    while (is_blank(*at)) ++at;
    return at;
  }
  static const char* first(const char* line, const char*) { return skip_blanks(line); }
  static const char* next(const char* stop) {
    const char* const at = skip_blanks(stop);
    return *at == separator ? skip_blanks(at + 1) : nullptr;
  }
  static const char* line_end(const char* stop) {
    const char* const at = skip_blanks(stop);
    return *at == '\n' ? at : nullptr;
  }
  /// Finds the value that starts at `at`, perhaps empty, and returns its end; nullptr for a quote that is not closed.
  static const char* read(const char* at, const char* end, std::string_view& value, std::deque<std::string>& unquoted) {
    if (*at == '"') return read_quoted(at, value, unquoted);
    const char* stop = skip_eights<' ', separator>(at, end);
    while (*stop != separator && class_of(*stop) <= CharacterClass::blank) {
      stop = skip_eights<' ', separator>(stop + 1, end);
    }
    const char* last = stop;
    while (last != at && is_blank(last[-1])) --last;
    value = {at, last};
    return stop;
  }
};

/// Calls use(columns) with the type of columns that the separator chooses: a comma, a tab, or white_space.
template <class Use>
auto with_columns(char separator, Use&& use) {
  if (separator == ',') return use(SeparatedColumns<','>());
  if (separator == '\t') return use(SeparatedColumns<'\t'>());
  return use(WhiteSpaceColumns());
}

// One line at a time, where speed does not matter.

/// A mark at the beginning of texts by some programs; it is skipped.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The columns of a line.
struct LineColumns {
  std::vector<std::string> values;          ///< without their quotes; some may be empty
  std::optional<std::string> wrong_quotes;  ///< what is wrong with quotes, and what to do; values end there
};
LineColumns split_columns(std::string_view line, char separator);

/// Describes an empty column or a wrong quote in a line that is no comment; nothing if there is none.
std::optional<std::string> why_not_columns(std::string_view line, char separator);

/// A hint why a line has another number of columns than it seems to have, for the end of a message; often empty.
std::string separators_hint(std::string_view line, char separator);

/// Appends a value to a line so that it is read again as it is, in quotes if it needs them. It must be valid text
/// without line ends and not empty; where white space separates columns, it must be a word.
void append_value(std::string_view value, char separator, std::string& line);

/// A name among columns that a space separates, in a result for the user: in quotes if it has a blank or begins with a
/// quote.
std::string spaced_value(std::string name);

}  // namespace breadth
