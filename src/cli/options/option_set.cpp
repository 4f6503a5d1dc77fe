#include "cli/options/option_set.hpp"

namespace breadth::cli {

// Suggestions for misspelt words.

std::string nearest(std::string_view word, std::span<const std::string> known) {
  const auto best =
      std::ranges::min_element(known, {}, [word](const std::string& one) { return edit_distance(word, one); });
  return best == known.end() ? std::string() : *best;
}

std::string nearest_if_near(std::string_view word, std::span<const std::string> known, std::string_view before,
                            std::string_view after) {
  const std::string found = nearest(word, known);
  const bool near = !found.empty() && edit_distance(word, found) <= std::max<std::size_t>(1, word.size() / 3);
  return near ? fmt::format("; the nearest is {}{}{}", before, found, after) : std::string();
}

// Options.

namespace {
/// Replaces control characters in a text for a message. An option file may contain them, and they would cut the message
/// short or control the terminal.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter < 0x20 || letter == 0x7F; }, '?');
  return text;
}

/// An origin as it follows a value; empty for the command line.
std::string after_space(const std::string& origin) { return origin.empty() ? "" : " " + origin; }
}  // namespace

std::string renamed_notice(const Option& option, std::string_view called) {
  if (called == option.name) return {};
  return fmt::format("{} is now called {}; the next release will not accept the old name", called, option.name);
}

const char* group_heading(OptionGroup group) {
  switch (group) {
    case OptionGroup::everyday: return "Everyday options";
    case OptionGroup::layout: return "Layout (how the graph is stored)";
    case OptionGroup::search: return "Search (directions, levels and buckets)";
    case OptionGroup::ranks: return "Ranks (hubs, replication and messages)";
    case OptionGroup::paper: return "Paper (techniques of papers, kept for comparison)";
    case OptionGroup::device: return "Device (searches on a GPU)";
    case OptionGroup::machine: break;
  }
  return "Machine (binding, instructions and memory)";
}

void OptionSet::add(const std::string& name, const void* field, const std::string& range, const OptionTexts& texts,
                    const std::string& by_default, const About& about,
                    std::function<void(const std::string& text)> store, std::function<std::string()> show) {
  Option& option = options_.emplace_back(Option{about, name, range, texts, field, std::move(store), std::move(show)});
  if (!about.required && about.default_text.empty()) option.default_text = by_default;
}

void OptionSet::add_text(const std::string& name, std::string& target, const std::string& range, const About& about) {
  const auto store = [&target, range](const std::string& text) {
    if (text.empty()) fail<UsageError>("must be {}", range);
    target = text;
  };
  add(name, &target, range, {}, target, about, store, [&target] { return target; });
  if (about.takes == Takes::value) options_.back().takes = Takes::file;
}

void OptionSet::add_flag(const std::string& name, bool& target, const About& about) {
  add(name, &target, "true or false", {.words = {"true", "false"}}, target ? "true" : "false", about,
      [&target](const std::string& text) {
        if (text != "true" && text != "false") fail<UsageError>("must be true or false");
        target = text == "true";
      });
  options_.back().kind = OptionKind::flag;
}

void OptionSet::add_argument(const std::string& name, std::string& target, const About& about) {
  add(name, &target, "a file", {}, "", about, [&target](const std::string& text) {
    if (text.empty()) fail<UsageError>("must not be empty");
    target = text;
  });
  options_.back().kind = OptionKind::argument;
  options_.back().takes = Takes::file;
}

void OptionSet::add_pair(const std::string& name, std::array<std::uint64_t, 2>& target, const About& about) {
  const std::string range = "two whole numbers with a comma between, each below 2^64";
  const OptionTexts texts{.words = {"0,0", "2,3", "18446744073709551615,1"}};
  add(name, &target, range, texts, fmt::format("{},{}", target[0], target[1]), about,
      [&target, range](const std::string& text) {
        const std::size_t comma = text.find(',');
        if (comma == std::string::npos) fail<UsageError>("must be {}", range);
        target[0] = parse_number<std::uint64_t>(text.substr(0, comma), 0, UINT64_MAX, range);
        target[1] = parse_number<std::uint64_t>(text.substr(comma + 1), 0, UINT64_MAX, range);
      });
  options_.back().takes = Takes::pair;
}

const Option* OptionSet::find(std::string_view name) const {
  const auto found = std::ranges::find_if(options_, [name](const Option& option) { return goes_by(option, name); });
  return found == options_.end() ? nullptr : &*found;
}

const Option* OptionSet::option_of(const void* field) const {
  if (field == nullptr) return nullptr;
  const auto found = std::ranges::find(options_, field, &Option::field);
  return found == options_.end() ? nullptr : &*found;
}

void OptionSet::store(const Option& option, const Setting& setting) {
  try {
    option.store(setting.text);
  } catch (const UsageError& error) {
    fail<UsageError>("{} is '{}'{}; it {}", as_given(option), printable(setting.text), after_space(setting.origin),
                     error.what());
  }
  std::erase_if(settings_, [&option](const Setting& other) { return other.name == option.name; });
  settings_.push_back(setting);
}

const OptionSet::Setting* OptionSet::setting_of(std::string_view name) const {
  const auto found = std::ranges::find(settings_, name, &Setting::name);
  return found == settings_.end() ? nullptr : &*found;
}

bool OptionSet::given(std::string_view name) const {
  const Setting* const setting = setting_of(name);
  return setting != nullptr && setting->given;
}

std::string OptionSet::named(std::string_view name) const {
  const Option& option = *find(name);
  const Setting* const setting = setting_of(name);
  if (setting == nullptr) return fmt::format("{} {}", as_given(option), option.default_text);
  return fmt::format("{} {}{}", as_given(option), setting->text, after_space(setting->origin));
}

std::vector<std::pair<std::string, std::string>> OptionSet::values() const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const Option& option : options_) {
    if (const Setting* setting = setting_of(option.name)) values.emplace_back(setting->name, setting->text);
  }
  return values;
}

std::vector<std::string> OptionSet::without_effect_on_one_rank() const {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    if (option.between_ranks && setting_of(option.name) != nullptr) names.push_back(option.name);
  }
  return names;
}

void OptionSet::refuse(std::string_view name, std::string_view other, std::string_view reason) const {
  if (setting_of(other) == nullptr)
    fail<UsageError>("{} has no effect with {}, the default: {}", named(name), named(other), reason);
  fail<UsageError>("{} and {} exclude each other: {}", named(name), named(other), reason);
}

void OptionSet::check_exclusions() const {
  for (const Option& option : options_) {
    if (!given(option.name)) continue;
    for (const Exclusion& excluded : option.excludes) {
      const Option* const other = option_of(excluded.field);
      if (other == nullptr || !given(other->name)) continue;
      fail<UsageError>("{}{} and {}{} exclude each other: {}", as_given(option),
                       after_space(setting_of(option.name)->origin), as_given(*other),
                       after_space(setting_of(other->name)->origin), excluded.reason);
    }
  }
}

}  // namespace breadth::cli
