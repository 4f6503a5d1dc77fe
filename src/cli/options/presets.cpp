#include "cli/options/presets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/common_options.hpp"
#include "cli/options/kernel_options.hpp"

namespace breadth::cli {

namespace {
/// Turns off features that no paper's system has: a head, leaves that are visited apart, pushes by ranges, fused
/// levels, and levels on one thread.
System as_in_paper(System system) {
  system.layout.columns = 0;
  system.bfs.leaves_last = false;
  system.bfs.push_ranges = false;
  system.bfs.fuse_levels = false;
  system.bfs.adaptive_levels = false;
  system.bfs.small_level = 0;
  return system;
}

using Values = std::vector<std::pair<std::string, std::string>>;

/// The values of all options that a preset may set.
Values all_values_of(System system) {
  OptionSet options;
  add_layout_options(options, system.layout);
  add_hubs_option(options, system.layout.hubs);
  add_weighted_columns_option(options, system.layout.weighted_columns);
  add_engine_options(options, system.bfs);
  add_sssp_options(options, system.sssp);
  Values values;
  for (const Option& option : options.options()) {
    if (option.show) values.emplace_back(option.name, option.show());
  }
  return values;
}

const std::vector<Preset> all_presets = {
    {.name = "auto",
     .meaning = "the defaults; on several ranks, options that calibration shows to be faster (--calibrate)"},
    // In the reference's aml.c a message holds 32 KiB, and a query takes 13 bytes inside a node.
    {.name = "reference",
     .meaning = "the plain push of the Graph500 reference; SSSP with the reference's bucket width",
     .source = "Graph500 reference, release 3.0",
     .system =
         System{.layout = {.order = VertexOrder::label, .neighbours = NeighbourOrder::labels, .weighted_columns = 0},
                .bfs = {.direction = {.policy = DirectionPolicy::push},
                        .messages = {.coalescing = 2520, .packets = PacketFormat::pairs}},
                .sssp = {.delta = 0.1, .sweeps = false}}},
    {.name = "fuentes2014",
     .meaning = "asynchronous push: a query of 16 bytes per edge, 256 queries per message",
     .source = "Fuentes et al. 2014, sections III and IV",
     .system = System{.layout = {.order = VertexOrder::label, .neighbours = NeighbourOrder::labels},
                      .bfs = {.direction = {.policy = DirectionPolicy::push},
                              .messages = {.coalescing = 256, .packets = PacketFormat::pairs}}}},
    {.name = "cui2012",
     .meaning = "both directions; one copy of the frontier and its summary per node, exchanged by all its ranks",
     .source = "Cui et al. 2012, sections II and III",
     .system = System{.layout = {.order = VertexOrder::label, .neighbours = NeighbourOrder::labels},
                      .bfs = {.summary = 256,
                              .replication = {.how = Replication::subgroups},
                              .messages = {.coalescing = 256, .packets = PacketFormat::pairs}}}},
    {.name = "checconi2014",
     .meaning = "both directions by messages; a coarse index, compressed packets, hubs on every rank",
     .differs = "no threads only for sending; hubs are chosen by Breadth's own rule",
     .source = "Checconi & Petrini 2014, sections II and III",
     .system = System{.layout = {.adjacency = AdjacencyForm::coarse_index,
                                 .order = VertexOrder::label,
                                 .hubs = {.rule = HubRule::automatic}},
                      .bfs = {.pull = PullPolicy::messages,
                              .hub_masks = HubMaskPolicy::nonblocking,
                              .messages = {.ending = Termination::counts, .packets = PacketFormat::compressed}}}},
    {.name = "pan2018",
     .meaning = "hubs (delegates), a direction per degree-separated subgraph, bulk exchange between nodes",
     .differs = "ranks instead of the paper's GPUs; no --unique on, which gained nothing in the paper",
     .source = "Pan et al. 2018, sections III to VI",
     .system = System{.layout = {.order = VertexOrder::label, .hubs = {.rule = HubRule::automatic}},
                      .bfs = {.hub_masks = HubMaskPolicy::two_phase,
                              .subgraphs = {.policy = SubgraphPolicy::apart, .light_parents = LightParents::at_end},
                              .messages = {.exchange = ExchangePolicy::bulk,
                                           .packets = PacketFormat::runs,
                                           .route = {.policy = RoutePolicy::local}}}}},
    {.name = "tianhe2021",
     .meaning = "vertices by falling degree, hubs above 99 edges, messages between groups through monitors",
     .differs = "groups are nodes unless you give groups; pulls use a replicated frontier",
     .source = "Gan & Zhang 2021, sections 4.1 to 4.3",
     .system = System{
         .layout = {.order = VertexOrder::degree, .hubs = {.rule = HubRule::degree, .degree = 99}},
         .bfs = {.replication = {.bits = SharedBits::all},
                 .hub_masks = HubMaskPolicy::blocking,
                 .messages = {.packets = PacketFormat::runs,
                              .route = {.policy = RoutePolicy::monitor, .monitors = MonitorPolicy::orchestra}}}}}};
}  // namespace

std::span<const Preset> presets() { return all_presets; }

std::vector<std::pair<std::string, std::string>> values_of(const Preset& preset) {
  if (!preset.system) return {};
  const Values by_default = all_values_of({});
  Values values = all_values_of(as_in_paper(*preset.system));
  std::erase_if(values,
                [&by_default](const auto& value) { return std::ranges::find(by_default, value) != by_default.end(); });
  return values;
}

namespace {
/// Sets the defaults that a preset gives, for options that the command has and that were not given otherwise.
void set_defaults(const std::string& name, OptionSet& options) {
  const auto all = presets();
  const auto preset = std::ranges::find(all, name, &Preset::name);
  for (const auto& [option_name, value] : values_of(*preset)) {
    const Option* option = options.find(option_name);
    if (option != nullptr && !options.given(option_name)) options.set_default(*option, value, "of --preset " + name);
  }
}
}  // namespace

void add_preset(Command& command, std::string& name) {
  name = presets().front().name;
  std::vector<std::pair<std::string, std::string>> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name, preset.name);
  command.options.add_choice(
      "preset", name, names,
      {.group = OptionGroup::everyday, .meaning = "values of a paper's system, for the options that you do not give"});
  command.complete = [&name, further = command.complete](OptionSet& options) {
    set_defaults(name, options);
    further(options);
  };
}

std::string preset_text(const Preset& preset) {
  std::string text = fmt::format("{}\n    {}\n", preset.name, preset.meaning);
  if (preset.system) {
    text += "    sets:";
    for (const auto& [option, value] : values_of(preset)) text += fmt::format(" --{} {}", option, value);
    text += "\n";
  }
  if (!preset.source.empty()) text += fmt::format("    from: {}\n", preset.source);
  if (!preset.differs.empty()) text += fmt::format("    differs: {}\n", preset.differs);
  return text;
}

std::string presets_text() {
  std::string text = "Presets (--preset): values that replace the defaults; options that you give override them:\n\n";
  for (const Preset& preset : presets()) text += preset_text(preset);
  return text;
}

}  // namespace breadth::cli
