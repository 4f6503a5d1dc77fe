// The options of a command: their meanings, their ranges, and where their values are stored; and suggestions for
// misspelt words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace breadth::cli {

// Suggestions for misspelt words.

/// The known word with the smallest edit distance, the first of several; empty if no words are known.
std::string nearest(std::string_view word, std::span<const std::string> known);
/// The end of a message about an unknown word: "; the nearest is KNOWN", with `before` and `after` around KNOWN. Empty
/// if more than one letter, and more than a third of the word's letters, would have to change.
std::string nearest_if_near(std::string_view word, std::span<const std::string> known, std::string_view before = "",
                            std::string_view after = "");

// Options.

/// `value`: --name VALUE. `flag`: --name. `argument`: a word without a name, which variables and files cannot set.
enum class OptionKind { value, flag, argument };
constexpr auto words_of(OptionKind) { return word_list<OptionKind>({"value", "flag", "argument"}); }

/// The kind of value that an option takes, with the word for it in help. Files, folders and vertices may be any text.
enum class Takes { value, word, number, pair, file, folder, vertex };
constexpr auto words_of(Takes) { return word_list<Takes>({"VALUE", "WORD", "N", "N,N", "FILE", "FOLDER", "VERTEX"}); }

/// The topic of an option. Help shows the everyday options and, if requested, each other group under a heading.
/// `paper`: techniques of papers, for comparison.
enum class OptionGroup { everyday, layout, search, ranks, paper, device, machine };
constexpr auto words_of(OptionGroup) {
  return word_list<OptionGroup>({"everyday", "layout", "search", "ranks", "paper", "device", "machine"});
}
const char* group_heading(OptionGroup group);

/// The values that an option takes, for programs that try options; users read the range instead.
struct OptionTexts {
  struct Numbers {
    std::string minimum;
    std::string maximum;
    bool whole = false;
  };
  std::vector<std::string> words = {};  ///< all words of a choice; examples if the range allows more
  std::optional<Numbers> numbers = {};  ///< numbers that it takes as well
};

inline constexpr std::size_t longest_meaning = 100;

struct Choices;

/// A reason why an option has no effect (effect.hpp has the reasons that several options share).
struct Idle {
  const void* (*because_of)(const Choices& run);  ///< the field that causes it; nullptr if none does
  const char* when;                               ///< a condition, for lists of options
  const char* reason;                             ///< a sentence for users who gave the option
};

/// An option that excludes another one, identified by the field of its value.
struct Exclusion {
  const void* field;
  const char* reason;  ///< a sentence
};

/// The values that tuning and calibration try for an option.
struct Tuned {
  std::vector<std::string> values = {};  ///< empty: the option is not tuned
  bool refined = false;                  ///< whether numbers between the values may be better
  bool of_graph = false;                 ///< whether it is an option of kernel 1, so that each value needs a graph of
                                         ///< its own
};

/// The source of options that the benchmark's rules define.
inline constexpr const char* graph500_specification = "Graph500 specification 2.0";

/// The documentation of an option, besides its name and range.
struct AboutOption {
  std::optional<OptionGroup> group = {};  ///< every option of the program has one
  std::string meaning = {};               ///< one line, at most `longest_meaning` characters
  std::string source = {};                ///< the paper or specification that it comes from, if any
  bool required = false;
  std::string default_text = {};  ///< text instead of the target's value, if any
  std::string was = {};           ///< its old name, if any, which is accepted for one release, with a notice
  OptionKind kind = OptionKind::value;
  Takes takes = Takes::value;
  bool writes = false;                   ///< whether it names a file that is written
  bool between_ranks = false;            ///< whether it has no effect on one rank
  bool on_processors = false;            ///< whether it has no effect on a device
  std::vector<Idle> idle = {};           ///< other reasons for no effect, in order of precedence
  std::vector<Exclusion> excludes = {};  ///< options that it excludes; listed by one of the two
  Tuned tuned = {};
};

/// An option. `store` checks a text and stores its value, or throws UsageError with the range. `show` returns the text
/// of the current value, or an empty text if results show the value in another form.
struct Option : AboutOption {
  std::string name;
  std::string range;  ///< "a whole number from 1 to 47"
  OptionTexts texts;  ///< the range for programs; empty if it says nothing, as for files
  const void* field;  ///< where its value is stored
  std::function<void(const std::string& text)> store;
  std::function<std::string()> show;
};

/// The name of an option in messages: --scale; for an argument without dashes.
inline std::string as_given(const Option& option) {
  return option.kind == OptionKind::argument ? option.name : "--" + option.name;
}

