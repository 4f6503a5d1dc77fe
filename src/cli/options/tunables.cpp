#include "cli/options/tunables.hpp"

#include "cli/options/common_options.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

namespace {
/// The options that tuning may set.
void add_tuned_options(OptionSet& options, BfsOptions& bfs, HubChoice& hubs) {
  add_engine_options(options, bfs);
  add_hubs_option(options, hubs);
}
}  // namespace

std::vector<Tunable> engine_tunables() {
  BfsOptions bfs;
  HubChoice hubs;
  OptionSet options;
  add_tuned_options(options, bfs, hubs);
  std::vector<Tunable> tunables;
  for (const Option& option : options.options()) {
    if (option.tuned.values.empty()) continue;
    tunables.push_back({.option = option.name,
                        .values = option.tuned.values,
                        .refined = option.tuned.refined,
                        .only_between_ranks = option.between_ranks,
                        .of_graph = option.tuned.of_graph});
  }
  return tunables;
}

std::vector<Tunable> engine_tunables(int ranks) {
  std::vector<Tunable> tunables = engine_tunables();
  if (ranks == 1) std::erase_if(tunables, [](const Tunable& tunable) { return tunable.only_between_ranks; });
  return tunables;
}

Setting default_setting(std::span<const Tunable> tunables, const BfsOptions& bfs) {
  BfsOptions copy = bfs;
  HubChoice no_hubs;
  OptionSet options;
  add_tuned_options(options, copy, no_hubs);
  return texts_of(tunables, [&](const Tunable& tunable) { return options.find(tunable.option)->default_text; });
}

BfsOptions bfs_options(std::span<const Tunable> tunables, const Setting& setting, const BfsOptions& bfs) {
  BfsOptions changed = bfs;
  HubChoice of_the_graph;
  OptionSet options;
  add_tuned_options(options, changed, of_the_graph);
  for (std::size_t i = 0; i < tunables.size(); ++i) options.set(*options.find(tunables[i].option), setting[i], "");
  return changed;
}

std::string hubs_of(std::span<const Tunable> tunables, const Setting& setting) {
  for (std::size_t i = 0; i < tunables.size(); ++i) {
    if (tunables[i].of_graph) return setting[i];
  }
  return name_of(HubChoice{});
}

HubChoice hub_choice(const std::string& value) {
  HubChoice hubs;
  OptionSet options;
  add_hubs_option(options, hubs);
  options.set(options.options().front(), value, "");
  return hubs;
}

}  // namespace breadth::cli
