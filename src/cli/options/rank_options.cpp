#include "cli/options/rank_options.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/config_file.hpp"
#include "cli/options/effect.hpp"
#include "comm/agreement.hpp"
#include "io/files/line_parser.hpp"

namespace breadth::cli {

// Routes that messages take.

namespace {
constexpr Idle without_forwarding{[](const Choices& run) -> const void* {
                                    const RouteOptions& route = run.route();
                                    return route.merge_duplicates && route.policy == RoutePolicy::direct ? &route.policy
                                                                                                         : nullptr;
                                  },
                                  "with direct messages", "no rank forwards messages of others"};
constexpr Idle without_monitors{[](const Choices& run) -> const void* {
                                  return kind_of(run.route().policy).monitors ? nullptr : &run.route().policy;
                                },
                                "on a route without monitors", "only --route monitor has monitors"};
constexpr Idle without_groups{
    [](const Choices& run) -> const void* {
      return run.counts_hops || run.route().policy != RoutePolicy::direct ? nullptr : &run.route().policy;
    },
    "with direct messages", "direct messages do not use groups"};

/// The meaning of --route: "route of a push's messages: direct, through a group member, or through a monitor".
std::string meaning_of_routes() {
  return "route of a push's messages: " + listed(texts_of(route_kinds(), &RouteKind::meaning), ", or ");
}

std::string sources_of_routes() {
  std::vector<std::string> sources;
  for (const RouteKind& kind : route_kinds()) {
    if (*kind.source != '\0') sources.emplace_back(kind.source);
  }
  return joined(sources, "; ");
}
}  // namespace

void add_route_options(OptionSet& options, RouteOptions& route) {
  options.add_choice("route", route.policy,
                     {.group = OptionGroup::paper,
                      .meaning = meaning_of_routes(),
                      .source = sources_of_routes(),
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>}});
  options.add_switch("unique", route.merge_duplicates,
                     {.group = OptionGroup::paper,
                      .meaning = "whether a rank that sends for its group merges queries with the same target",
                      .source = "Pan et al. 2018, section V-B",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>, without_forwarding}});
  options.add_choice("monitor", route.monitors,
                     {.group = OptionGroup::paper,
                      .meaning = "choice of a group's monitors among members with heavy vertices",
                      .source = "Gan & Zhang 2021, sections 4.3 and 5.4",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>, without_monitors}});
  options.add_number("group-size", route.group_size, {0, std::numeric_limits<int>::max()},
                     {.group = OptionGroup::paper,
                      .meaning = "number of consecutive ranks in a group; 0: the ranks of a node",
                      .source = "Gan & Zhang 2021, section 4.3",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {without_groups}});
  options.add_text("groups", route.groups_file, "a file with one line for each rank: the number of its group",
                   {.group = OptionGroup::paper,
                    .meaning = "file with the group of each rank",
                    .source = "Gan & Zhang 2021, section 4.3",
                    .between_ranks = true,
                    .on_processors = true,
                    .idle = {without_groups},
                    .excludes = {{&route.group_size, "each of them defines the groups"}}});
}

void add_topology_option(OptionSet& options, RouteOptions& route) {
  options.add_text("topology", route.network_file,
                   "a file with one line for each rank: the numbers of its chip, board, bunch and cabinet",
                   {.group = OptionGroup::paper,
                    .meaning = "file with each rank's place in the network, used to count hops",
                    .source = "Gan & Zhang 2021, section 5.4, equation (5)",
                    .between_ranks = true,
                    .on_processors = true});
}

namespace {
std::string read_whole(const std::string& path) {
  std::optional<std::string> text = whole_text(path);
  if (!text) fail("cannot read {}: {}", path, std::strerror(errno));
  return *std::move(text);
}

/// The numbers of each line, 1 to `most` of them; ignores empty lines and text after #.
std::vector<std::vector<int>> numbers_of(const std::string& path, const std::string& text, std::size_t most) {
  std::vector<std::vector<int>> lines;
  std::istringstream stream(text);
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<int> numbers;
    for (std::string word; words >> word;) {
      const std::optional<std::int64_t> value = parse_integer(word);
      if (!value || !std::in_range<int>(*value) || numbers.size() == most) {
        fail("{}:{}: '{}' is wrong: at most {} {} expected, below 2^31", path, number, word, most,
             most == 1 ? "whole number is" : "whole numbers are");
      }
      numbers.push_back(static_cast<int>(*value));
    }
    if (!numbers.empty()) lines.push_back(std::move(numbers));
  }
  if (lines.empty()) fail("{}: the file has no lines; it must have one for each rank", path);
  return lines;
}

/// The lines of a file, on every rank. Collective.
std::vector<std::vector<int>> read_together(const std::string& path, std::size_t most, const Communicator& ranks) {
  std::string text = run_together(ranks, [&] { return ranks.rank() == 0 ? read_whole(path) : std::string(); });
  text = ranks.broadcast(std::move(text), 0);
  return run_together(ranks, [&] { return numbers_of(path, text, most); });
}
}  // namespace

void load_route_files(RouteOptions& route, const Communicator& ranks) {
  if (!route.groups_file.empty()) {
    for (const std::vector<int>& line : read_together(route.groups_file, 1, ranks)) {
      route.groups.push_back(line.front());
    }
  }
  if (!route.network_file.empty()) {
    for (std::vector<int>& line : read_together(route.network_file, 4, ranks)) {
      line.resize(4);
      route.network.push_back({line[0], line[1], line[2], line[3]});
    }
  }
  run_together(ranks, [&] { check(route, ranks.size()); });
}