/// Whether an option has this name, current or old.
inline bool goes_by(const Option& option, std::string_view name) {
  return option.name == name || (!name.empty() && option.was == name);
}

/// The notice to a user who called an option by `called`, one of its names; empty unless that is the old name.
std::string renamed_notice(const Option& option, std::string_view called);

/// Parses the whole text as a number. Throws UsageError with the range if it is not a number or out of range.
template <class Number>
Number parse_number(const std::string& text, Number minimum, Number maximum, const std::string& range) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = error == std::errc() && end == text.data() + text.size();
  // Written so that "nan" is rejected too.
  if (!whole_text || !(value >= minimum && value <= maximum)) fail<UsageError>("must be {}", range);
  return value;
}

/// Some values of an enum with their names, for a choice that does not offer all.
template <class Value>
std::vector<std::pair<std::string, Value>> choices_of(std::initializer_list<Value> values) {
  std::vector<std::pair<std::string, Value>> choices;
  for (const Value value : values) choices.emplace_back(name_of(value), value);
  return choices;
}

/// The options of one command. Targets must outlive the set. The default of an option is its target's value when it is
/// added.
class OptionSet {
 public:
  using About = AboutOption;

  /// Adds a number, and optionally a word that stands for a value, in the range or outside.
  template <class Number>
  void add_number(const std::string& name, Number& target, const std::type_identity_t<Range<Number>>& allowed,
                  const About& about, const std::type_identity_t<Word<Number>>& word = {}) {
    const Number minimum = allowed.minimum;
    const Number maximum = allowed.maximum;
    const std::string numbers =
        std::is_floating_point_v<Number>                ? fmt::format("a number from {} to {}", minimum, maximum)
        : maximum == std::numeric_limits<Number>::max() ? fmt::format("a whole number, {} or more", minimum)
                                                        : fmt::format("a whole number from {} to {}", minimum, maximum);
    const std::string range = word.word == nullptr ? numbers : fmt::format("{}, or {}", word.word, numbers);
    OptionTexts texts{.numbers = OptionTexts::Numbers{.minimum = fmt::format("{}", minimum),
                                                      .maximum = fmt::format("{}", maximum),
                                                      .whole = !std::is_floating_point_v<Number>}};
    if (word.word != nullptr) texts.words.emplace_back(word.word);
    const auto show = [&target, word] {
      return word.word != nullptr && target == word.value ? word.word : fmt::format("{}", target);
    };
    const auto store = [&target, allowed, word, range](const std::string& text) {
      if (word.word != nullptr && text == word.word) {
        target = word.value;
      } else if constexpr (std::is_floating_point_v<Number>) {
        // The shortest text of the bound may, parsed as a double, be larger than the bound.
        const double bound = std::strtod(fmt::format("{}", allowed.maximum).c_str(), nullptr);
        target = static_cast<Number>(
            std::min<double>(parse_number<double>(text, allowed.minimum, bound, range), allowed.maximum));
      } else {
        target = parse_number(text, allowed.minimum, allowed.maximum, range);
      }
    };
    add(name, &target, range, texts, show(), about, store, show);
    options_.back().takes = Takes::number;
  }

  /// Adds a number whose range has the option's name.
  template <class Number>
  void add_number(Number& target, const std::type_identity_t<Range<Number>>& allowed, const About& about,
                  const std::type_identity_t<Word<Number>>& word = {}) {
    add_number(allowed.option, target, allowed, about, word);
  }

  /// Adds a choice of several words, each standing for a value.
  template <class Value>
  void add_choice(const std::string& name, Value& target, const std::vector<std::pair<std::string, Value>>& choices,
                  const About& about) {
    const std::vector<std::string> words = texts_of(choices, [](const auto& choice) { return choice.first; });
    const std::string range = fmt::format("one of {}", joined(words, ", "));
    const auto show = [&target, choices] {
      const auto chosen =
          std::ranges::find_if(choices, [&target](const auto& choice) { return choice.second == target; });
      return chosen == choices.end() ? std::string() : chosen->first;
    };
    const auto store = [&target, choices, range](const std::string& text) {
      const auto chosen = std::ranges::find_if(choices, [&text](const auto& choice) { return choice.first == text; });
      if (chosen == choices.end()) fail<UsageError>("must be {}", range);
      target = chosen->second;
    };
    add(name, &target, range, {.words = words}, show(), about, store, show);
    options_.back().takes = Takes::word;
  }

