// The words of an enum and the range of a number, declared once beside its type, for the command line, JSON, checks and
// messages. Uses no strings, because code for GPUs includes it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace breadth {

/// The range of a number: from `minimum` to `maximum`, both included, and the name of the option that sets it, if there
/// is one.
template <class Number>
struct Range {
  Number minimum;
  Number maximum;
  const char* option = "";
};

/// A value and the word that stands for it.
template <class Value>
struct Word {
  Value value;
  const char* word;
};

/// An enum beside which `words_of` lists its values.
template <class Value>
concept Worded = requires(Value value) {
  words_of(value);
};

template <Worded Value>
constexpr const char* name_of(Value value) {
  for (const Word<Value>& word : words_of(value)) {
    if (word.value == value) return word.word;
  }
  return "";
}

/// For an optional choice; "auto" stands for no choice.
template <Worded Value>
constexpr const char* name_of(const std::optional<Value>& choice) {
  return choice ? name_of(*choice) : "auto";
}

/// Makes the list that `words_of` returns from the word of each value, in the order of the enum.
template <class Value, std::size_t count>
constexpr std::array<Word<Value>, count> word_list(const char* const (&words)[count]) {
  std::array<Word<Value>, count> list{};
  for (std::size_t i = 0; i < count; ++i) list[i] = {static_cast<Value>(i), words[i]};
  return list;
}

}  // namespace breadth
