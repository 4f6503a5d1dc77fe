#include "cli/options/presets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace breadth::cli {

namespace {
using Values = std::vector<std::pair<std::string, std::string>>;

/// A paper's system. None of them has a head, visits leaves apart, or lets one thread push alone.
struct System {
  const char* adjacency = "rows";
  const char* order = "label";
  const char* neighbours = "vertices";
  const char* direction = "auto";
  const char* summary = "none";
  const char* exchange = "asynchronous";
  const char* packets = "runs";
  Values more = {};
};
Values values_of(const System& system) {
  Values values = {{"adjacency", system.adjacency},
                   {"order", system.order},
                   {"neighbours", system.neighbours},
                   {"columns", "0"},
                   {"direction", system.direction},
                   {"summary", system.summary},
                   {"leaves", "levels"},
                   {"push-ranges", "off"},
                   {"fuse-levels", "off"},
                   {"adaptive-levels", "off"},
                   {"small-level", "0"},
                   {"exchange", system.exchange},
                   {"packets", system.packets}};
  values.insert(values.end(), system.more.begin(), system.more.end());
  return values;
}

const std::vector<Preset> all_presets = {
    {.name = "auto",
     .meaning = "the defaults; on several ranks, options that calibration shows to be faster (--calibrate)",
     .differs = {},
     .source = {},
     .values = {}},
    // 32 KiB a destination, 13 bytes a query inside a node (its aml.c).
    {.name = "reference",
     .meaning = "the plain push of the Graph500 reference; SSSP with buckets of its one width",
     .differs = {},
     .source = "Graph500 reference, release 3.0",
     .values =
         values_of({.neighbours = "labels",
                    .direction = "push",
                    .packets = "pairs",
                    .more = {{"coalescing", "2520"}, {"sweeps", "off"}, {"delta", "0.1"}, {"weighted-columns", "0"}}})},
    {.name = "fuentes2014",
     .meaning = "asynchronous push: a query of 16 bytes per edge, 256 queries per message",
     .differs = {},
     .source = "Fuentes et al. 2014, sections III and IV",
     .values =
         values_of({.neighbours = "labels", .direction = "push", .packets = "pairs", .more = {{"coalescing", "256"}}})},
    {.name = "cui2012",
     .meaning = "both directions; a frontier with a summary that a node has once and its ranks move together",
     .differs = {},
     .source = "Cui et al. 2012, sections II and III",
     .values = values_of({.neighbours = "labels",
                          .summary = "256",
                          .packets = "pairs",
                          .more = {{"coalescing", "256"}, {"replicate", "subgroups"}}})},
    {.name = "checconi2014",
     .meaning = "both directions by messages; a coarse index, compressed packets, hubs on every rank",
     .differs = "no threads that only send; a rule of Breadth's own for which vertices are hubs",
     .source = "Checconi & Petrini 2014, sections II and III",
     .values = values_of(
         {.adjacency = "coarse-index",
          .packets = "compressed",
          .more = {{"hubs", "auto"}, {"hub-masks", "nonblocking"}, {"pull", "messages"}, {"ending", "counts"}}})},
    {.name = "pan2018",
     .meaning = "hubs (delegates), a direction per degree-separated subgraph, bulk exchange between nodes",
     .differs = "ranks where the paper has GPUs; no --unique on, which the paper found to gain nothing",
     .source = "Pan et al. 2018, sections III to VI",
     .values = values_of({.exchange = "bulk",
                          .more = {{"hubs", "auto"},
                                   {"hub-masks", "two-phase"},
                                   {"subgraphs", "apart"},
                                   {"light-parents", "end"},
                                   {"route", "local"}}})},
    {.name = "tianhe2021",
     .meaning = "vertices by falling degree, hubs above 99 edges, messages between groups through monitors",
     .differs = "groups are nodes unless they are given; pulls have a replicated frontier",
     .source = "Gan & Zhang 2021, sections 4.1 to 4.3",
     .values = values_of({.order = "degree",
                          .more = {{"hubs", "99"},
                                   {"hub-masks", "blocking"},
                                   {"route", "monitor"},
                                   {"monitor", "orchestra"},
                                   {"shared-bits", "all"}}})},
};
}  // namespace

std::span<const Preset> presets() { return all_presets; }

namespace {
/// For all that a preset gives to a command that has the option and did not get it otherwise.
void set_defaults(const std::string& name, OptionSet& options) {
  const auto all = presets();
  const auto preset = std::ranges::find(all, name, &Preset::name);
  for (const auto& [option_name, value] : preset->values) {
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
      {.group = OptionGroup::everyday, .meaning = "values of a paper's system for options that are not given"});
  command.complete = [&name, further = command.complete](OptionSet& options) {
    set_defaults(name, options);
    further(options);
  };
}

std::string preset_text(const Preset& preset) {
  std::string text = fmt::format("{}\n    {}\n", preset.name, preset.meaning);
  if (!preset.values.empty()) {
    text += "    sets:";
    for (const auto& [option, value] : preset.values) text += fmt::format(" --{} {}", option, value);
    text += "\n";
  }
  if (!preset.source.empty()) text += fmt::format("    from: {}\n", preset.source);
  if (!preset.differs.empty()) text += fmt::format("    differs: {}\n", preset.differs);
  return text;
}

std::string presets_text() {
  std::string text = "Presets (--preset), each a set of values that are weaker than all that you give:\n\n";
  for (const Preset& preset : presets()) text += preset_text(preset);
  return text;
}

}  // namespace breadth::cli
