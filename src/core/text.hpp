// Texts made of several values. What the formatting library offers for it compiles all of itself into each source.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <functional>
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

/// Texts or numbers, one after the other, with a separator in between.
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

/// A text for each value: what text_of(value) returns, or that member of it.
template <class Values, class TextOf>
std::vector<std::string> texts_of(const Values& values, TextOf&& text_of) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const auto& value : values) texts.emplace_back(std::invoke(text_of, value));
  return texts;
}

}  // namespace breadth
