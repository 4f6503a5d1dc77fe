#include "cli/options/device_option.hpp"

#include <algorithm>

#include "cli/options/effect.hpp"
#include "core/errors.hpp"

namespace breadth::cli {

namespace {
/// Whether a preset other than `auto` was given; `auto` changes nothing and is allowed with any device.
bool names_system(const OptionSet& options) {
  const auto values = options.values();
  return std::ranges::any_of(values,
                             [](const auto& value) { return value.first == "preset" && value.second != "auto"; });
}
}  // namespace

void add_device_options(OptionSet& options, DeviceSettings& settings) {
  options.add_choice("device", settings.device,
                     {.group = OptionGroup::everyday,
                      .meaning = "processor of searches: cpu, gpu, auto, or simulated (for tests, slow)",
                      .source = "Pan et al. 2018, section IV"});
  options.add_choice(
      "device-transport", settings.transport,
      {.group = OptionGroup::device,
       .meaning = "transport between GPUs: staged in host memory, direct by a GPU-aware MPI, NCCL, or auto",
       .source = "Pan et al. 2018, section V-B",
       .idle = {on_processors}});
}

void add_device_control_option(OptionSet& options, std::optional<DeviceControl>& control) {
  options.add_choice(
      "device-control", control,
      {.group = OptionGroup::device,
       .meaning = "control of a search on a device: persistent, in one launch, or by the host, a launch per phase",
       .idle = {on_processors}});
}

void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block) {
  options.add_choice(
      "device-edges", edges,
      {.group = OptionGroup::device,
       .meaning = "edge list of a device: resident, or streamed in blocks from where --edge-list keeps it",
       .idle = {on_processors}});
  options.add_number("device-block", block, {1, std::uint64_t{1} << 32},
                     {.group = OptionGroup::device,
                      .meaning = "tuples in a block of a streamed edge list, 8 bytes each",
                      .idle = {on_processors}});
}

void keep_to_processors(const OptionSet& options, DeviceSettings& settings, const Option& option,
                        std::string_view reason) {
  if (settings.candidate() == Device::cpu) return;
  if (settings.device) options.refuse(option.name, options.option_of(&settings.device)->name, reason);
  settings.processors_only = fmt::format("{} is not for a GPU: {}", options.named(option.name), reason);
}

void check_device(const OptionSet& options, DeviceSettings& settings, const GraphLayout& layout) {
  const auto keep = [&](const Option* option, const char* reason) {
    keep_to_processors(options, settings, *option, reason);
  };
  if (names_system(options)) keep(options.find("preset"), "the systems of these papers search on processors");
  if (layout.grid) keep(options.option_of(&layout.grid), "a rank with a GPU needs whole rows of its own vertices");
  if (layout.adjacency != AdjacencyForm::rows) {
    keep(options.option_of(&layout.adjacency), "a GPU searches only plain CSR rows");
  }
  if (layout.order != VertexOrder::degree) {
    keep(options.option_of(&layout.order), "a GPU needs vertices in the order of degree");
  }
  for (const Option& option : options.options()) {
    if (option.on_processors && options.given(option.name)) keep(&option, "only searches on processors use it");
  }
}

}  // namespace breadth::cli
