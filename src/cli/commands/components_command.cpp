// breadth components
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/graph_search.hpp"
#include "cli/options/common_options.hpp"
#include "cli/running.hpp"
#include "core/stopwatch.hpp"
#include "graph500/report/output.hpp"
#include "traverse/components.hpp"

namespace breadth::cli {

namespace {
struct ComponentsSettings : UserGraphSettings {};

void declare(Command& command, ComponentsSettings& settings) {
  add_graph_option(command.options, settings);
  add_output_options(command.options, settings, "the component");
  add_common_options(command.options, settings.common);
}

void check(const OptionSet&, ComponentsSettings& settings) { check_user_graph(settings); }

/// The size of the largest of `count` components on all ranks; 0 without vertices. `of_label` has the numbers of this
/// rank's labels, -1 for labels that are no vertices. Each rank sums the sizes of some components. Collective.
std::uint64_t largest_component(std::span<const std::int64_t> of_label, std::uint64_t count,
                                const Communicator& ranks) {
  struct Size {
    std::int64_t component;
    std::uint64_t vertices;
  };
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto summing_rank = [&](std::int64_t component) { return static_cast<std::size_t>(component) % size; };
  std::unordered_map<std::int64_t, std::uint64_t> sizes;
  for (const std::int64_t component : of_label) {
    if (component >= 0) ++sizes[component];
  }
  std::vector<Size> sent;
  std::vector<std::size_t> counts(size);
  for (const auto& [component, vertices] : sizes) {
    sent.push_back({component, vertices});
    ++counts[summing_rank(component)];
  }
  std::ranges::sort(sent, {}, [&](const Size& one) { return summing_rank(one.component); });
  std::vector<std::uint64_t> sums(count / size + 1);
  std::uint64_t largest = 0;
  for (const Size& one : ranks.all_to_all(std::span<const Size>(sent), counts).values) {
    std::uint64_t& sum = sums[static_cast<std::size_t>(one.component) / size];
    largest = std::max(largest, sum += one.vertices);
  }
  return ranks.all_reduce(largest, Reduction::maximum);
}

int run(ComponentsSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  const Context context{ranks, threads.team()};
  ResultOutput output(settings.json, ranks);
  UserGraph user_graph(settings, 0, WeightUse::optional, context);
  user_graph.build();
  std::vector<std::int64_t> of_label(user_graph.vertices().size());
  ranks.barrier();
  const Stopwatch stopwatch;
  const std::uint64_t count = find_components(user_graph.graph(), of_label, context, &user_graph.vertices());
  const double seconds = ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);

  const std::uint64_t largest = largest_component(of_label, count, ranks);
  nlohmann::ordered_json json;
  if (output.wants_json()) {
    json = {{"graph", user_graph.graph_json()},
            {"components", count},
            {"largest", largest},
            {"seconds", seconds},
            {"ranks", ranks.size()},
            {"threads", threads.team().size()}};
    json.update(user_graph.run_json(describe_machine(threads.placement())));
  }
  user_graph.write_table({{"component", std::span<const std::int64_t>(of_label)}});
  output.write(fmt::format("components: {}\nlargest: {}\nvertices: {}\nseconds: {:.6g}\n{}", count, largest,
                           user_graph.vertex_count(), seconds, user_graph.seconds_text()),
               [&] { return json_text(json); });
  return 0;
}
}  // namespace

Command components_command() {
  return command_with<ComponentsSettings>({.name = "components",
                                           .summary = "connected components of a graph of your own",
                                           .example = "graph.txt --output components.txt"});
}

}  // namespace breadth::cli
