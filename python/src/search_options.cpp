#include "search_options.hpp"

#include "cli/options/common_options.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_set.hpp"
#include "core/errors.hpp"

namespace breadth::python {

namespace {
/// Gives options their values.
void set_all(cli::OptionSet& options, const OptionTexts& texts) {
  std::vector<std::string> names;
  for (const cli::Option& option : options.options()) {
    if (!option.between_ranks) names.push_back(option.name);
  }
  for (const auto& [name, text] : texts) {
    const cli::Option* const option = options.find(name);
    if (option == nullptr || option->between_ranks) {
      fail<UsageError>("there is no option {}; the nearest is {}", name, cli::nearest(name, names));
    }
    options.set(*option, text, "");
  }
}
}  // namespace

BfsOptions bfs_options(const OptionTexts& texts, const GraphLayout& layout) {
  BfsOptions bfs;
  cli::OptionSet options;
  cli::add_engine_options(options, bfs);
  set_all(options, texts);
  cli::check_engine_options(options, bfs, layout);
  cli::check_effect(options, {.bfs = bfs, .layout = layout});
  return bfs;
}

SsspOptions sssp_options(const OptionTexts& texts, const GraphLayout& layout) {
  static constexpr Kernels sssp_alone = KernelKind::sssp;
  SsspOptions sssp;
  cli::OptionSet options;
  cli::add_sssp_options(options, sssp);
  set_all(options, texts);
  cli::check_effect(options, {.sssp = sssp, .layout = layout, .kernels = sssp_alone});
  return sssp;
}

SsspOptions wide_sssp_options(const OptionTexts& texts, const GraphLayout& layout) {
  const SsspOptions sssp = sssp_options(texts, layout);
  for (const auto& [name, text] : texts) {
    if (name == "delta" || name == "fuse" || name == "sweeps") continue;
    fail<UsageError>("{} has no effect on weights of 64 bits; delta, fuse and sweeps have", name);
  }
  return sssp;
}

GraphLayout graph_layout(const OptionTexts& texts) {
  GraphLayout layout;
  cli::OptionSet options;
  cli::add_layout_options(options, layout);
  set_all(options, texts);
  cli::check_layout_options(options, layout);
  cli::check_effect(options, {.layout = layout});
  return layout;
}

}  // namespace breadth::python
