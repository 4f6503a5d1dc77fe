#include "cli/hub_options.hpp"

#include <fmt/format.h>

#include <string>

namespace breadth::cli {

namespace {
constexpr const char* factor_names[] = {"hub-to-hub", "hub-to-light", "light-to-hub"};

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
       .store = [&factors, range](const std::string& text) { factors = parse_factors(text, range); }});
}
}  // namespace

void add_subgraphs_option(OptionSet& options, SubgraphOptions& subgraphs) {
  options.add_choice(
      "subgraphs", subgraphs.policy, {{"together", SubgraphPolicy::together}, {"apart", SubgraphPolicy::apart}},
      {.group = OptionGroup::paper,
       .meaning = "degree-separated subgraphs: together in one direction, or apart, each with its own direction",
       .source = "Pan et al. 2018, section IV-B",
       .between_ranks = true});
  options.add_choice(
      "light-parents", subgraphs.light_parents,
      {{"with", LightParents::with_queries}, {"end", LightParents::in_the_end}},
      {.group = OptionGroup::paper,
       .meaning = "how light vertices get parents of other ranks (--subgraphs apart): in each query, or at the end",
       .source = "Pan et al. 2018, section VI-A",
       .between_ranks = true});
}

void add_subgraph_options(OptionSet& options, SubgraphOptions& subgraphs) {
  add_subgraphs_option(options, subgraphs);
  add_factors(options, factor_names[0], subgraphs.hub_to_hub, "hubs to hubs");
  add_factors(options, factor_names[1], subgraphs.hub_to_light, "hubs to others");
  add_factors(options, factor_names[2], subgraphs.light_to_hub, "others to hubs");
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
  if (subgraphs.policy == SubgraphPolicy::together) {
    if (!options.given("light-parents")) return;
    fail<UsageError>("{} and {} exclude each other: only subgraphs apart have queries for light vertices alone",
                     options.named("light-parents"), options.named("subgraphs"));
  }
  if (layout.hubs.rule == HubRule::none) {
    fail<UsageError>("{} and {} exclude each other: without hubs there is one subgraph", options.named("subgraphs"),
                     options.named("hubs"));
  }
  if (layout.adjacency != AdjacencyForm::rows) {
    fail<UsageError>("{} and {} exclude each other: subgraphs are parts of CSR rows", options.named("subgraphs"),
                     options.named("adjacency"));
  }
}

void check_subgraph_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout) {
  const bool apart = bfs.subgraphs.policy == SubgraphPolicy::apart;
  for (const char* factors : factor_names) {
    if (!options.given(factors) || (apart && bfs.direction == DirectionPolicy::automatic)) continue;
    fail<UsageError>("--{} and {} exclude each other: the factor is for subgraphs that choose their direction", factors,
                     options.named(apart ? "direction" : "subgraphs"));
  }
  check_subgraphs_option(options, bfs.subgraphs, layout);
  if (!apart) return;
  for (const char* unused : {"alpha", "beta", "pull", "summary", "replicate", "shared-bits", "push-ranges",
                             "mixed-levels", "fuse-levels", "small-level"}) {
    if (!options.given(unused)) continue;
    fail<UsageError>("{} and {} exclude each other: degree-separated subgraphs do not use it", options.named(unused),
                     options.named("subgraphs"));
  }
  if (!options.given("leaves") || !bfs.leaves_last) return;
  fail<UsageError>("{} and {} exclude each other: degree-separated subgraphs visit vertices of degree 1 level by level",
                   options.named("leaves"), options.named("subgraphs"));
}

}  // namespace breadth::cli
