#include "cli/device_option.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/errors.hpp"

namespace breadth::cli {

namespace {
/// The preset that changes nothing goes with any device.
bool names_system(const OptionSet& options) {
  const auto values = options.values();
  return std::any_of(values.begin(), values.end(),
                     [](const auto& value) { return value.first == "preset" && value.second != "auto"; });
}
}  // namespace

void add_device_options(OptionSet& options, DeviceSettings& settings) {
  using Choice = std::optional<Device>;
  options.add_choice("device", settings.device,
                     {{"auto", Choice()},
                      {"cpu", Choice(Device::cpu)},
                      {"gpu", Choice(Device::gpu)},
                      {"simulated", Choice(Device::simulated)}},
                     {.meaning = "what carries searches out: the processors, a GPU, for tests the processor in the "
                                 "steps of a GPU, which is slow, or with auto a GPU where there is one that has room "
                                 "for the graph, and else the processors",
                      .source = "Pan et al. 2018, section IV"});
  options.add_choice("device-transport", settings.transport,
                     {{"auto", std::nullopt},
                      {"staged", DeviceTransport::staged},
                      {"direct", DeviceTransport::direct},
                      {"nccl", DeviceTransport::nccl}},
                     {.meaning = "how messages travel between ranks with GPUs: through the hosts' memory, or from one "
                                 "GPU's to the other's by an MPI library that can, or by NCCL, where no two ranks "
                                 "share a GPU; auto: the last of these that this machine has",
                      .source = "Pan et al. 2018, section V-B"});
}

void add_device_control_option(OptionSet& options, std::optional<DeviceControl>& control) {
  options.add_choice(
      "device-control", control,
      {{"auto", std::nullopt}, {"persistent", DeviceControl::persistent}, {"host", DeviceControl::host}},
      {.meaning = "who leads a search on a device from level to level: the device itself, in one launch, "
                  "as one rank has it by default, or the host, a launch a phase, as several ranks have it"});
}

void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block) {
  options.add_choice(
      "device-edges", edges,
      {{"auto", std::nullopt}, {"resident", EdgeResidence::resident}, {"streamed", EdgeResidence::streamed}},
      {.meaning = "whether a device keeps the whole edge list or has it come in blocks whenever it reads it, from "
                  "where --edge-list says, for graphs that leave no room for it; auto keeps it with memory"});
  options.add_number("device-block", block, std::uint64_t{1}, std::uint64_t{1} << 32,
                     {.meaning = "tuples of a block where the edge list is streamed to a device, 8 bytes each"});
}

void keep_to_processors(const OptionSet& options, DeviceSettings& settings, const char* name, const char* reason) {
  if (settings.candidate() == Device::cpu) return;
  if (settings.device) {
    fail<UsageError>("{} and {} exclude each other: {}", options.named(name), options.named("device"), reason);
  }
  settings.processors_only = fmt::format("{} is not for a GPU: {}", options.named(name), reason);
}

void check_device(const OptionSet& options, DeviceSettings& settings, const GraphLayout& layout) {
  for (const char* name : {"device-control", "device-transport", "device-edges", "device-block"}) {
    if (settings.device != Device::cpu || !options.given(name)) continue;
    fail<UsageError>("{} and {} exclude each other: it is for searches on a device", options.named(name),
                     options.named("device"));
  }
  const auto refuse = [&](const char* name, const char* reason) {
    keep_to_processors(options, settings, name, reason);
  };
  if (names_system(options)) refuse("preset", "these systems search on processors");
  if (layout.grid) refuse("partition", "ranks with GPUs have the rows of their own vertices");
  if (layout.adjacency != AdjacencyForm::rows) refuse("adjacency", "a GPU searches plain rows");
  if (layout.order != VertexOrder::degree) refuse("order", "on a GPU ranges of vertices have similar degrees");
  for (const char* name :
       {"pull",         "shared-bits",   "summary",        "replicate",  "ranks-per-node",   "push-ranges",
        "mixed-levels", "fuse-levels",   "small-level",    "subgraphs",  "hub-to-hub",       "hub-to-light",
        "light-to-hub", "coalescing",    "exchange",       "ending",     "packets",          "route",
        "unique",       "monitor",       "group-size",     "groups",     "topology",         "calibrate",
        "profile",      "columns",       "ball",           "hubs-first", "weighted-columns", "fuse",
        "stretch",      "small-stretch", "known-distances"}) {
    if (options.given(name)) refuse(name, "only a search on processors has it");
  }
}

}  // namespace breadth::cli
