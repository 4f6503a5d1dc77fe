// The options of a command: what each means, what it may be, and where its value goes; and which word was probably
// meant.
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

// Which known word was probably meant.

/// The known word with the least edit distance, the first of several; empty where none is known.
std::string nearest(std::string_view word, std::span<const std::string> known);
/// The end of a message about an unknown word: "; the nearest is KNOWN", with that text around KNOWN. Empty where
/// more than a third of the word's letters, and more than one, would have to change.
std::string nearest_if_near(std::string_view word, std::span<const std::string> known, std::string_view before = "",
                            std::string_view after = "");

// Options.

/// `value`: --name VALUE. `flag`: --name. `argument`: a word without a name, which variables and files cannot give.
enum class OptionKind { value, flag, argument };
constexpr auto words_of(OptionKind) {
  return word_list<OptionKind>(
      {{OptionKind::value, "value"}, {OptionKind::flag, "flag"}, {OptionKind::argument, "argument"}});
}

/// What an option takes, with the word that help has for it. Files, folders and vertices may have any text.
enum class Takes { value, word, number, pair, file, folder, vertex };
constexpr auto words_of(Takes) {
  return word_list<Takes>({{Takes::value, "VALUE"},
                           {Takes::word, "WORD"},
                           {Takes::number, "N"},
                           {Takes::pair, "N,N"},
                           {Takes::file, "FILE"},
                           {Takes::folder, "FOLDER"},
                           {Takes::vertex, "VERTEX"}});
}

/// What an option is about. Help shows the everyday ones and, if asked, each other group under a heading.
/// `paper`: techniques that papers argue for, here to be compared with.
enum class OptionGroup { everyday, layout, search, ranks, paper, device, machine };
constexpr auto words_of(OptionGroup) {
  return word_list<OptionGroup>({{OptionGroup::everyday, "everyday"},
                                 {OptionGroup::layout, "layout"},
                                 {OptionGroup::search, "search"},
                                 {OptionGroup::ranks, "ranks"},
                                 {OptionGroup::paper, "paper"},
                                 {OptionGroup::device, "device"},
                                 {OptionGroup::machine, "machine"}});
}
const char* group_heading(OptionGroup group);

/// Texts that an option takes, for programs that try options out; to people the range says it.
struct OptionTexts {
  struct Numbers {
    std::string least;
    std::string most;
    bool whole = false;
  };
  std::vector<std::string> words = {};  ///< all of a choice; examples where the range allows more
  std::optional<Numbers> numbers = {};  ///< these as well
};

inline constexpr std::size_t longest_meaning = 100;

struct Choices;

/// A reason that leaves an option without effect (effect.hpp has those that several options share).
struct Idle {
  const void* (*because_of)(const Choices& run);  ///< the field whose value does; nullptr where it does not
  const char* when;                               ///< a condition, for lists of options
  const char* reason;                             ///< a sentence, for people who gave the option
};

/// An option that another one cannot be given beside, by the field that its value goes to.
struct Exclusion {
  const void* field;
  const char* reason;  ///< a sentence
};

/// What tuning and calibration try for an option.
struct Tuned {
  std::vector<std::string> values = {};  ///< none: it is not tuned
  bool refined = false;                  ///< whether numbers between the values may be better
  bool of_graph = false;                 ///< whether it is an option of kernel 1: each value takes a graph of its own
};

/// The source of options that the benchmark is run by.
inline constexpr const char* graph500_specification = "Graph500 specification 2.0";

/// What documents an option, beside its name and range.
struct AboutOption {
  std::optional<OptionGroup> group = {};  ///< every option of the program has one
  std::string meaning = {};               ///< one line, at most `longest_meaning` characters
  std::string source = {};                ///< the paper or specification that it comes from, if any
  bool required = false;
  std::string default_text = {};  ///< what is said instead of the target's value, if anything
  std::string was = {};           ///< its name before, if any, which is taken for one release, with a notice
  OptionKind kind = OptionKind::value;
  Takes takes = Takes::value;
  bool writes = false;                   ///< whether it names a file that is written
  bool between_ranks = false;            ///< whether it changes nothing on one rank
  bool on_processors = false;            ///< whether it changes nothing on a device
  std::vector<Idle> idle = {};           ///< when else it changes nothing, the first reason first
  std::vector<Exclusion> excludes = {};  ///< options that it cannot be given beside; one of the two says so
  Tuned tuned = {};
};

