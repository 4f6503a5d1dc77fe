#include "graph500/report/json_parts.hpp"

#include <nlohmann/json.hpp>
#include <optional>

namespace breadth {

namespace {
using Json = nlohmann::ordered_json;

Json to_json(const DirectionFactors& factors) { return {{"pull", factors.pull}, {"push", factors.push}}; }

void add_route(const RouteOptions& route, Json& json) {
  json["route"] = name_of(route.policy);
  json["unique"] = route.unique;
  json["monitor"] = name_of(route.monitors);
  json["group_size"] = route.group_size;
  if (!route.groups_file.empty()) json["groups"] = route.groups_file;
  if (!route.network_file.empty()) json["topology"] = route.network_file;
}

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
}  // namespace

Json bfs_json(const GraphLayout& layout, const BfsOptions& bfs, int ranks) {
  // Devices of several ranks visit leaves in their levels.
  const bool on_devices = bfs.device != Device::cpu && ranks > 1;
  const bool leaves_last = bfs.leaves_last && layout.order == VertexOrder::degree && !on_devices;
  Json json = {{"device", name_of(bfs.device)},
               {"device_control", name_of(control_on(bfs.device_control, ranks))},
               {"device_transport", name_of(bfs.device_transport)},
               {"partition", name_of(layout.grid)},
               {"adjacency", name_of(layout.adjacency)},
               {"order", name_of(layout.order)},
               {"neighbours", name_of(layout.neighbours)},
               {"columns", layout.columns},
               {"hubs", hubs_json(layout.hubs)},
               {"direction", name_of(bfs.direction)},
               {"alpha", bfs.alpha},
               {"leaves", leaves_last ? "last" : "levels"},
               {"beta", bfs.beta},
               {"pull", name_of(bfs.pull)},
               {"summary", bfs.summary == 0 ? Json("none") : Json(bfs.summary)},
               {"replicate", name_of(bfs.replication.how)},
               {"shared_bits", name_of(bfs.replication.bits)},
               {"hub_masks", name_of(bfs.hub_masks)},
               {"subgraphs", name_of(bfs.subgraphs.policy)},
               {"ranks_per_node", bfs.replication.ranks_per_node},
               {"push_ranges", bfs.push_ranges},
               {"mixed_levels", bfs.mixed_levels},
               {"fuse_levels", bfs.fuse_levels},
               {"small_level", bfs.small_level},
               {"exchange", name_of(bfs.exchange)},
               {"ending", name_of(bfs.ending)},
               {"packets", name_of(bfs.packets)},
               {"coalescing", bfs.coalescing}};
  if (bfs.subgraphs.policy == SubgraphPolicy::apart) {
    json["hub_to_hub"] = to_json(bfs.subgraphs.hub_to_hub);
    json["hub_to_light"] = to_json(bfs.subgraphs.hub_to_light);
    json["light_to_hub"] = to_json(bfs.subgraphs.light_to_hub);
    json["light_parents"] = name_of(bfs.subgraphs.light_parents);
  }
  add_route(bfs.route, json);
  return json;
}

Json sssp_json(const SsspOptions& sssp) {
  return {{"delta", sssp.delta == 0 ? Json("auto") : Json(sssp.delta)},
          {"sweeps", sssp.sweeps},
          {"ball", sssp.ball},
          {"hubs_first", sssp.hubs_first},
          {"fuse", sssp.fuse},
          {"stretch", sssp.stretch},
          {"small_stretch", sssp.small_stretch},
          {"known_distances", sssp.known_distances}};
}

Json sssp_messages_json(const SsspOptions& sssp) {
  Json json = {{"replicate", replicate_name(sssp)},
               {"exchange", name_of(sssp.exchange)},
               {"ending", name_of(sssp.ending)},
               {"packets", name_of(sssp.packets)},
               {"coalescing", sssp.coalescing}};
  add_route(sssp.route, json);
  return json;
}

std::string replicate_name(const SsspOptions& sssp) { return sssp.replicate ? name_of(*sssp.replicate) : "auto"; }

Json hubs_json(const HubChoice& hubs) { return hubs.rule == HubRule::degree ? Json(hubs.degree) : Json(name_of(hubs)); }

Json device_choice_json(const DeviceChoice& choice) {
  return {{"taken", name_of(choice.taken)}, {"reason", choice.reason}};
}

Json values_json(const std::vector<std::pair<std::string, std::string>>& options) {
  Json set = Json::object();
  for (const auto& [option, value] : options) {
    const Json number = Json::parse(value, nullptr, false);
    set[option] = number.is_number() ? number : Json(value);
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
  json["phases"] = phases_json(phase_seconds(search));
  if (search.device_seconds) {
    json["device_seconds"] = {{"start", search.device_seconds->start},
                              {"names", search.device_seconds->names},
                              {"all", search.device_seconds->all}};
  }
  return json;
}

std::string json_text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace breadth
