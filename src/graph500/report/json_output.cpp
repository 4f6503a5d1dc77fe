#include "graph500/report/output.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "graph500/report/statistics.hpp"

namespace breadth {

// Parts that are common to several results.

namespace {
using Json = nlohmann::ordered_json;

Json to_json(const LevelSeconds& seconds) {
  return {{"compute", seconds.compute},
          {"communicate", seconds.communicate},
          {"wait", seconds.wait},
          {"switch", seconds.convert}};
}

Json to_json(std::optional<std::uint64_t> number) { return number ? Json(*number) : Json(); }

Json to_json(const LevelStatistics& level) {
  Json json = {{"direction", name_of(level.direction)},
               {"fused", level.fused},
               {"frontier", level.frontier},
               {"edges_examined", level.edges_examined},
               {"claimed", level.claimed},
               {"rounds", level.rounds},
               {"messages", level.traffic.messages},
               {"bytes", level.traffic.bytes},
               {"bytes_between_nodes", to_json(level.traffic.bytes_between_nodes)},
               {"seconds", to_json(level.seconds)},
               {"queries", level.traffic.queries},
               {"answers", level.traffic.answers},
               {"question_bytes", level.traffic.question_bytes},
               {"idle_seconds", {{"least", level.idle.least}, {"mean", level.idle.mean}, {"most", level.idle.most}}}};
  if (level.pulling_ranks) {
    json["pulling_ranks"] = {{"hub_to_hub", level.pulling_ranks->hub_to_hub},
                             {"hub_to_light", level.pulling_ranks->hub_to_light},
                             {"light_to_hub", level.pulling_ranks->light_to_hub}};
  }
  return json;
}
}  // namespace

Json device_choice_json(const DeviceChoice& choice) {
  return {{"taken", name_of(choice.taken)}, {"reason", choice.reason}};
}

Json value_json(const std::string& value) {
  const Json number = Json::parse(value, nullptr, false);
  return number.is_number() ? number : Json(value);
}

Json values_json(const std::vector<std::pair<std::string, std::string>>& options) {
  Json set = Json::object();
  for (auto [option, value] : options) {
    std::ranges::replace(option, '-', '_');
    set[option] = value_json(value);
  }
  return set;
}

Json profile_json(const UsedProfile& profile) {
  return {{"path", profile.path}, {"set", values_json(profile.options)}};
}

Json machine_json(const Machine& machine) {
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

Json phases_json(const PhaseSeconds& phases) {
  return {{"push_compute", phases.push_compute},
          {"push_communicate", phases.push_communicate},
          {"pull_compute", phases.pull_compute},
          {"pull_communicate", phases.pull_communicate},
          {"switch", phases.convert},
          {"stall", phases.stall},
          {"other", phases.other}};
}

Json work_json(const SearchRecord& search) {
  Json json = {{"levels", Json::array()}};
  for (const LevelStatistics& level : search.levels) json["levels"].push_back(to_json(level));
  json["leaves"] = {{"claimed", search.leaves.claimed},
                    {"messages", search.leaves.traffic.messages},
                    {"bytes", search.leaves.traffic.bytes},
                    {"bytes_between_nodes", to_json(search.leaves.traffic.bytes_between_nodes)},
                    {"queries", search.leaves.traffic.queries},
                    {"answers", search.leaves.traffic.answers},
                    {"question_bytes", search.leaves.traffic.question_bytes},
                    {"seconds", to_json(search.leaves.seconds)}};
  if (search.settled) {
    json["settled_hubs"] = {{"bytes", search.settled->bytes},
                            {"bytes_between_nodes", to_json(search.settled->bytes_between_nodes)}};
  }
  if (search.settled_lights) {
    json["settled_lights"] = {{"vertices", search.settled_lights->vertices},
                              {"questions", search.settled_lights->traffic.queries},
                              {"bytes", search.settled_lights->traffic.bytes},
                              {"bytes_between_nodes", to_json(search.settled_lights->traffic.bytes_between_nodes)}};
  }
  json["phases"] = phases_json(phase_seconds(search));
  if (search.device_seconds) {
    json["device_seconds"] = {{"start", search.device_seconds->start},
                              {"names", search.device_seconds->names},
                              {"all", search.device_seconds->all}};
  }
  return json;
}

std::string json_text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

// The benchmark's whole result.

namespace {

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
  return {{"seconds", calibration.seconds}, {"keys", calibration.keys}, {"chosen", values_json(calibration.chosen)},
          {"speedup", calibration.speedup}, {"trials", trials},         {"not_tried", calibration.not_tried}};
}

Json to_json(const DeviceRecord& device) {
  return {
      {"name", device.name}, {"bytes", device.bytes}, {"copies", device.copies}, {"copy_seconds", device.copy_seconds}};
}

Json to_json(const SearchRecord& search) {
  const Verification& verification = search.verification;
  Json json = {{"key", search.key.value}, {"seconds", search.seconds}, {"nedge", verification.edges}};
  json["valid"] = verification.verdict == Verdict::unchecked ? Json() : Json(verification.verdict == Verdict::valid);
  json["validate_seconds"] = verification.seconds;
  json["validate_batch"] = verification.batch;
  if (!verification.violations.empty()) json["violations"] = verification.violations;
  if (!search.levels.empty()) json.update(work_json(search));
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

/// One field of each entry of the matrix, in rows by sender.
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

/// Sums over all searches; predictions are for one search.
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
  if (kernel.preparation_seconds) json["preparation"] = {{"seconds", *kernel.preparation_seconds}};
  if (const auto& warm_up = kernel.warm_up) {
    json["warm_up"] = {{"vertex", warm_up->vertex.value}, {"seconds", warm_up->seconds}};
  }
  if (kernel.communication) json["communication"] = to_json(*kernel.communication);
  if (kernel.device) {
    json["device"] = to_json(*kernel.device);
    json["device"]["validates"] = kernel.validated_on_device;
  }
  json["phases"] = phases_json(mean_phase_seconds(kernel));
  json["runs"] = Json::array();
  for (const SearchRecord& search : kernel.searches) json["runs"].push_back(to_json(search));
  return json;
}
}  // namespace

std::string json_text(const BenchmarkReport& report, const Json& choices) {
  const BenchmarkOptions& options = report.options;
  Json json = {{"scale", options.scale}};
  // A whole number is written as an integer, because consumers compare it with 16.
  if (report.edgefactor == static_cast<double>(static_cast<std::uint64_t>(report.edgefactor))) {
    json["edgefactor"] = static_cast<std::uint64_t>(report.edgefactor);
  } else {
    json["edgefactor"] = report.edgefactor;
  }
  json["seed"] = options.seed;
  json["ranks"] = report.ranks;
  json["threads"] = report.threads;
  json["options"] = choices;
  json["without_effect"] = options.without_effect;
  if (options.profile) json["profile"] = profile_json(*options.profile);
  if (options.device_choice) json["device_choice"] = device_choice_json(*options.device_choice);
  if (options.link_hubs) json["link_hubs"] = to_json(*options.link_hubs);
  if (report.calibration) json["calibration"] = to_json(*report.calibration);
  json["machine"] = machine_json(report.machine);
  json["version"] = report.version;
  json["complete"] = report.complete();
  json["valid"] = report.valid();
  json["conforming"] = report.rules_broken.empty();
  json["rules_broken"] = report.rules_broken;
  json["rules_notes"] = report.rules_notes;
  json["generation"] = {{"seconds", report.generation_seconds}};
  json["construction"] = {{"seconds", report.construction.seconds},
                          {"peak_bytes", report.construction.peak_bytes},
                          {"graph_bytes", report.construction.graph_bytes},
                          {"hubs", report.construction.hubs}};
  if (const auto& device = report.construction.device) {
    json["construction"]["device"] = {{"edge_list_bytes", device->edge_list_bytes},
                                      {"slabs", device->slabs},
                                      {"reserved_bytes", device->reserved_bytes}};
  }
  json["peak_bytes"] = report.peak_bytes;
  json["memory"] = {{"start_bytes", report.start_bytes},
                    {"peak_bytes", report.peak_bytes},
                    {"predicted_start_bytes", report.predicted.program_bytes},
                    {"predicted_graph_bytes", report.predicted.graph_bytes},
                    {"predicted_peak_bytes", report.predicted.peak_bytes}};
  for (const KernelReport& kernel : report.kernels) json[kernel.name] = to_json(kernel);
  return json_text(json);
}

}  // namespace breadth
