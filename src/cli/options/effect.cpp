#include "cli/options/effect.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace breadth::cli {

void check_effect(const OptionSet& options, const Choices& choices) {
  for (const Option& option : options.options()) {
    if (!options.given(option.name)) continue;
    for (const Idle& idle : option.idle) {
      const Option* const other = options.option_of(idle.because_of(choices));
      if (other == nullptr) continue;
      fail<UsageError>("{} and {} exclude each other: {}", options.named(option.name), options.named(other->name),
                       idle.reason);
    }
  }
}

bool is_idle(const Option& option, const OptionSet& options, const Choices& choices) {
  return std::any_of(option.idle.begin(), option.idle.end(),
                     [&](const Idle& idle) { return options.option_of(idle.because_of(choices)) != nullptr; });
}

}  // namespace breadth::cli
