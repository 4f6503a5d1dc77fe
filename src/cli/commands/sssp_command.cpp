// breadth sssp
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "cli/command.hpp"
#include "cli/commands/device_choice.hpp"
#include "cli/commands/graph_search.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_json.hpp"
#include "cli/options/rank_options.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "graph500/kernel_list.hpp"
#include "traverse/sssp.hpp"
#include "validate/validate.hpp"

namespace breadth::cli {

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Kernels sssp_alone = KernelKind::sssp;

struct SsspSettings {
  GraphSearchSettings search = {{.layout = about(KernelKind::sssp).layout({})}};
  SsspOptions sssp;
  DeviceSettings device;
};

void declare(Command& command, SsspSettings& settings) {
  OptionSet& options = command.options;
  add_graph_search_options(options, settings.search, "the distance and the parent");
  options.add_number("max-distance", settings.sssp.max_distance, {0, std::numeric_limits<float>::max()},
                     {.group = OptionGroup::everyday, .meaning = "largest distance to search to"}, {infinity, "none"});
  add_device_options(options, settings.device);
  add_device_control_option(options, settings.device.control);
  add_sssp_options(options, settings.sssp);
  add_hubs_option(options, settings.search.layout.hubs);
  add_weighted_columns_option(options, settings.search.layout.columns);
  add_message_options(options, settings.sssp);
  add_common_options(options, settings.search.common);
}

void check(const OptionSet& options, SsspSettings& settings) {
  check_graph_search(options, settings.search);
  check_effect(options, {.sssp = settings.sssp,
                         .layout = settings.search.layout,
                         .kernels = sssp_alone,
                         .device = settings.device.device});
  check_search_device(options, settings.device, settings.search);
}

/// The largest finite distance on any rank. Collective.
float farthest(std::span<const float> distances, const Communicator& ranks) {
  float most = 0;
  for (const float distance : distances) most = std::isfinite(distance) ? std::max(most, distance) : most;
  return static_cast<float>(ranks.all_reduce(double{most}, Reduction::maximum));
}

/// Whether any edge is so heavy that adding it to a distance overflows 32 bits. Collective; reads all edges.
bool any_overflows(const EdgeList& edges, float distance, const Context& context) {
  return context.ranks.any(run_together(context.ranks, [&] {
    std::atomic<bool> found{false};
    parallel_edge_blocks(context.threads, edges, 0, edges.size(), true, [&](auto, auto weights, int) {
      if (std::ranges::any_of(weights, [&](float w) { return std::isinf(distance + w); })) found = true;
    });
    return found.load();
  }));
}

/// Throws AgreedError if a vertex counts as unreached only because its distance does not fit in 32 bits. Validation
/// then finds edges with only one end in the tree. `most` is the largest distance in the tree. Collective.
void require_finite(const GraphSearch& search, const ShortestPathTree& tree, float most, const Context& context) {
  const EdgeList& edges = *search.file().edges;
  if (!any_overflows(edges, most, context)) return;
  const ValidationReport report =
      validate_sssp(edges, search.graph().directedness(), {search.source(), tree.parents, tree.distances.span()},
                    search.graph().distribution(), context);
  if (report.valid()) return;
  fail<AgreedError>(
      "'{}': distances go beyond {:.3g}, the largest that 32 bits hold; make the weights smaller, or give "
      "--max-distance",
      search.file().path, std::numeric_limits<float>::max());
}

/// The distance of any label, on every rank. Collective.
float distance_of(Label label, std::span<const float> distances, const BlockDistribution& distribution,
                  const Communicator& ranks) {
  const int owner = distribution.owner(label);
  float distance = 0;
  if (owner == ranks.rank()) distance = distances[distribution.offset(label, owner)];
  ranks.broadcast(std::span(&distance, 1), owner);
  return distance;
}

int run(SsspSettings& settings, const Communicator& ranks) {
  load_route_files(settings.sssp.messages.route, ranks);
  SettledDevice settled = settle_device(settings.device, ranks);
  settings.sssp.device = device_options(settled, settings.device);
  say_without_effect(settings.search.idle_on_one_rank, ranks);
  RankThreads threads(settings.search.common, ranks);
  const Context context{ranks, threads.team()};
  ResultOutput output(settings.search.json, ranks);
  GraphSearch search(settings.search, 0, WeightUse::lengths, context);
  const auto sssp = search.prepare<ShortestPathSearch>(settled, settings.sssp);
  const SsspResult result = sssp->run(search.source());
  const std::span<const float> distances = result.tree.distances.span();
  const float most = farthest(distances, ranks);
  if (settings.sssp.max_distance == infinity) require_finite(search, result.tree, most, context);

  SearchFindings found = search.findings(result, result.tree.parents, settled);
  found.limited = settings.sssp.max_distance != infinity;
  found.measures = {{"farthest", most}};
  found.options = sssp_json(settings.search.layout, settings.sssp, ranks.size());
  if (found.limited) found.options["max_distance"] = settings.sssp.max_distance;
  std::string text = search.text(found, fmt::format("farthest: {}", most));
  if (search.target() != no_label) {
    const float distance = distance_of(search.target(), distances, search.graph().distribution(), ranks);
    found.measures["distance"] = distance;
    text += fmt::format("distance: {}\n", distance);
    if (!found.path.empty()) text += search.path_text(found.path);
  }
  search.write(output, text, found, threads.placement(), {{"distance", distances}, {"parent", &result.tree.parents}});
  return 0;
}
}  // namespace

Command sssp_command() {
  return command_with<SsspSettings>({.name = "sssp",
                                     .summary = "shortest paths on a graph of your own",
                                     .example = "graph.txt --source 1 --target 9"});
}

}  // namespace breadth::cli
