#include "cli/options/effect.hpp"

#include <algorithm>

namespace breadth::cli {

namespace {
constexpr Idle unless_searches{
    [](const Choices& run) -> const void* { return have_searches(run.kernels) ? nullptr : &run.kernels; },
    "without a search", "only searches use it"};

bool is_of_searches(const Option& option) {
  return option.group == OptionGroup::search || option.group == OptionGroup::ranks ||
         option.group == OptionGroup::paper || option.group == OptionGroup::device;
}
}  // namespace

const Idle* idle_by(const Option& option, const OptionSet& options, const Choices& choices) {
  const auto holds = [&](const Idle& idle) { return options.option_of(idle.because_of(choices)) != nullptr; };
  if (is_of_searches(option) && holds(unless_searches)) return &unless_searches;
  const auto first = std::ranges::find_if(option.idle, holds);
  return first == option.idle.end() ? nullptr : &*first;
}

void check_effect(const OptionSet& options, const Choices& choices) {
  for (const Option& option : options.options()) {
    const Idle* const idle = options.given(option.name) ? idle_by(option, options, choices) : nullptr;
    if (idle == nullptr) continue;
    options.refuse(option.name, options.option_of(idle->because_of(choices))->name, idle->reason);
  }
}

}  // namespace breadth::cli
