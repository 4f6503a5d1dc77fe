// The choices of --device auto and --device-transport auto on this machine.
#pragma once

#include <functional>
#include <optional>

#include "cli/options/device_option.hpp"
#include "comm/communicator.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

/// The device and transport of searches.
struct SettledDevice {
  Device device = Device::cpu;
  DeviceTransport transport = DeviceTransport::staged;
  std::optional<DeviceChoice> choice;  ///< if --device is auto
};

/// The device options for searches.
inline DeviceOptions device_options(const SettledDevice& settled, const DeviceSettings& settings) {
  return {.kind = settled.device, .control = settings.control, .transport = settled.transport};
}

/// Does the check of check_device (device_option.hpp) for kernels that only processors run.
void check_device_of(const OptionSet& options, DeviceSettings& settings, const Kernels& kernels);

/// The default transport between devices of several ranks: NCCL if it can be loaded and each rank has its own GPU;
/// otherwise an MPI library that reports that it reads GPU memory; otherwise staged, as on simulated devices.
/// Collective.
DeviceTransport choose_transport(Device device, const Communicator& ranks);

/// Throws AgreedError if a named device is not available. With auto it takes a GPU or, if that is not available,
/// processors, and gives the reason. `require(device, transport)` throws one error on all ranks if the device has too
/// little memory. Collective.
SettledDevice settle_device(
    const DeviceSettings& settings, const Communicator& ranks,
    const std::function<void(Device, DeviceTransport)>& require = [](Device, DeviceTransport) {});

/// Calls make(device), which throws if the device does not support the graph or has too little memory for it. With
/// auto, processors are then used instead. Collective.
void make_search(SettledDevice& settled, const std::function<void(Device)>& make);

/// Prints one line on standard error, on the first rank: what auto chose, and why.
void print_choice(const std::optional<DeviceChoice>& choice, const Communicator& ranks);

}  // namespace breadth::cli