// Messages between ranks.

namespace {
/// Adds the options for when messages are sent, and for how ranks detect the end of a level.
void add_exchange_options(OptionSet& options, MessageOptions& messages) {
  options.add_choice(
      "exchange", messages.exchange,
      {.group = OptionGroup::ranks,
       .meaning = "exchange of queries: asynchronous, as messages fill, or in bulk once the level is scanned",
       .source = "Fuentes et al. 2014, section III; Checconi & Petrini 2014, section IV-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>},
       .tuned = {{"asynchronous", "bulk"}}});
  options.add_choice(
      "ending", messages.ending,
      {.group = OptionGroup::ranks,
       .meaning = "how the end of a level is detected: end marks from every rank, a consensus, or message counts",
       .source = "Fuentes et al. 2014, section III; Hoefler et al. 2010; Checconi & Petrini 2014, table "
                 "II",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, in_bulk, bfs_alone<without_queries>}});
}

/// Adds --coalescing, which every search has.
void add_coalescing_option(OptionSet& options, std::size_t& coalescing, const Range<std::size_t>& range) {
  options.add_number(coalescing, range,
                     {.group = OptionGroup::ranks,
                      .meaning = "largest number of queries in a message to another rank",
                      .source = "Fuentes et al. 2014, section IV-E",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, in_bulk, bfs_alone<without_queries>},
                      .tuned = {{"64", "256", "1024", "4096", "16384"}}});
}
}  // namespace

void add_message_options(OptionSet& options, BfsOptions& bfs) {
  add_exchange_options(options, bfs.messages);
  options.add_choice(
      "packets", bfs.messages.packets,
      {.group = OptionGroup::ranks,
       .meaning = "format of queries: runs that share a parent, pairs of 16 bytes, or compressed differences",
       .source = "Fuentes et al. 2014, section III-B; Checconi & Petrini 2014, section III-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>},
       .tuned = {{"runs", "compressed"}}});
  add_coalescing_option(options, bfs.messages.coalescing, MessageOptions::coalescings);
  add_route_options(options, bfs.messages.route);
}

void add_message_options(OptionSet& options, SsspOptions& sssp) {
  options.add_choice(
      "replicate", sssp.replicate,
      {{"auto", std::nullopt},
       {"allgather", Replication::allgather},
       {"leader", Replication::leader},
       {"shared", Replication::shared},
       {"subgroups", Replication::subgroups}},
      {.group = OptionGroup::ranks,
       .meaning = "how other ranks' distances reach a rank: allgather, node leaders, or memory that a node shares",
       .source = "Cui et al. 2012, section III-A and B, figs. 5 and 7",
       .on_processors = true});
  add_coalescing_option(options, sssp.messages.coalescing, SsspOptions::coalescings);
  add_exchange_options(options, sssp.messages);
  options.add_choice("packets", sssp.messages.packets, choices_of({PacketFormat::runs, PacketFormat::compressed}),
                     {.group = OptionGroup::ranks,
                      .meaning = "format of relaxations: runs that share a parent, or compressed differences",
                      .source = "Checconi & Petrini 2014, section III-B",
                      .on_processors = true});
  add_route_options(options, sssp.messages.route);
}

// Subgraphs by hubs.

namespace {
/// Parses a factor for pulling and optionally one for pushing again; the default is a hundredth of the first.
DirectionFactors parse_factors(const std::string& text, const std::string& range) {
  const std::size_t comma = text.find(',');
  const auto pull = parse_number<double>(text.substr(0, comma), 0, DirectionFactors::pulls.maximum, range);
  if (comma == std::string::npos) return {pull, pull / 100};
  return {pull, parse_number<double>(text.substr(comma + 1), 0, pull, range)};
}

void add_factors(OptionSet& options, const std::string& name, DirectionFactors& factors, const std::string& edges) {
  const std::string range = "one factor, or two with a comma between, the second not above the first";
  options.add(name, &factors, range,
              {.words = {"0,0", "0.5,0.5", "1000000000,0"},
               .numbers = OptionTexts::Numbers{.minimum = "0", .maximum = "1000000000"}},
              fmt::format("{},{}", factors.pull, factors.push),
              {.group = OptionGroup::paper,
               .meaning = "push/pull cost ratios: pull edges from " + edges + " above the first, push below the second",
               .source = "Pan et al. 2018, sections IV-B and VI-B",
               .between_ranks = true,
               .on_processors = true,
               .idle = {unless_bfs, unless_subgraphs_are_apart, if_subgraphs_have_one_direction}},
              [&factors, range](const std::string& text) { factors = parse_factors(text, range); });
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
  hubs.vertices_per_hub = HubChoice().vertices_per_hub;
  if (bfs.pull == PullPolicy::messages) hubs.vertices_per_hub = where_pulls_ask;
  const bool lights_push = bfs.subgraphs.policy == SubgraphPolicy::apart || bfs.device.kind != Device::cpu;
  if (lights_push) hubs.vertices_per_hub = where_lights_push;
}

void check_subgraphs_option(const OptionSet& options, const SubgraphOptions& subgraphs, const GraphLayout& layout) {
  if (subgraphs.policy == SubgraphPolicy::together) return;
  if (layout.hubs.rule == HubRule::none) {
    options.refuse_for(subgraphs.policy, layout.hubs, "without hubs there is one subgraph");
  }
  if (layout.adjacency != AdjacencyForm::rows) {
    options.refuse_for(subgraphs.policy, layout.adjacency, "subgraphs are parts of CSR rows");
  }
}

}  // namespace breadth::cli
