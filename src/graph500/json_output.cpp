#include "graph500/json_output.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "graph500/kernel_statistics.hpp"
#include "graph500/phase_seconds.hpp"

namespace breadth {

namespace {
using Json = nlohmann::ordered_json;

Json hubs_json(const HubChoice& hubs) { return hubs.rule == HubRule::degree ? Json(hubs.degree) : Json(name_of(hubs)); }

Json to_json(const DirectionFactors& factors) { return {{"pull", factors.pull}, {"push", factors.push}}; }

Json to_json(const BenchmarkOptions& options, int ranks) {
  const bool apart = options.bfs.device != Device::cpu && ranks > 1;  // devices visit leaves in their levels
  const bool leaves_last = options.bfs.leaves_last && options.layout.order == VertexOrder::degree && !apart;
  Json json = {{"preset", options.preset},
               {"kernels", name_of(options.kernels)},
               {"keys", options.keys},
               {"edge_list", name_of(options.edge_list)},
               {"validate", name_of(options.validation)},
               {"device", name_of(options.bfs.device)},
               {"device_control", name_of(control_on(options.bfs.device_control, ranks))},
               {"device_edges", name_of(edge_residence(options, ranks))},
               {"device_block", options.device_block},
               {"partition", name_of(options.layout.grid)},
               {"adjacency", name_of(options.layout.adjacency)},
               {"order", name_of(options.layout.order)},
               {"neighbours", name_of(options.layout.neighbours)},
               {"columns", options.layout.columns},
               {"hubs", hubs_json(options.layout.hubs)},
               {"direction", name_of(options.bfs.direction)},
               {"alpha", options.bfs.alpha},
               {"leaves", leaves_last ? "last" : "levels"},
               {"beta", options.bfs.beta},
               {"pull", name_of(options.bfs.pull)},
               {"summary", options.bfs.summary == 0 ? Json("none") : Json(options.bfs.summary)},
               {"replicate", name_of(options.bfs.replication.how)},
               {"hub_masks", name_of(options.bfs.hub_masks)},
               {"subgraphs", name_of(options.bfs.subgraphs.policy)},
               {"ranks_per_node", options.bfs.replication.ranks_per_node},
               {"push_ranges", options.bfs.push_ranges},
               {"mixed_levels", options.bfs.mixed_levels},
               {"small_level", options.bfs.small_level},
               {"exchange", name_of(options.bfs.exchange)},
               {"ending", name_of(options.bfs.ending)},
               {"packets", name_of(options.bfs.packets)},
               {"coalescing", options.bfs.coalescing},
               {"route", name_of(options.bfs.route.policy)},
               {"unique", options.bfs.route.unique},
               {"monitor", name_of(options.bfs.route.monitors)},
               {"group_size", options.bfs.route.group_size}};
  if (options.bfs.subgraphs.policy == SubgraphPolicy::apart) {
    json["hub_to_hub"] = to_json(options.bfs.subgraphs.hub_to_hub);
    json["hub_to_light"] = to_json(options.bfs.subgraphs.hub_to_light);
    json["light_to_hub"] = to_json(options.bfs.subgraphs.light_to_hub);
    json["light_parents"] = name_of(options.bfs.subgraphs.light_parents);
  }
  if (!options.bfs.route.groups_file.empty()) json["groups"] = options.bfs.route.groups_file;
  if (!options.bfs.route.network_file.empty()) json["topology"] = options.bfs.route.network_file;
  if (includes_sssp(options.kernels)) {
    json["weighted_columns"] = options.layout.weighted_columns;
    json["delta"] = options.sssp.delta == 0 ? Json("auto") : Json(options.sssp.delta);
    json["sweeps"] = options.sssp.sweeps;
    json["ball"] = options.sssp.ball;
    json["hubs_first"] = options.sssp.hubs_first;
    json["fuse"] = options.sssp.fuse;
    json["stretch"] = options.sssp.stretch;
    json["small_stretch"] = options.sssp.small_stretch;
    json["known_distances"] = options.sssp.known_distances;
    json["sssp_packets"] = name_of(options.sssp.packets);
    json["sssp_replicate"] = options.sssp.replicate ? name_of(*options.sssp.replicate) : "auto";
  }
  json["watchdog"] = options.watchdog_seconds;
  json["calibrate"] = options.calibrate_seconds;
  if (options.edge_list == EdgeListPlace::file) json["input"] = options.input;
  return json;
}

/// Values that are numbers become such.
Json to_json(const std::vector<std::pair<std::string, std::string>>& options) {
  Json set = Json::object();
  for (const auto& [option, value] : options) {
    const Json number = Json::parse(value, nullptr, false);
    set[option] = number.is_number() ? number : Json(value);
  }
  return set;
}

Json to_json(const UsedProfile& profile) { return {{"path", profile.path}, {"set", to_json(profile.options)}}; }

Json to_json(const LinkHubs& why) {
  return {{"chosen", why.chosen},
          {"saved_bytes", why.saved_bytes},
          {"saved_seconds", why.saved_seconds},
          {"bytes_per_second", why.bytes_per_second},
          {"round_seconds", why.round_seconds}};
}

Json to_json(const CalibrationReport& calibration) {
  Json trials = Json::array();
  for (const CalibrationReport::Trial& trial : calibration.trials) {
    trials.push_back({{"option", trial.option},
                      {"incumbent", trial.incumbent},
                      {"challenger", trial.challenger},
                      {"speedup", trial.speedup},
                      {"kept", trial.kept}});
  }
  return {{"seconds", calibration.seconds}, {"keys", calibration.keys}, {"chosen", to_json(calibration.chosen)},
          {"speedup", calibration.speedup}, {"trials", trials},         {"not_tried", calibration.not_tried}};
}

Json to_json(const Machine& machine) {
  return {{"hostname", machine.hostname},
          {"cpu", machine.cpu},
          {"sockets", machine.sockets},
          {"numa_domains", machine.numa_domains},
          {"cores", machine.cores},
          {"processors", machine.processors},
          {"usable_processors", machine.usable_processors},
          {"bind", name_of(machine.bind)},
          {"binding", name_of(machine.binding)},
          {"binding_reason", machine.binding_reason},
          {"simd", machine.simd},
          {"huge_pages", machine.huge_pages},
          {"memory_bytes", machine.memory_bytes},
          {"mpi", machine.mpi},
          {"compiler", machine.compiler}};
}

Json to_json(const DeviceRecord& device) {
  return {
      {"name", device.name}, {"bytes", device.bytes}, {"copies", device.copies}, {"copy_seconds", device.copy_seconds}};
}

Json to_json(const LevelSeconds& seconds) {
  return {{"compute", seconds.compute},
          {"communicate", seconds.communicate},
          {"wait", seconds.wait},
          {"switch", seconds.convert}};
}

Json to_json(const PhaseSeconds& phases) {
  return {{"push_compute", phases.push_compute},
          {"push_communicate", phases.push_communicate},
          {"pull_compute", phases.pull_compute},
          {"pull_communicate", phases.pull_communicate},
          {"switch", phases.convert},
          {"stall", phases.stall},
          {"other", phases.other}};
}

Json to_json(std::optional<std::uint64_t> number) { return number ? Json(*number) : Json(); }

Json to_json(const LevelStatistics& level) {
  Json json = {{"direction", name_of(level.direction)},
               {"frontier", level.frontier},
               {"edges_examined", level.edges_examined},
               {"claimed", level.claimed},
               {"rounds", level.rounds},
               {"messages", level.messages},
               {"bytes", level.bytes},
               {"bytes_between_nodes", to_json(level.bytes_between_nodes)},
               {"seconds", to_json(level.seconds)},
               {"queries", level.queries},
               {"answers", level.answers},
               {"question_bytes", level.question_bytes},
               {"idle_seconds", {{"least", level.idle.least}, {"mean", level.idle.mean}, {"most", level.idle.most}}}};
  if (level.pulling_ranks) {
    json["pulling_ranks"] = {{"hub_to_hub", level.pulling_ranks->hub_to_hub},
                             {"hub_to_light", level.pulling_ranks->hub_to_light},
                             {"light_to_hub", level.pulling_ranks->light_to_hub}};
  }
  return json;
}

Json to_json(const SearchRecord& search) {
  const Verification& verification = search.verification;
  Json json = {{"key", search.key.value}, {"seconds", search.seconds}, {"nedge", verification.edges}};
  json["valid"] = verification.verdict == Verdict::unchecked ? Json() : Json(verification.verdict == Verdict::valid);
  json["validate_seconds"] = verification.seconds;
  json["validate_batch"] = verification.batch;
  if (!verification.violations.empty()) json["violations"] = verification.violations;
  json["levels"] = Json::array();
  for (const LevelStatistics& level : search.levels) json["levels"].push_back(to_json(level));
  json["leaves"] = {{"claimed", search.leaves.claimed},
                    {"messages", search.leaves.messages},
                    {"bytes", search.leaves.bytes},
                    {"bytes_between_nodes", to_json(search.leaves.bytes_between_nodes)},
                    {"queries", search.leaves.queries},
                    {"answers", search.leaves.answers},
                    {"question_bytes", search.leaves.question_bytes},
                    {"seconds", to_json(search.leaves.seconds)}};
  if (search.settled) {
    json["settled_hubs"] = {{"bytes", search.settled->bytes},
                            {"bytes_between_nodes", to_json(search.settled->bytes_between_nodes)}};
  }
  if (search.settled_lights) {
    json["settled_lights"] = {{"vertices", search.settled_lights->vertices},
                              {"questions", search.settled_lights->questions},
                              {"bytes", search.settled_lights->bytes},
                              {"bytes_between_nodes", to_json(search.settled_lights->bytes_between_nodes)}};
  }
  json["phases"] = to_json(phase_seconds(search));
  return json;
}

Json to_json(const RankCommunication& rank) {
  return {{"messages", rank.sent.messages},
          {"bytes", rank.sent.bytes},
          {"queries", rank.queries},
          {"partial_packets", rank.partial_packets},
          {"seconds",
           {{"receive_tests", rank.seconds.receive},
            {"send_tests", rank.seconds.send},
            {"finish_tests", rank.seconds.finish},
            {"all_reduce", rank.all_reduce_seconds}}}};
}

/// One number of each entry of the matrix, in rows by sender.
Json matrix_of(const std::vector<SentTraffic>& matrix, std::size_t ranks, std::uint64_t SentTraffic::*number) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (i % ranks == 0) rows.push_back(Json::array());
    rows.back().push_back(matrix[i].*number);
  }
  return rows;
}

