#include "fuzzed_commands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/commands/profile.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/options/effect.hpp"
#include "cli/options/kernel_options.hpp"
#include "cli/options/presets.hpp"
#include "cli/options/rank_options.hpp"
#include "generate/generators.hpp"

namespace breadth::fuzz {

using cli::Command;
using cli::OptionSet;

struct FuzzedCommands::Settings {
  cli::CommonSettings common;
  GraphLayout layout;
  Kernels kernels = KernelKind::bfs;
  std::optional<EdgeResidence> device_edges;
  std::uint64_t device_block = 1;
  BfsOptions bfs;
  SsspOptions sssp;
  cli::DeviceSettings device;
  cli::Profile profile;
  std::string preset;
  int scale = 0;
  std::array<std::uint64_t, 2> seed = {2, 3};
  std::string file;
  std::string label;
  bool quick = false;
};

FuzzedCommands::FuzzedCommands() : settings_(std::make_unique<Settings>()) {
  Settings& settings = *settings_;
  Command search{.name = "search", .summary = "searches"};
  OptionSet& options = search.options;
  options.add_number("scale", settings.scale, {1, Kronecker::max_scale}, {.meaning = "how large"});
  options.add_pair("seed", settings.seed, {.meaning = "of the random numbers"});
  add_kernels_option(options, settings.kernels);
  add_device_options(options, settings.device);
  add_device_control_option(options, settings.device.control);
  add_device_edges_options(options, settings.device_edges, settings.device_block);
  add_layout_options(options, settings.layout);
  add_hubs_option(options, settings.layout.hubs);
  add_engine_options(options, settings.bfs);
  add_topology_option(options, settings.bfs.messages.route);
  add_sssp_options(options, settings.sssp);
  add_weighted_columns_option(options, settings.layout.weighted_columns);
  add_common_options(options, settings.common);
  add_profile(search, settings.profile);
  add_preset(search, settings.preset);
  search.check = [&settings](const OptionSet& given) {
    check_partition(given, settings.kernels, settings.layout);
    share_options(given, settings.kernels, settings.bfs, settings.sssp);
    check_layout_options(given, settings.layout);
    cli::settle_hub_rule(settings.layout.hubs, settings.bfs);
    check_engine_options(given, settings.bfs, settings.layout);
    check_effect(given, {.bfs = settings.bfs,
                         .sssp = settings.sssp,
                         .layout = settings.layout,
                         .kernels = settings.kernels,
                         .device = settings.device.device});
    check_device(given, settings.device, settings.layout);
  };
  Command show{.name = "show", .summary = "shows"};
  show.options.add_argument("FILE", settings.file, {.meaning = "what to show", .required = true});
  show.options.add_text("label", settings.label, "a label", {.meaning = "of a vertex", .required = true});
  show.options.add_flag("quick", settings.quick, {.meaning = "in a hurry"});
  commands_.push_back(std::move(search));
  commands_.push_back(std::move(show));
}

FuzzedCommands::~FuzzedCommands() = default;

}  // namespace breadth::fuzz
