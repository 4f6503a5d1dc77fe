#include "search_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/options/common_options.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_set.hpp"
#include "cli/options/rank_options.hpp"
#include "core/errors.hpp"

namespace breadth::python {

namespace {
/// Sets the values of options. Throws UsageError for unknown options and for options that exclude each other.
void set_all(cli::OptionSet& options, const OptionTexts& texts, SearchedBy by) {
  const auto is_there = [by](const cli::Option& option) { return by == SearchedBy::ranks || !option.between_ranks; };
  std::vector<std::string> names;
  for (const cli::Option& option : options.options()) {
    if (is_there(option)) names.push_back(option.name);
  }
  for (const auto& [name, text] : texts) {
    const cli::Option* const option = options.find(name);
    if (option == nullptr || !is_there(*option)) {
      fail<UsageError>("there is no option {}; the nearest is {}", name, cli::nearest(name, names));
    }
    if (name != option->name) fail<UsageError>("there is no option {}: it is called {} now", name, option->name);
    options.set(*option, text, "");
  }
  options.check_exclusions();
}
}  // namespace

BfsOptions bfs_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by) {
  BfsOptions bfs;
  cli::OptionSet options;
  cli::add_engine_options(options, bfs);
  set_all(options, texts, by);
  cli::check_engine_options(options, bfs, layout);
  cli::check_effect(options, {.bfs = bfs, .layout = layout});
  return bfs;
}

SsspOptions sssp_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by) {
  static constexpr Kernels sssp_alone = KernelKind::sssp;
  SsspOptions sssp;
  cli::OptionSet options;
  cli::add_sssp_options(options, sssp);
  if (by == SearchedBy::ranks) {
    cli::add_message_options(options, sssp);
  }
  set_all(options, texts, by);
  cli::check_effect(options, {.sssp = sssp, .layout = layout, .kernels = sssp_alone});
  return sssp;
}

SsspOptions wide_sssp_options(const OptionTexts& texts, const GraphLayout& layout, SearchedBy by) {
  const SsspOptions sssp = sssp_options(texts, layout, by);
  static constexpr std::array without_effect{"ball", "hubs-first", "known-distances", "packets", "replicate"};
  static constexpr std::array on_one_rank{"bucket-batch", "small-batch", "sweeps"};
  const bool on_ranks = by == SearchedBy::ranks;
  for (const auto& [name, text] : texts) {
    const auto is_name = [&name = name](const char* other) { return name == other; };
    const bool idle = std::any_of(without_effect.begin(), without_effect.end(), is_name) ||
                      (on_ranks && std::any_of(on_one_rank.begin(), on_one_rank.end(), is_name));
    if (!idle) continue;
    fail<UsageError>(
        "{} has no effect with 64-bit weights; {} have one", name,
        on_ranks ? "delta, fuse and the options of the exchange" : "bucket-batch, delta, fuse, small-batch and sweeps");
  }
  return sssp;
}

float rounded_down(double cutoff) {
  const auto rounded = static_cast<float>(cutoff);
  return rounded > cutoff ? std::nextafter(rounded, 0.0F) : rounded;
}

GraphLayout graph_layout(const OptionTexts& texts, SearchedBy by) {
  GraphLayout layout;
  cli::OptionSet options;
  cli::add_layout_options(options, layout);
  if (by == SearchedBy::ranks) cli::add_hubs_option(options, layout.hubs);
  set_all(options, texts, by);
  cli::check_layout_options(options, layout);
  cli::check_effect(options, {.layout = layout});
  return layout;
}

}  // namespace breadth::python