/// One option. `store` checks a text and puts its value where it belongs, or throws UsageError saying what it must be;
/// `show` is the text for the value that is there, and empty where results do not have it so.
struct Option : AboutOption {
  std::string name;
  std::string range;  ///< "a whole number from 1 to 47"
  OptionTexts texts;  ///< the same for programs; empty where it says nothing, as of files
  const void* field;  ///< where its value goes
  std::function<void(const std::string& text)> store;
  std::function<std::string()> show;
};

/// What messages call an option: --scale, and an argument by its bare name.
std::string as_given(const Option& option);

/// Whether that is an option's name, or the one that it had before.
bool goes_by(const Option& option, std::string_view name);

/// What to say to somebody who called an option by a name that it goes by; empty unless that was its name before.
std::string renamed_notice(const Option& option, std::string_view called);

/// Reads the whole text as a number. Throws UsageError naming the range where it is no such number or outside.
template <class Number>
Number parse_number(const std::string& text, Number least, Number most, const std::string& range) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = error == std::errc() && end == text.data() + text.size();
  // Written so that "nan" is outside too.
  if (!whole_text || !(value >= least && value <= most)) fail<UsageError>("must be {}", range);
  return value;
}

/// Some values of an enum with their words, for a choice that does not have all.
template <Worded Value>
std::vector<std::pair<std::string, Value>> choices_of(std::initializer_list<Value> values) {
  std::vector<std::pair<std::string, Value>> choices;
  for (const Value value : values) choices.emplace_back(name_of(value), value);
  return choices;
}

/// The options of one command. Targets outlive the set; a target's value when the option is added is its default.
class OptionSet {
 public:
  using About = AboutOption;

  /// A number; and a word, if one is given, that stands for a value in its range or outside.
  template <class Number>
  void add_number(const std::string& name, Number& target, const std::type_identity_t<Range<Number>>& allowed,
                  const About& about, const std::type_identity_t<Word<Number>>& word = {}) {
    const Number least = allowed.least;
    const Number most = allowed.most;
    const std::string numbers = std::is_floating_point_v<Number> ? fmt::format("a number from {} to {}", least, most)
                                : most == std::numeric_limits<Number>::max()
                                    ? fmt::format("a whole number, {} or more", least)
                                    : fmt::format("a whole number from {} to {}", least, most);
    const std::string range = word.word == nullptr ? numbers : fmt::format("{}, or {}", word.word, numbers);
    OptionTexts texts{.numbers = OptionTexts::Numbers{.least = fmt::format("{}", least),
                                                      .most = fmt::format("{}", most),
                                                      .whole = !std::is_floating_point_v<Number>}};
    if (word.word != nullptr) texts.words.emplace_back(word.word);
    const auto show = [&target, word] {
      return word.word != nullptr && target == word.value ? word.word : fmt::format("{}", target);
    };
    const auto store = [&target, allowed, word, range](const std::string& text) {
      if (word.word != nullptr && text == word.word) {
        target = word.value;
      } else if constexpr (std::is_floating_point_v<Number>) {
        // The shortest text that stands for the bound may as a double lie above it.
        const double bound = std::strtod(fmt::format("{}", allowed.most).c_str(), nullptr);
        target = static_cast<Number>(
            std::min<double>(parse_number<double>(text, allowed.least, bound, range), allowed.most));
      } else {
        target = parse_number(text, allowed.least, allowed.most, range);
      }
    };
    add(name, &target, range, texts, show(), about, store, show);
    options_.back().takes = Takes::number;
  }

  /// The same of an option that its range names.
  template <class Number>
  void add_number(Number& target, const std::type_identity_t<Range<Number>>& allowed, const About& about,
                  const std::type_identity_t<Word<Number>>& word = {}) {
    add_number(allowed.option, target, allowed, about, word);
  }

  /// One of several words, each standing for a value.
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

