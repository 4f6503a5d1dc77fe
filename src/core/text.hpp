// Texts made of several values, without fmt::join and fmt::format_to, which would compile all of fmt into each source;
// messages to people; and the edit distance of two words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace breadth {

/// Appends a formatted text.
template <class... Arguments>
void append(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  text += fmt::format(format, std::forward<Arguments>(arguments)...);
}

/// Joins texts or numbers with a separator.
template <class Values>
std::string joined(const Values& values, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& value : values) {
    if (!first) text += separator;
    first = false;
    if constexpr (std::convertible_to<decltype(value), std::string_view>) {
      text += std::string_view(value);
    } else {
      text += fmt::format("{}", value);
    }
  }
  return text;
}

/// "one", "one and two", "one, two and three", with `last` for " and ".
inline std::string listed(const std::vector<std::string>& texts, std::string_view last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) text += i + 1 < texts.size() ? ", " : last;
    text += texts[i];
  }
  return text;
}

/// The text of each value; text_of is a function or a member.
template <class Values, class TextOf>
std::vector<std::string> texts_of(const Values& values, TextOf&& text_of) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const auto& value : values) texts.emplace_back(std::invoke(text_of, value));
  return texts;
}

/// Writes a message to standard error or another stream. Ignores write errors, so that a full disk or a closed stream
/// does not end the run.
inline void say(std::string_view text, std::FILE* stream = stderr) {
  (void)std::fwrite(text.data(), 1, text.size(), stream);
}

/// The number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other. If it
/// is larger than `most`, returns any number larger than `most`. O(|a| |b|).
inline std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most = std::string_view::npos) {
  // Rows i - 2, i - 1 and i of the table of distances between prefixes.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto is_near = [most](const auto& distances) { return *std::ranges::min_element(distances) <= most; };
  for (std::size_t i = 1; i <= a.size() && (is_near(last) || is_near(row)); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace breadth