  /// Adds a choice of all values of an enum, by their words.
  template <Worded Value>
  void add_choice(const std::string& name, Value& target, const About& about) {
    std::vector<std::pair<std::string, Value>> choices;
    for (const Word<Value>& word : words_of(target)) choices.emplace_back(word.word, word.value);
    add_choice(name, target, choices, about);
  }
  /// Adds a choice of all values of an enum, or auto.
  template <Worded Value>
  void add_choice(const std::string& name, std::optional<Value>& target, const About& about) {
    std::vector<std::pair<std::string, std::optional<Value>>> choices = {{"auto", std::nullopt}};
    for (const Word<Value>& word : words_of(Value{})) choices.emplace_back(word.word, word.value);
    add_choice(name, target, choices, about);
  }
  /// Adds a choice of on or off.
  void add_switch(const std::string& name, bool& target, const About& about) {
    add_choice<bool>(name, target, {{"on", true}, {"off", false}}, about);
  }

  /// Adds an option with any nonempty text. It takes a file, unless `about` says otherwise.
  void add_text(const std::string& name, std::string& target, const std::string& range, const About& about);
  void add_flag(const std::string& name, bool& target, const About& about);
  void add_argument(const std::string& name, std::string& target, const About& about);
  /// Adds two whole numbers separated by a comma: "2,3".
  void add_pair(const std::string& name, std::array<std::uint64_t, 2>& target, const About& about);
  /// Adds an option with any other kind of text, which `store` stores in the field and `show` reads from it.
  void add(const std::string& name, const void* field, const std::string& range, const OptionTexts& texts,
           const std::string& by_default, const About& about, std::function<void(const std::string& text)> store,
           std::function<std::string()> show = {});

  [[nodiscard]] const std::vector<Option>& options() const noexcept { return options_; }
  /// Finds an option by its current or old name; nullptr if there is none.
  [[nodiscard]] const Option* find(std::string_view name) const;
  /// The option whose value is stored in this field; nullptr if there is none.
  [[nodiscard]] const Option* option_of(const void* field) const;

  /// Sets an option's value. `origin` is the source of the text, for errors: "", or "in BREADTH_SCALE".
  void set(const Option& option, const std::string& text, const std::string& origin) {
    store(option, {.name = option.name, .text = text, .origin = origin, .given = true});
  }
  /// Replaces the default of an option that was not given. The option still counts as not given, so that it conflicts
  /// with nothing. A later default replaces an earlier one.
  void set_default(const Option& option, const std::string& text, const std::string& origin) {
    store(option, {.name = option.name, .text = text, .origin = origin, .given = false});
  }
  /// Whether the option was given.
  [[nodiscard]] bool given(std::string_view name) const;
  /// Whether the option whose value is stored in this field was given; false if the command has none.
  template <class Field>
  [[nodiscard]] bool given_for(const Field& field) const {
    const Option* const option = option_of(&field);
    return option != nullptr && given(option->name);
  }
  /// An option as errors refer to it: "--order label"; if the value is not from the command line, with its origin:
  /// "--order label of --preset fuentes2014", "--order label in BREADTH_ORDER".
  [[nodiscard]] std::string named(std::string_view name) const;
  /// The text of named() for the option whose value is stored in this field (not in a copy). Throws Error if there is
  /// none.
  template <class Field>
  [[nodiscard]] std::string named_for(const Field& field) const {
    return named(option_for(field).name);
  }
  /// Throws UsageError with both options and their values. If nobody chose the other's value, it says that the first
  /// has no effect, otherwise that both exclude each other.
  [[noreturn]] void refuse(std::string_view name, std::string_view other, std::string_view reason) const;
  /// Calls refuse() for the options of these two fields.
  template <class Field, class Other>
  [[noreturn]] void refuse_for(const Field& field, const Other& other, std::string_view reason) const {
    refuse(option_for(field).name, option_for(other).name, reason);
  }
  /// The options that have a value or a new default, with its text, in the order of declaration.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> values() const;
  /// The options among values() that have no effect on one rank.
  [[nodiscard]] std::vector<std::string> without_effect_on_one_rank() const;

  /// Throws UsageError with both options if two given options exclude each other.
  void check_exclusions() const;

 private:
  template <class Field>
  [[nodiscard]] const Option& option_for(const Field& field) const {
    const Option* const option = option_of(&field);
    if (option == nullptr) fail("an error names a field that no option sets");
    return *option;
  }
  /// A value that replaces an option's default, given by the user or not.
  struct Setting {
    std::string name;
    std::string text;
    std::string origin;
    bool given;
  };
  /// The setting of an option; nullptr if it has its own default.
  [[nodiscard]] const Setting* setting_of(std::string_view name) const;

  /// Sets an option's value instead of an earlier one.
  void store(const Option& option, const Setting& setting);

  std::vector<Option> options_;
  std::vector<Setting> settings_;
};

}  // namespace breadth::cli
