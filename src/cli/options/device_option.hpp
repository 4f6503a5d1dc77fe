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

/// The options of devices. `auto` is resolved only when the machine is examined (settle_device).
struct DeviceSettings {
  std::optional<Device> device = Device::cpu;  ///< none: auto
  std::optional<DeviceControl> control;
  std::optional<DeviceTransport> transport;  ///< none: auto
  /// With auto: an option that only searches on processors support, and the reason.
  std::string processors_only;

  /// The device of searches as far as options determine it: with auto a GPU, unless options exclude it.
  [[nodiscard]] Device candidate() const {
    return device.value_or(processors_only.empty() ? Device::gpu : Device::cpu);
  }
};

/// Adds --device and --device-transport.
void add_device_options(OptionSet& options, DeviceSettings& settings);
/// Adds --device-control.
void add_device_control_option(OptionSet& options, std::optional<DeviceControl>& control);
/// Adds --device-edges and --device-block: how a device keeps the benchmark's edge list.
void add_device_edges_options(OptionSet& options, std::optional<EdgeResidence>& edges, std::uint64_t& block);

/// Checks for options that only searches on processors support, and for layouts that devices do not support. If there
/// is one, throws UsageError if a device is named, or records the reason with auto.
void check_device(const OptionSet& options, DeviceSettings& settings, const GraphLayout& layout);
/// Does the check of check_device for one option whose value only searches on processors support.
void keep_to_processors(const OptionSet& options, DeviceSettings& settings, const Option& option,
                        std::string_view reason);

}  // namespace breadth::cli
