// breadth plan
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/commands/device_choice.hpp"
#include "cli/commands/expected_memory.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/presets.hpp"
#include "cli/options/rank_options.hpp"
#include "cli/running.hpp"
#include "core/errors.hpp"
#include "gpu/search.hpp"
#include "graph/graph.hpp"
#include "graph500/kernels.hpp"
#include "graph500/report/report.hpp"
#include "graph500/run_prediction.hpp"
#include "model/graph_size.hpp"
#include "model/traffic_prediction.hpp"
#include "placement/placement.hpp"

namespace breadth::cli {

namespace {
/// The settings of the planned run. Of `bfs` only the device, the direction, the frontier and the options for
/// exchanging queries are used; of `sssp` only the options for how all ranks' distances are kept.
struct PlanSettings : BenchmarkOptions {
  CommonSettings common;
  int ranks = 1;
  bool weights = false;
  DeviceSettings device;
  std::uint64_t ranks_per_node = 1;
  bool json = false;
};

/// The number of ranks in a group, assuming groups of equal size.
int group_ranks(const PlanSettings& settings) {
  const int size = settings.bfs.messages.route.group_size;
  return std::min(settings.ranks, size != 0 ? size : static_cast<int>(settings.ranks_per_node));
}

/// Throws UsageError for a grid with another number of ranks.
void check_grid(const PlanSettings& settings) {
  try {
    if (settings.layout.grid) (void)grid_of(*settings.layout.grid, settings.ranks);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

/// Adds the traffic of a search on a grid, which replaces pushes and pulls.
void add_grid(nlohmann::ordered_json& plan, const GraphSize& size, GridShape grid) {
  const double candidate_bytes = label_bytes(size) == 4 ? 8 : 16;
  const GridTraffic traffic = predict_grid_traffic(size.connected_vertices, grid, candidate_bytes);
  plan["partition"] = name_of(std::optional(grid));
  plan["expand_bytes_per_level"] = traffic.expand_bytes_per_level;
  plan["fold_bytes"] = traffic.fold_bytes;
  plan["messages_per_rank_and_level"] = traffic.messages_per_rank_and_level;
}

/// Adds an upper bound of the questions of pulls by message: for every entry of a row one question to the owner of the
/// neighbour.
void add_questions(nlohmann::ordered_json& plan, const GraphSize& size, int ranks) {
  plan["pull_questions_at_most"] = 2.0 * static_cast<double>(size.edges) * (ranks - 1) / ranks;
}

/// Whether the bytes of pushes can be predicted: the size of compressed packets cannot.
bool knows_bytes(const BfsOptions& bfs) { return bfs.messages.packets != PacketFormat::compressed; }
/// Whether the number of messages of pushes can be predicted: in a bulk exchange messages have any size.
bool knows_messages(const BfsOptions& bfs) {
  return knows_bytes(bfs) && bfs.messages.exchange == ExchangePolicy::asynchronous;
}

/// Adds the traffic with hubs: only queries between light vertices cross ranks as messages, besides the hubs' masks
/// (Pan et al. 2018, section V).
void add_hubs(nlohmann::ordered_json& plan, const GraphSize& size, const ExpectedHubs& hubs,
              const PlanSettings& settings) {
  const bool targets_alone = keeps_levels(settings.bfs, settings.ranks);
  const double in_runs = targets_alone ? 4 + 4.0 / static_cast<double>(settings.bfs.messages.coalescing) : 8;
  const double query_bytes = settings.bfs.messages.packets == PacketFormat::pairs ? 16 : in_runs;
  const PushTraffic light =
      predict_push_traffic(hubs.light_to_light / 2, settings.ranks, settings.bfs.messages.coalescing, query_bytes);
  const Subgraphs subgraphs{hubs.light_to_light, hubs.light_to_hub, hubs.light_to_hub, hubs.hub_to_hub};
  plan["hubs"] = {{"count", hubs.count},
                  {"light_to_light", hubs.light_to_light},
                  {"light_to_hub", hubs.light_to_hub},
                  {"hub_to_light", hubs.light_to_hub},
                  {"hub_to_hub", hubs.hub_to_hub},
                  {"tabulated_bytes", tabulated_bytes(subgraphs, size.connected_vertices, hubs.count, settings.ranks)},
                  {"mask_bytes_per_level", predict_mask_bytes(hubs.count, settings.ranks)}};
  if (knows_bytes(settings.bfs)) plan["hubs"]["push_bytes"] = light.bytes;
  if (knows_messages(settings.bfs)) plan["hubs"]["push_messages_per_rank"] = light.messages_per_rank;
  if (!targets_alone) return;
  constexpr double question_bytes = 4 + 1.0 / 8;  // including its answer
  plan["hubs"]["settled_lights_bytes_at_most"] =
      predict_push_traffic(hubs.light_to_light / 2, settings.ranks, 1, question_bytes).bytes;
}

/// Adds the memory of all ranks, lasting and at its peak; only of the host if a run stays on a device.
void add_memory(nlohmann::ordered_json& plan, const GraphSize& size, const PlanSettings& settings, int threads) {
  const MemoryPrediction memory =
      predict_run(size, settings, settings.ranks, threads, host_keeps_edges(settings, settings.ranks));
  if (stays_on_device(settings, settings.ranks)) {
    plan.update({{"edge_list_bytes", memory.edge_list_bytes},
                 {"search_bytes", memory.search_bytes},
                 {"peak_bytes", memory.peak_bytes}});
    return;
  }
  const KernelType& first = kernel_type(settings.kernels.kinds().front());
  const BatchPlan batch = full_batch(first.costs(size, settings.ranks, threads), settings.keys);
  const bool in_file = settings.edge_list == EdgeListPlace::file;
  plan.update({{"edge_list_bytes", memory.edge_list_bytes},
               {"edge_file_bytes", in_file ? edge_list_bytes(size) : 0},
               {"graph_bytes", memory.graph_bytes},
               {"construction_scratch_bytes", memory.scratch_bytes},
               {"search_bytes", memory.search_bytes},
               {"validation_bytes", memory.validation_bytes},
               {"peak_bytes", memory.peak_bytes},
               {"full_batch_searches", batch.searches},
               {"full_batch_bytes", batch.bytes},
               {"full_batch_peak_bytes", peak_with_batch(memory, batch)},
               {"peak_bytes_per_rank", memory.peak_bytes / static_cast<std::uint64_t>(settings.ranks)}});
}

/// Adds whether this many bytes are free on this machine's GPU, if it has one.
void add_device_room(nlohmann::ordered_json& plan, std::uint64_t bytes) {
  try {
    const gpu::DeviceMemory there = gpu::cuda_memory();
    plan.update({{"device_name", there.device},
                 {"device_free_bytes", there.free_bytes},
                 {"device_fits", bytes <= there.free_bytes}});
  } catch (const Error& error) {  // a plan may be for another machine
    plan.update({{"device_name", nullptr}, {"device_missing", error.what()}});
  }
}

/// Adds the memory of each rank's GPU, assuming one GPU per rank. Edge list, kernel 1 and validation do not use it.
void add_devices(nlohmann::ordered_json& plan, const PlanSettings& settings) {
  const gpu::MemoryPlan memory = expected_device_memory(settings, settings.ranks);
  plan.update({{"device", name_of(settings.bfs.device.kind)},
               {"device_transport", name_of(settings.bfs.device.transport)},
               {"device_graph_bytes_per_rank", memory.graph},
               {"device_search_bytes_per_rank", memory.search},
               {"device_bytes_per_rank", memory.bytes()}});
  if (settings.bfs.device.kind == Device::gpu) add_device_room(plan, memory.bytes());
}

/// Adds the memory of a GPU and, if this machine has one, whether it is free there.
void add_device(nlohmann::ordered_json& plan, const PlanSettings& settings) {
  if (settings.ranks > 1) return add_devices(plan, settings);
  const gpu::MemoryPlan memory = expected_device_memory(settings, 1);
  plan.update({{"device", name_of(settings.bfs.device.kind)},
               {"device_graph_bytes", memory.graph},
               {"device_search_bytes", memory.search},
               {"device_bytes", memory.bytes()}});
  const gpu::RunPlan run = expected_run_memory(settings, 1);
  plan.update({{"device_edges", name_of(edge_residence(settings, settings.ranks))},
               {"device_edge_list_bytes", run.edges},
               {"device_construction_bytes", run.construction},
               {"device_validation_bytes", run.validation}});
  plan["device_peak_bytes"] = run.peak();
  if (settings.bfs.device.kind != Device::gpu) return;
  // If the run does not stay entirely on the device, processors can validate.
  add_device_room(plan, stays_on_device(settings, settings.ranks) ? run.peak() : memory.bytes());
}

double query_bytes_of(const PlanSettings& settings) {
  return settings.bfs.messages.packets == PacketFormat::pairs ? 16 : 8;
}

/// Adds the traffic of searches that only push, directly and by the route, and of a pull with a replicated frontier.
void add_traffic(nlohmann::ordered_json& plan, const GraphSize& size, const PlanSettings& settings) {
  const BfsOptions& bfs = settings.bfs;
  const double query_bytes = query_bytes_of(settings);
  const PushTraffic traffic = predict_push_traffic(size.tuples, settings.ranks, bfs.messages.coalescing, query_bytes);
  const PushTraffic distinct = predict_push_traffic(size.edges, settings.ranks, bfs.messages.coalescing, query_bytes);
  const RouteKind& route = kind_of(bfs.messages.route.policy);
  const RoutedTraffic routed = predict_routed_traffic(size.edges, settings.ranks, group_ranks(settings),
                                                      route.hops_inside, bfs.messages.coalescing, query_bytes);
  const PullTraffic pull =
      predict_pull(static_cast<double>(size.connected_vertices) / 8, settings.ranks, size.frontier);
  plan["route"] = name_of(bfs.messages.route.policy);
  if (knows_messages(bfs)) {
    plan.update({{"push_messages_per_rank", traffic.messages_per_rank},
                 {"distinct_push_messages_per_rank", distinct.messages_per_rank},
                 {"routed_push_messages_per_rank", routed.messages_per_rank}});
  }
  if (knows_bytes(bfs)) {
    plan.update({{"push_bytes", traffic.bytes},
                 {"distinct_push_bytes", distinct.bytes},
                 {"push_bytes_inside_groups", routed.bytes_inside},
                 {"push_bytes_between_groups", routed.bytes_between}});
  }
  if (size.frontier.holding != FrontierHolding::asked) {
    plan.update(
        {{"pull_bytes_per_level", pull.bytes}, {"pull_bytes_between_nodes_per_level", pull.bytes_between_nodes}});
  }
  const bool straight = bfs.messages.route.policy == RoutePolicy::direct && knows_bytes(bfs);
  const bool chooses = bfs.direction.may_choose();
  if (chooses && straight && bfs.summary == 0 && size.hubs == 0 &&
      size.frontier.holding == FrontierHolding::replicated) {
    const double in_long_runs = bfs.messages.packets == PacketFormat::pairs ? query_bytes : query_bytes / 2;
    const bool leaves_out_visited = size.frontier.leaves_out_visited(static_cast<std::uint64_t>(settings.ranks));
    plan["direction_optimising_bytes"] =
        predict_search_traffic(size.edges, settings.ranks, pull.bytes, leaves_out_visited, in_long_runs);
  }
}

/// Whether searches of any kernel may send messages.
bool sends(const Kernels& kernels) {
  const std::vector<KernelKind> kinds = kernels.kinds();
  return std::ranges::any_of(kinds, [](KernelKind kind) { return about(kind).max_ranks > 1; });
}

/// Adds a lower bound of the traffic with combined queries: in each level one of a group's queries for a vertex
/// crosses, and their number is smallest if all fall into one level.
void add_unique_traffic(nlohmann::ordered_json& plan, const PlanSettings& settings) {
  const double groups = static_cast<double>(settings.ranks) / group_ranks(settings);
  plan["unique_push_bytes_between_groups_at_least"] =
      expected_group_pairs(settings.scale, settings.edgefactor, groups) * query_bytes_of(settings);
}

nlohmann::ordered_json plan_json(const PlanSettings& settings, int threads) {
  const std::uint64_t nodes =
      (static_cast<std::uint64_t>(settings.ranks) + settings.ranks_per_node - 1) / settings.ranks_per_node;
  GraphSize size = generated_size(settings, {settings.ranks, nodes, threads});
  size.weighted = size.weighted || settings.weights;
  const ExpectedHubs hubs = expected_hubs(settings.layout.hubs, settings.scale, settings.edgefactor, settings.ranks);
  nlohmann::ordered_json plan = {{"scale", settings.scale},
                                 {"edgefactor", settings.edgefactor},
                                 {"ranks", settings.ranks},
                                 {"threads", threads},
                                 {"nodes", nodes},
                                 {"kernels", name_of(settings.kernels)},
                                 {"adjacency", name_of(settings.layout.adjacency)},
                                 {"summary", settings.bfs.summary == 0 ? nlohmann::ordered_json("none")
                                                                       : nlohmann::ordered_json(settings.bfs.summary)},
                                 {"vertices", size.labels},
                                 {"connected_vertices", size.connected_vertices},
                                 {"tuples", size.tuples},
                                 {"edges", size.edges}};
  add_memory(plan, size, settings, threads);
  if (settings.bfs.device.kind != Device::cpu) add_device(plan, settings);
  if (!sends(settings.kernels)) return plan;
  if (!settings.layout.grid) add_traffic(plan, size, settings);
  if (settings.bfs.messages.route.merge_duplicates && knows_bytes(settings.bfs)) add_unique_traffic(plan, settings);
  if (size.frontier.holding == FrontierHolding::asked) add_questions(plan, size, settings.ranks);
  if (hubs.count > 0) add_hubs(plan, size, hubs, settings);
  if (settings.layout.grid) add_grid(plan, size, grid_of(*settings.layout.grid, settings.ranks));
  return plan;
}

void declare(Command& command, PlanSettings& settings) {
  OptionSet& options = command.options;
  add_scale_option(options, settings.scale);
  add_edgefactor_option(options, settings.edgefactor);
  options.add_number("ranks", settings.ranks, {1, 1 << 24},
                     {.group = OptionGroup::everyday, .meaning = "ranks of the planned run"});
  options.add_flag("weights", settings.weights, {.group = OptionGroup::everyday, .meaning = "edges have weights"});
  add_kernels_option(options, settings.kernels);
  add_device_options(options, settings.device);
  add_device_edges_options(options, settings.device_edges, settings.device_block);
  add_layout_options(options, settings.layout);
  add_hubs_option(options, settings.layout.hubs);
  add_subgraphs_option(options, settings.bfs.subgraphs);
  add_direction_option(options, settings.bfs.direction.policy);
  add_pull_option(options, settings.bfs);
  add_sssp_options(options, settings.sssp);
  add_weighted_columns_option(options, settings.layout.weighted_columns);
  add_summary_option(options, settings.bfs.summary);
  add_edge_list_option(options, settings.edge_list);
  add_message_options(options, settings.bfs);
  add_replicate_option(options, settings.bfs);
  add_shared_bits_option(options, settings.bfs);
  options.add_number("ranks-per-node", settings.ranks_per_node, {1, std::uint64_t{BfsOptions::ranks_per_node.maximum}},
                     {.group = OptionGroup::everyday, .meaning = "ranks on each machine"});
  add_print_json_option(options, settings.json);
  add_threads_option(options, settings.common);
  add_config_option(options, settings.common);
  add_preset(command, settings.preset);
}

void check(const OptionSet& given, PlanSettings& settings) {
  check_partition(given, settings.kernels, settings.layout);
  check_ranks(settings.kernels, settings.ranks);
  check_layout_options(given, settings.layout);
  if (settings.kernels.has(KernelKind::sssp)) {
    settings.sssp.replicate = sssp_replication(given, settings.bfs.replication.how);
  }
  check_grid(settings);
  check_subgraphs_option(given, settings.bfs.subgraphs, settings.layout);
  check_effect(given, {.bfs = settings.bfs,
                       .sssp = settings.sssp,
                       .layout = settings.layout,
                       .kernels = settings.kernels,
                       .device = settings.device.device});
  check_device(given, settings.device, settings.layout);
  check_device_of(given, settings.device, settings.kernels);
  settings.bfs.device.kind = settings.device.candidate();
  // The transport of the machine is not known. Two of the three take equally much memory, and more than the third; for
  // a GPU one of the two is assumed.
  settings.bfs.device.transport = settings.device.transport.value_or(
      settings.bfs.device.kind == Device::gpu ? DeviceTransport::direct : DeviceTransport::staged);
  settle_hub_rule(settings.layout.hubs, settings.bfs);
  if (settings.ranks > 1 && given.given_for(settings.device_edges)) {
    given.refuse_for(settings.ranks, settings.device_edges, "with several ranks, processors build and validate");
  }
  if (given.given_for(settings.bfs.messages.route.groups_file))
    fail<UsageError>("breadth plan assumes groups of equal size: give --group-size instead of --groups");
}

int run(const PlanSettings& settings, const Communicator& ranks) {
  const int threads = place_rank(BindingPolicy::none, settings.common.threads, ranks).threads;
  print_values(plan_json(settings, threads), settings.json, ranks);
  return 0;
}
}  // namespace

Command plan_command() {
  return command_with<PlanSettings>({.name = "plan",
                                     .summary = "memory, messages and bytes of a run, before anything runs",
                                     .example = "--scale 30 --ranks 64"});
}

}  // namespace breadth::cli
