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

void add_device_option(OptionSet& options, Device& device) {
  options.add_choice("device", device, {{"cpu", Device::cpu}, {"gpu", Device::gpu}, {"simulated", Device::simulated}},
                     {.group = OptionGroup::everyday,
                      .meaning = "processor of searches: cpu, gpu, or simulated (for tests, slow)",
                      .source = "Pan et al. 2018, section IV"});
}

void add_device_options(OptionSet& options, Device& device, std::optional<DeviceControl>& control) {
  add_device_option(options, device);
  options.add_choice(
      "device-control", control,
      {{"auto", std::nullopt}, {"persistent", DeviceControl::persistent}, {"host", DeviceControl::host}},
      {.group = OptionGroup::device,
       .meaning = "control of a search on a device: persistent, in one launch, or by the host, a launch per phase"});
}

void add_device_transport_option(OptionSet& options, DeviceTransport& transport) {
  options.add_choice(
      "device-transport", transport,
      {{"staged", DeviceTransport::staged}, {"direct", DeviceTransport::direct}, {"nccl", DeviceTransport::nccl}},
      {.group = OptionGroup::device,
       .meaning = "transport between GPUs: staged in host memory, direct by a GPU-aware MPI library, or by NCCL",
       .source = "Pan et al. 2018, section V-B"});
}

void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block) {
  options.add_choice(
      "device-edges", edges,
      {{"auto", std::nullopt}, {"resident", EdgeResidence::resident}, {"streamed", EdgeResidence::streamed}},
      {.group = OptionGroup::device,
       .meaning = "edge list of a device: resident, or streamed in blocks from where --edge-list keeps it"});
  options.add_number(
      "device-block", block, std::uint64_t{1}, std::uint64_t{1} << 32,
      {.group = OptionGroup::device, .meaning = "tuples in a block of a streamed edge list, 8 bytes each"});
}

void keep_to_processors(const OptionSet& options, Device device, const char* name, const char* reason) {
  if (device == Device::cpu) return;
  fail<UsageError>("{} and {} exclude each other: {}", options.named(name), options.named("device"), reason);
}

void check_device(const OptionSet& options, Device device, const GraphLayout& layout) {
  for (const char* name : {"device-control", "device-transport", "device-edges", "device-block"}) {
    if (device != Device::cpu || !options.given(name)) continue;
    fail<UsageError>("{} and {} exclude each other: it is for searches on a device", options.named(name),
                     options.named("device"));
  }
  const auto refuse = [&](const char* name, const char* reason) { keep_to_processors(options, device, name, reason); };
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
