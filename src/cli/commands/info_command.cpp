// breadth info
#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/graph_files.hpp"
#include "cli/options/common_options.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "io/graph_format.hpp"

namespace breadth::cli {

namespace {
struct InfoSettings {
  CommonSettings common;
  std::string graph;
  GraphLayout layout = {};
  bool directed = false;
  bool json = false;
};

std::uint64_t count_self_loops(const GraphFile& file, const Context& context) {
  std::atomic<std::uint64_t> loops{0};
  run_together(context.ranks, [&] {
    parallel_edge_blocks(context.threads, *file.edges, 0, file.edges->size(), false, [&](auto block, auto, int) {
      loops += static_cast<std::uint64_t>(
          std::ranges::count_if(block, [](const Edge& edge) { return edge.source == edge.target; }));
    });
  });
  return context.ranks.all_reduce(loops.load(), Reduction::sum);
}

std::uint64_t largest_degree(const Graph& graph, const Communicator& ranks) {
  std::uint64_t largest = 0;
  const BlockDistribution& labels = graph.distribution();
  for (std::size_t i = 0; i < labels.count(ranks.rank()); ++i) {
    largest = std::max(largest, graph.degree(labels.label(ranks.rank(), i)));
  }
  return ranks.all_reduce(largest, Reduction::maximum);
}

/// The number of hubs and, for a graph with rows, the edges of each subgraph; on one rank there are no hubs.
/// Collective.
nlohmann::ordered_json describe_hubs(const Graph& graph, const Context& context) {
  const std::uint64_t hubs = graph.partition().hubs().count();
  nlohmann::ordered_json json = {{"count", hubs}};
  const AdjacencyForm form = graph.layout().adjacency;
  if (form != AdjacencyForm::rows && form != AdjacencyForm::compressed) return json;
  const Subgraphs subgraphs = count_subgraphs(graph, context);
  json["light_to_light"] = subgraphs.light_to_light;
  json["light_to_hub"] = subgraphs.light_to_hub;
  json["hub_to_light"] = subgraphs.hub_to_light;
  json["hub_to_hub"] = subgraphs.hub_to_hub;
  json["most_from_hubs_of_a_rank"] = subgraphs.most_from_hubs;
  json["tabulated_bytes"] = tabulated_bytes(subgraphs, graph.connected_vertices(), hubs, context.ranks.size());
  return json;
}

nlohmann::ordered_json describe(const InfoSettings& settings, const Context& context) {
  const GraphFile file = read_fitting_graph(settings.graph, settings.layout, 0, {}, context);
  const Directedness directedness = directedness_of(file, settings.directed);
  const bool directed = directedness == Directedness::directed;
  const std::uint64_t self_loops = count_self_loops(file, context);
  const Graph graph = build_file_graph(file, directedness, settings.layout, context);
  const auto vertices = static_cast<double>(std::max<std::uint64_t>(1, graph.connected_vertices()));
  const double ends = static_cast<double>(graph.edge_count()) * (directed ? 1 : 2);
  nlohmann::ordered_json info = {{"format", file.kind.format->name},
                                 {"directed", directed},
                                 {"weighted", file.weighted},
                                 {"labels", graph.vertex_count()},
                                 {"vertices_with_edges", graph.connected_vertices()},
                                 {"tuples", file.edge_count},
                                 {"self_loops", self_loops},
                                 {"duplicates", file.edge_count - self_loops - graph.edge_count()},
                                 {"edges", graph.edge_count()},
                                 {"mean_degree", ends / vertices},
                                 {"largest_degree", largest_degree(graph, context.ranks)},
                                 {"graph_bytes", context.ranks.all_reduce(graph.bytes(), Reduction::sum)}};
  if (settings.layout.hubs.rule != HubRule::none) info["hubs"] = describe_hubs(graph, context);
  return info;
}

void declare(Command& command, InfoSettings& settings) {
  OptionSet& options = command.options;
  options.add_argument("graph", settings.graph,
                       {.group = OptionGroup::everyday, .meaning = "graph file to read", .required = true});
  add_directed_option(options, settings.directed);
  add_layout_options(options, settings.layout);
  add_hubs_option(options, settings.layout.hubs);
  add_print_json_option(options, settings.json);
  add_common_options(options, settings.common);
}

void check(const OptionSet& options, const InfoSettings& settings) {
  (void)input_kind(settings.graph);
  check_layout_options(options, settings.layout);
}

int run(const InfoSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  print_values(describe(settings, {ranks, threads.team()}), settings.json, ranks);
  return 0;
}
}  // namespace

Command info_command() {
  return command_with<InfoSettings>(
      {.name = "info", .summary = "show what a graph file contains", .example = "graph.txt"});
}

}  // namespace breadth::cli