Json to_json(const SentTraffic& sent) { return {{"messages", sent.messages}, {"bytes", sent.bytes}}; }

Json to_json(const DistanceReport& report) {
  const auto& [inside, between, hops] = report.traffic;
  return {{"groups", report.groups},
          {"largest_group", report.largest_group},
          {"inside_groups", to_json(inside)},
          {"between_groups", to_json(between)},
          {"hops",
           {{"chip", hops.chip},
            {"board", hops.board},
            {"bunch", hops.bunch},
            {"cabinet", hops.cabinet},
            {"all", hops.all()}}},
          {"efficiency_bytes_per_second", report.efficiency ? Json(*report.efficiency) : Json()}};
}

/// Sums over all searches; predictions are of one.
Json to_json(const CommunicationReport& report) {
  Json json = {{"ranks", Json::array()}};
  for (const RankCommunication& rank : report.ranks) json["ranks"].push_back(to_json(rank));
  if (!report.matrix.empty()) {
    json["messages"] = matrix_of(report.matrix, report.ranks.size(), &SentTraffic::messages);
    json["bytes"] = matrix_of(report.matrix, report.ranks.size(), &SentTraffic::bytes);
  }
  json["distances"] = to_json(report.distances);
  if (report.predicted_messages) json["predicted_messages_per_rank_and_search"] = *report.predicted_messages;
  if (report.predicted_bytes) json["predicted_bytes_per_search"] = *report.predicted_bytes;
  return json;
}

