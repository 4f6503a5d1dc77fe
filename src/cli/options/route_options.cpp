#include "cli/options/route_options.hpp"

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

namespace {
constexpr Idle without_forwarding{[](const Choices& run) -> const void* {
                                    const RouteOptions& route = run.route();
                                    return route.unique && route.policy == RoutePolicy::direct ? &route.policy
                                                                                               : nullptr;
                                  },
                                  "no rank forwards messages of others"};
constexpr Idle without_monitors{[](const Choices& run) -> const void* {
                                  const RouteOptions& route = run.route();
                                  return route.policy == RoutePolicy::monitor ? nullptr : &route.policy;
                                },
                                "only --route monitor has monitors"};
constexpr Idle without_groups{[](const Choices& run) -> const void* {
                                const RouteOptions& route = run.route();
                                return run.counts_hops || route.policy != RoutePolicy::direct ? nullptr : &route.policy;
                              },
                              "direct messages do not use groups"};
}  // namespace

void add_route_options(OptionSet& options, RouteOptions& route) {
  options.add_choice("route", route.policy,
                     {.group = OptionGroup::paper,
                      .meaning = "route of a push's messages: direct, through a group member, or through a monitor",
                      .source = "Pan et al. 2018, section V-B; Gan & Zhang 2021, section 4.3",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>}});
  options.add_switch("unique", route.unique,
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
  options.add_number("group-size", route.group_size, 0, std::numeric_limits<int>::max(),
                     {.group = OptionGroup::paper,
                      .meaning = "number of consecutive ranks in a group; 0: the ranks of a node",
                      .source = "Gan & Zhang 2021, section 4.3",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {without_groups}});
  options.add_text("groups", route.groups_file, "a file with a line for each rank, the number of its group",
                   {.group = OptionGroup::paper,
                    .meaning = "file with the group of each rank",
                    .source = "Gan & Zhang 2021, section 4.3",
                    .between_ranks = true,
                    .on_processors = true,
                    .idle = {without_groups}});
}

void add_topology_option(OptionSet& options, RouteOptions& route) {
  options.add_text("topology", route.network_file,
                   "a file with a line for each rank, the numbers of its chip, board, bunch and cabinet",
                   {.group = OptionGroup::paper,
                    .meaning = "file with each rank's place in the network, to count hops by",
                    .source = "Gan & Zhang 2021, section 5.4, equation (5)",
                    .between_ranks = true,
                    .on_processors = true});
}

void check_route_options(const OptionSet& options, const RouteOptions& route) {
  options.exclude_for(route.groups_file, route.group_size, "either says what groups are");
}

namespace {
std::string read_whole(const std::string& path) {
  std::optional<std::string> text = whole_text(path);
  if (!text) fail("cannot read {}: {}", path, std::strerror(errno));
  return *std::move(text);
}

/// The numbers of each line, 1 to `most` of them; empty lines and what follows a # do not count.
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
        fail("{}:{}: a line has at most {} whole numbers, each below 2^31", path, number, most);
      }
      numbers.push_back(static_cast<int>(*value));
    }
    if (!numbers.empty()) lines.push_back(std::move(numbers));
  }
  if (lines.empty()) fail("{}: a line for each rank is expected, and there is none", path);
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

}  // namespace breadth::cli
