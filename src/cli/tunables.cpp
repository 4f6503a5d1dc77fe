#include "cli/tunables.hpp"

#include "cli/common_options.hpp"
#include "graph500/report.hpp"

namespace breadth::cli {

namespace {
constexpr const char* hubs_option = "hubs";

/// Options for tunables to set.
void add_tuned_options(OptionSet& options, BfsOptions& bfs, HubChoice& hubs) {
  add_engine_options(options, bfs);
  add_hubs_option(options, hubs);
}
}  // namespace

std::vector<Tunable> engine_tunables() {
  std::vector<Tunable> tunables = {
      {.option = "alpha", .values = {"2.5", "5", "10", "20", "40", "80", "160"}, .refined = true},
      {.option = "beta", .values = {"4", "16", "64", "256", "1024", "4096"}, .refined = true},
      {.option = "leaves", .values = {"last", "levels"}},
      {.option = "small-level", .values = {"0", "128", "1024", "8192"}},
      {.option = "summary", .values = {"none", "64", "256", "1024", "4096"}},
      {.option = "replicate", .values = {"allgather", "shared", "subgroups"}},
      {.option = "exchange", .values = {"asynchronous", "bulk"}},
      {.option = "packets", .values = {"runs", "compressed"}},
      {.option = "coalescing", .values = {"64", "256", "1024", "4096", "16384"}},
      {.option = hubs_option, .values = {"none", "auto", "64", "256", "1024"}, .of_graph = true},
  };
  BfsOptions bfs;
  HubChoice hubs;
  OptionSet options;
  add_tuned_options(options, bfs, hubs);
  for (Tunable& tunable : tunables) tunable.only_between_ranks = options.find(tunable.option)->between_ranks;
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
  Setting setting;
  for (const Tunable& tunable : tunables) setting.push_back(options.find(tunable.option)->default_text);
  return setting;
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
    if (tunables[i].option == hubs_option) return setting[i];
  }
  return name_of(HubChoice{});
}

HubChoice hub_choice(const std::string& value) {
  HubChoice hubs;
  OptionSet options;
  add_hubs_option(options, hubs);
  options.set(*options.find(hubs_option), value, "");
  return hubs;
}

}  // namespace breadth::cli
