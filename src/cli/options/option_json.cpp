#include "cli/options/option_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/option_set.hpp"
#include "cli/options/rank_options.hpp"
#include "graph500/benchmark_input.hpp"
#include "graph500/report/output.hpp"

namespace breadth::cli {

namespace {
using Json = nlohmann::ordered_json;

/// The values of the options that a kernel of the run has, without those that have no text.
Json values_of(const OptionSet& options, const Kernels& kernels) {
  Json json = Json::object();
  const Choices run{.kernels = kernels};
  const auto of_other_kernels = [&run](const Idle& idle) { return idle.because_of(run) == &run.kernels; };
  for (const Option& option : options.options()) {
    const std::string text = option.show ? option.show() : std::string();
    if (text.empty() || std::ranges::any_of(option.idle, of_other_kernels)) continue;
    std::string name = option.name;
    std::ranges::replace(name, '-', '_');
    const bool is_path = option.takes == Takes::file || option.takes == Takes::folder;
    json[name] = text == "on" || text == "off" ? Json(text == "on") : is_path ? Json(text) : value_json(text);
  }
  return json;
}

/// The device of the searches, with the settings that result on `ranks` ranks.
Json device_json(const DeviceOptions& device, int ranks) {
  return {{"device", name_of(device.kind)},
          {"device_control", name_of(control_on(device.control, ranks))},
          {"device_transport", name_of(device.transport)}};
}

Json factors_json(const DirectionFactors& factors) { return {{"pull", factors.pull}, {"push", factors.push}}; }
}  // namespace

Json bfs_json(GraphLayout layout, BfsOptions bfs, int ranks, const Kernels& kernels) {
  OptionSet options;
  add_layout_options(options, layout);
  add_hubs_option(options, layout.hubs);
  add_engine_options(options, bfs);
  add_topology_option(options, bfs.messages.route);
  Json json = device_json(bfs.device, ranks);
  json.update(values_of(options, kernels));
  if (!kernels.has(KernelKind::bfs)) return json;
  // On several ranks, devices visit leaves in the levels.
  const bool on_devices = bfs.device.kind != Device::cpu && ranks > 1;
  if (layout.order != VertexOrder::degree || on_devices) json["leaves"] = "levels";
  if (bfs.subgraphs.policy == SubgraphPolicy::apart) {
    json["hub_to_hub"] = factors_json(bfs.subgraphs.hub_to_hub);
    json["hub_to_light"] = factors_json(bfs.subgraphs.hub_to_light);
    json["light_to_hub"] = factors_json(bfs.subgraphs.light_to_hub);
  } else {
    json.erase("light_parents");
  }
  return json;
}

Json sssp_json(GraphLayout layout, SsspOptions sssp, int ranks) {
  OptionSet options;
  add_hubs_option(options, layout.hubs);
  add_weighted_columns_option(options, layout.columns);
  add_message_options(options, sssp);
  add_sssp_options(options, sssp);
  Json json = device_json(sssp.device, ranks);
  json.update(values_of(options, KernelKind::sssp));
  return json;
}

Json benchmark_json(BenchmarkOptions options, int ranks) {
  options.device_edges = edge_residence(options, ranks);
  options.edge_folder = makes_edge_file(options) ? edge_folder(options) : "";
  OptionSet of_run;
  add_run_options(of_run, options);
  add_device_edges_options(of_run, options.device_edges, options.device_block);
  Json json = {{"preset", options.preset}};
  json.update(values_of(of_run, options.kernels));
  json.update(bfs_json(options.layout, options.bfs, ranks, options.kernels));
  if (options.kernels.has(KernelKind::sssp)) {
    OptionSet of_paths;
    add_weighted_columns_option(of_paths, options.layout.weighted_columns);
    add_sssp_options(of_paths, options.sssp);
    json.update(values_of(of_paths, KernelKind::sssp));
    json["sssp_packets"] = name_of(options.sssp.messages.packets);
    json["sssp_replicate"] = name_of(options.sssp.replicate);
  }
  json["watchdog"] = options.watchdog_seconds;
  json["calibrate"] = options.calibrate_seconds;
  return json;
}

}  // namespace breadth::cli
