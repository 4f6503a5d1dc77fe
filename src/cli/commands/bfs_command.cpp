// breadth bfs
#include <algorithm>
#include <optional>

#include "cli/command.hpp"
#include "cli/commands/device_choice.hpp"
#include "cli/commands/graph_search.hpp"
#include "cli/commands/profile.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/option_json.hpp"
#include "cli/options/presets.hpp"
#include "cli/options/rank_options.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "traverse/bfs.hpp"
#include "validate/tree_levels.hpp"

namespace breadth::cli {

namespace {
struct BfsSettings {
  GraphSearchSettings search;
  BfsOptions bfs;
  DeviceSettings device;
  Profile profile;
  std::string preset;
};

void declare(Command& command, BfsSettings& settings) {
  OptionSet& options = command.options;
  add_graph_search_options(options, settings.search, "the parent and the level");
  options.add_number(settings.bfs.max_depth, BfsOptions::depths,
                     {.group = OptionGroup::everyday, .meaning = "deepest level to visit"},
                     {BfsOptions::depths.maximum, "none"});
  add_device_options(options, settings.device);
  add_device_control_option(options, settings.device.control);
  add_layout_options(options, settings.search.layout);
  add_hubs_option(options, settings.search.layout.hubs);
  add_engine_options(options, settings.bfs);
  add_common_options(options, settings.search.common);
  add_profile(command, settings.profile);
  add_preset(command, settings.preset);
}

void check(const OptionSet& options, BfsSettings& settings) {
  check_graph_search(options, settings.search);
  check_layout_options(options, settings.search.layout);
  check_engine_options(options, settings.bfs, settings.search.layout);
  check_effect(options, {.bfs = settings.bfs, .layout = settings.search.layout, .device = settings.device.device});
  check_search_device(options, settings.device, settings.search);
}

/// The levels of this rank's labels, -1 for vertices that were not reached. Collective.
std::vector<std::int32_t> levels_of(const LabelArray& parents, Label source, const BlockDistribution& distribution,
                                    const Context& context) {
  const TreeLevels steps = tree_levels(parents, source, distribution, context);
  std::vector<std::int32_t> levels(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    levels[i] = steps[i] == no_level ? -1 : static_cast<std::int32_t>(steps[i]);
  }
  return levels;
}

/// Adds the findings of a breadth-first search.
void add_findings(const BfsSettings& settings, std::int64_t level_count, int ranks, SearchFindings& found) {
  found.limited = settings.bfs.max_depth != INT64_MAX;
  found.measures = {{"level_count", level_count}};
  found.options = {{"preset", settings.preset}};
  found.profile = used_profile(settings.profile);
  if (!settings.search.target.empty()) {
    found.measures["distance"] =
        found.path.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(found.path.size() - 1);
  }
  found.options.update(bfs_json(settings.search.layout, settings.bfs, ranks));
  if (found.limited) found.options["max_depth"] = settings.bfs.max_depth;
}

int run(BfsSettings& settings, const Communicator& ranks) {
  settings.bfs.messages.route.ranks_per_node = settings.bfs.replication.ranks_per_node;
  load_route_files(settings.bfs.messages.route, ranks);
  SettledDevice settled = settle_device(settings.device, ranks);
  settings.bfs.device = device_options(settled, settings.device);
  settle_hub_rule(settings.search.layout.hubs, settings.bfs);
  run_together(ranks, [&] {
    if (settings.search.layout.grid) (void)grid_of(*settings.search.layout.grid, ranks.size());
  });
  say_without_effect(settings.search.idle_on_one_rank, ranks);
  RankThreads threads(settings.search.common, ranks);
  warn_of_misfit(settings.profile, ranks, threads.placement());
  const Context context{ranks, threads.team()};
  ResultOutput output(settings.search.json, ranks);
  GraphSearch search(settings.search, settings.bfs.summary, WeightUse::optional, context);
  const auto bfs = search.prepare<BreadthFirstSearch>(settled, settings.bfs);
  const BfsResult result = bfs->run(search.source());

  const std::vector<std::int32_t> levels =
      levels_of(result.parents, search.source(), search.graph().distribution(), context);
  const std::int64_t deepest_here = levels.empty() ? 0 : *std::ranges::max_element(levels);
  const std::int64_t level_count = ranks.all_reduce(deepest_here, Reduction::maximum) + 1;
  SearchFindings found = search.findings(result, result.parents, settled);
  add_findings(settings, level_count, ranks.size(), found);
  const std::vector<Label>& path = found.path;
  std::string text = search.text(found, fmt::format("levels: {}", level_count));
  if (found.profile) text += fmt::format("profile: {}\n", describe(*found.profile));
  if (search.target() != no_label) {
    text += path.empty() ? "distance: -1\n" : fmt::format("distance: {}\n{}", path.size() - 1, search.path_text(path));
  }
  search.write(output, text, found, threads.placement(),
               {{"parent", &result.parents}, {"level", std::span<const std::int32_t>(levels)}});
  return 0;
}
}  // namespace

Command bfs_command() {
  return command_with<BfsSettings>({.name = "bfs",
                                    .summary = "breadth-first search on a graph of your own",
                                    .example = "graph.txt --source 1 --target 9"});
}

}  // namespace breadth::cli