  /// Any value of an enum, by its words.
  template <Worded Value>
  void add_choice(const std::string& name, Value& target, const About& about) {
    std::vector<std::pair<std::string, Value>> choices;
    for (const Word<Value>& word : words_of(target)) choices.emplace_back(word.word, word.value);
    add_choice(name, target, choices, about);
  }
  /// The same, or auto.
  template <Worded Value>
  void add_choice(const std::string& name, std::optional<Value>& target, const About& about) {
    std::vector<std::pair<std::string, std::optional<Value>>> choices = {{"auto", std::nullopt}};
    for (const Word<Value>& word : words_of(Value{})) choices.emplace_back(word.word, word.value);
    add_choice(name, target, choices, about);
  }
  /// on or off.
  void add_switch(const std::string& name, bool& target, const About& about) {
    add_choice<bool>(name, target, {{"on", true}, {"off", false}}, about);
  }

  /// Any text but none. It takes a file, unless `about` says what else.
  void add_text(const std::string& name, std::string& target, const std::string& range, const About& about);
  void add_flag(const std::string& name, bool& target, const About& about);
  void add_argument(const std::string& name, std::string& target, const About& about);
  /// Two whole numbers with a comma between: "2,3".
  void add_pair(const std::string& name, std::array<std::uint64_t, 2>& target, const About& about);
  /// Texts of any other kind, which `store` puts into the field, and `show` finds there.
  void add(const std::string& name, const void* field, const std::string& range, const OptionTexts& texts,
           const std::string& by_default, const About& about, std::function<void(const std::string& text)> store,
           std::function<std::string()> show = {});

  [[nodiscard]] const std::vector<Option>& options() const noexcept { return options_; }
  /// By its name, or by the one that it had before; nullptr where there is none.
  [[nodiscard]] const Option* find(std::string_view name) const;
  /// The option whose value goes to this field, nullptr where there is none.
  [[nodiscard]] const Option* option_of(const void* field) const;

  /// Gives an option a value. `origin` says where the text comes from, for errors: "", or "in BREADTH_SCALE".
  void set(const Option& option, const std::string& text, const std::string& origin);
  /// Replaces the default of an option that was not given. It still counts as not given, so that nothing is in its way.
  /// The last default counts.
  void set_default(const Option& option, const std::string& text, const std::string& origin);
  /// Whether the option got a value of its own.
  [[nodiscard]] bool given(std::string_view name) const;
  /// The same of the option whose value goes to this field; false where the command has none.
  template <class Field>
  [[nodiscard]] bool given_for(const Field& field) const {
    const Option* const option = option_of(&field);
    return option != nullptr && given(option->name);
  }
  /// An option as an error calls it: "--order label", and where that value is not from the command line, its origin:
  /// "--order label of --preset fuentes2014", "--order label in BREADTH_ORDER".
  [[nodiscard]] std::string named(std::string_view name) const;
  /// The same for the option whose value goes to this field itself, no copy of it. Throws Error where there is none.
  template <class Field>
  [[nodiscard]] std::string named_for(const Field& field) const {
    return named(option_for(field).name);
  }
  /// Throws UsageError that names both options with their values: the first one as without effect where nobody chose
  /// the other's value, else both as excluding each other.
  [[noreturn]] void refuse(std::string_view name, std::string_view other, std::string_view reason) const;
  /// The same of the options of both fields.
  template <class Field, class Other>
  [[noreturn]] void refuse_for(const Field& field, const Other& other, std::string_view reason) const {
    refuse(option_for(field).name, option_for(other).name, reason);
  }
  /// The options that got a value or a new default, with its text, in the order of their declaration.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> values() const;
  /// Those of them that change nothing on one rank.
  [[nodiscard]] std::vector<std::string> without_effect_on_one_rank() const;

  /// Throws UsageError naming both of two options that were given and exclude each other.
  void check_exclusions() const;

 private:
  template <class Field>
  [[nodiscard]] const Option& option_for(const Field& field) const {
    const Option* const option = option_of(&field);
    if (option == nullptr) fail("an error names a field that no option sets");
    return *option;
  }
  static void store(const Option& option, const std::string& text, const std::string& origin);

  struct Setting {
    std::string name;
    std::string text;
    std::string origin;
  };
  static const Setting* find_in(const std::vector<Setting>& settings, std::string_view name);

  std::vector<Option> options_;
  std::vector<Setting> given_;
  std::vector<Setting> defaults_;  ///< one for an option at the most
};

}  // namespace breadth::cli