Json to_json(const KernelReport& kernel) {
  Json json = {{"NBFS", kernel.searches.size()}, {"complete", kernel.complete()}, {"valid", kernel.valid()}};
  if (kernel.valid() && !kernel.searches.empty()) {
    for (const NamedValues& values : {time_statistics(kernel), edge_statistics(kernel), teps_statistics(kernel)}) {
      for (const auto& [name, value] : values) json[name] = value;
    }
  }
  if (kernel.communication) json["communication"] = to_json(*kernel.communication);
  if (kernel.device) {
    json["device"] = to_json(*kernel.device);
    json["device"]["validates"] = kernel.validated_on_device;
  }
  json["phases"] = to_json(mean_phase_seconds(kernel));
  json["runs"] = Json::array();
  for (const SearchRecord& search : kernel.searches) json["runs"].push_back(to_json(search));
  return json;
}
}  // namespace

std::string json_text(const BenchmarkReport& report) {
  const BenchmarkOptions& options = report.options;
  Json json = {{"scale", options.scale}};
  // A whole number stays one: consumers compare it with 16.
  if (report.edgefactor == static_cast<double>(static_cast<std::uint64_t>(report.edgefactor))) {
    json["edgefactor"] = static_cast<std::uint64_t>(report.edgefactor);
  } else {
    json["edgefactor"] = report.edgefactor;
  }
  json["seed"] = options.seed;
  json["ranks"] = report.ranks;
  json["threads"] = report.threads;
  json["options"] = to_json(options, report.ranks);
  if (options.profile) json["profile"] = to_json(*options.profile);
  if (options.link_hubs) json["link_hubs"] = to_json(*options.link_hubs);
  if (report.calibration) json["calibration"] = to_json(*report.calibration);
  json["machine"] = to_json(report.machine);
  json["version"] = report.version;
  json["complete"] = report.complete();
  json["valid"] = report.valid();
  json["conforming"] = report.rules_broken.empty();
  json["rules_broken"] = report.rules_broken;
  json["generation"] = {{"seconds", report.generation_seconds}};
  json["construction"] = {{"seconds", report.construction.seconds},
                          {"peak_bytes", report.construction.peak_bytes},
                          {"graph_bytes", report.construction.graph_bytes},
                          {"hubs", report.construction.hubs}};
  if (const auto& device = report.construction.device) {
    json["construction"]["device"] = {{"edge_list_bytes", device->edge_list_bytes}, {"slabs", device->slabs}};
  }
  json["peak_bytes"] = report.peak_bytes;
  json["memory"] = {{"start_bytes", report.start_bytes},
                    {"peak_bytes", report.peak_bytes},
                    {"predicted_start_bytes", report.predicted.program_bytes},
                    {"predicted_graph_bytes", report.predicted.graph_bytes},
                    {"predicted_peak_bytes", report.predicted.peak_bytes}};
  for (const KernelReport& kernel : report.kernels) json[kernel.name] = to_json(kernel);
  return json.dump(1) + "\n";
}

}  // namespace breadth
