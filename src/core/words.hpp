// What a value may be, said once beside it: the words of an enum and the range of a number. The command line, JSON,
// checks and messages all go by these. Knows no texts, as GPUs' code includes it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace breadth {

/// What a number may be: from `least` to `most`, both included; and the name of the option that sets it, if there is
/// one.
template <class Number>
struct Range {
  Number least;
  Number most;
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

/// A choice that may be left open: auto.
template <Worded Value>
constexpr const char* name_of(const std::optional<Value>& choice) {
  return choice ? name_of(*choice) : "auto";
}

/// For the definition of `words_of`.
template <class Value, std::size_t count>
constexpr std::array<Word<Value>, count> word_list(const Word<Value> (&words)[count]) {
  return std::to_array(words);
}

}  // namespace breadth
