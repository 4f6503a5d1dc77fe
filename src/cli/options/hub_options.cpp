#include "cli/options/hub_options.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/options/effect.hpp"

namespace breadth::cli {

namespace {
/// A factor to pull by, and perhaps one to push again, a hundredth if it is left out.
DirectionFactors parse_factors(const std::string& text, const std::string& range) {
  constexpr double most = 1e9;
  const std::size_t comma = text.find(',');
  const double pull = parse_decimal(text.substr(0, comma), 0, most, range);
  if (comma == std::string::npos) return {pull, pull / 100};
  return {pull, parse_decimal(text.substr(comma + 1), 0, pull, range)};
}

void add_factors(OptionSet& options, const std::string& name, DirectionFactors& factors, const std::string& edges) {
  const std::string range = "one factor, or two with a comma between, the second not above the first";
  options.add(
      {.name = name,
       .group = OptionGroup::paper,
       .meaning = "push/pull cost ratio above which edges from " + edges + " are pulled, below the second pushed",
       .default_text = fmt::format("{},{}", factors.pull, factors.push),
       .range = range,
       .texts = {.words = {"0,0", "0.5,0.5", "1000000000,0"},
                 .numbers = OptionTexts::Numbers{.least = "0", .most = "1000000000"}},
       .source = "Pan et al. 2018, sections IV-B and VI-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {unless_bfs, unless_subgraphs_are_apart, if_subgraphs_have_one_direction},
       .field = &factors,
       .store = [&factors, range](const std::string& text) { factors = parse_factors(text, range); }});
}
}  // namespace

void add_subgraphs_option(OptionSet& options, SubgraphOptions& subgraphs) {
  options.add_choice(
      "subgraphs", subgraphs.policy,
      {.group = OptionGroup::paper,
       .meaning = "degree-separated subgraphs: together in one direction, or apart, each with its own direction",
       .source = "Pan et al. 2018, section IV-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {unless_bfs}});
  options.add_choice(
      "light-parents", subgraphs.light_parents,
      {.group = OptionGroup::paper,
       .meaning = "how light vertices get parents of other ranks (--subgraphs apart): in each query, or at the end",
       .source = "Pan et al. 2018, section VI-A",
       .between_ranks = true,
       .idle = {unless_bfs, unless_subgraphs_are_apart}});
}

void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs) {
  add_subgraphs_option(options, subgraphs);
  add_factors(options, "hub-to-hub", subgraphs.hub_to_hub, "hubs to hubs");
  add_factors(options, "hub-to-light", subgraphs.hub_to_light, "hubs to others");
  add_factors(options, "light-to-hub", subgraphs.light_to_hub, "others to hubs");
}

void settle_hub_rule(HubChoice& hubs, const BfsOptions& bfs) {
  constexpr std::uint64_t where_pulls_ask = 16;
  constexpr std::uint64_t where_lights_push = 3;
  hubs.vertices_a_hub = HubChoice().vertices_a_hub;
  if (bfs.pull == PullPolicy::messages) hubs.vertices_a_hub = where_pulls_ask;
  const bool lights_push = bfs.subgraphs.policy == SubgraphPolicy::apart || bfs.device != Device::cpu;
  if (lights_push) hubs.vertices_a_hub = where_lights_push;
}

void check_subgraphs_option(const OptionSet& options, const SubgraphOptions& subgraphs, const GraphLayout& layout) {
  if (subgraphs.policy == SubgraphPolicy::together) return;
  if (layout.hubs.rule == HubRule::none) {
    fail<UsageError>("{} and {} exclude each other: without hubs there is one subgraph",
                     options.named_for(subgraphs.policy), options.named_for(layout.hubs));
  }
  if (layout.adjacency != AdjacencyForm::rows) {
    fail<UsageError>("{} and {} exclude each other: subgraphs are parts of CSR rows",
                     options.named_for(subgraphs.policy), options.named_for(layout.adjacency));
  }
}

}  // namespace breadth::cli
