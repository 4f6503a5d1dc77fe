// Options of devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/options/option_set.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph500/report/report.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// What the options of devices say. It takes a look at the machine to know what `auto` comes to (settle_device).
struct DeviceSettings {
  std::optional<Device> device = Device::cpu;  ///< none: auto
  std::optional<DeviceControl> control;
  std::optional<DeviceTransport> transport;  ///< none: auto
  /// With auto: an option that only searches on processors have, and why.
  std::string processors_only;

  /// The device that searches would be on as far as options tell: with auto a GPU unless they exclude it.
  [[nodiscard]] Device candidate() const {
    return device.value_or(processors_only.empty() ? Device::gpu : Device::cpu);
  }
};

/// --device and --device-transport.
void add_device_options(OptionSet& options, DeviceSettings& settings);
/// --device-control.
void add_device_control_option(OptionSet& options, std::optional<DeviceControl>& control);
/// --device-edges and --device-block: how the edge list of the benchmark is there.
void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block);

/// Looks for an option that only searches on processors look at, and for a layout that others cannot have. Throws
/// UsageError if a device is named beside it; with auto it is noted. Throws UsageError for options of devices where
/// processors are named.
void check_device(const OptionSet& options, DeviceSettings& settings, const GraphLayout& layout);
/// The same for an option whose value only searches on processors can have.
void keep_to_processors(const OptionSet& options, DeviceSettings& settings, const Option& option,
                        std::string_view reason);

}  // namespace breadth::cli
