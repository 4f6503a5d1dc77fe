// What --device auto and --device-transport auto come to on this machine.
#pragma once

#include <functional>
#include <optional>

#include "cli/options/device_option.hpp"
#include "comm/communicator.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

/// Where searches are carried out.
struct SettledDevice {
  Device device = Device::cpu;
  DeviceTransport transport = DeviceTransport::staged;
  std::optional<DeviceChoice> choice;  ///< of --device auto
};

/// It as searches are given it.
inline DeviceOptions device_options(const SettledDevice& settled, const DeviceSettings& settings) {
  return {.kind = settled.device, .control = settings.control, .transport = settled.transport};
}

/// As check_device (device_option.hpp), for kernels that only processors run.
void check_device_of(const OptionSet& options, DeviceSettings& settings, const Kernels& kernels);

/// How devices of several ranks exchange messages if nothing is said of it: by NCCL where that can be loaded and each
/// rank has a GPU of its own, else by an MPI library that says that it reads GPUs' memory, else staged, as on simulated
/// devices. Collective.
DeviceTransport choose_transport(Device device, const Communicator& ranks);

/// Throws AgreedError where the device that is named cannot be had. With auto it takes a GPU or, if that cannot be had,
/// processors, with the reason. `require(device, transport)` throws the same on all ranks where that has too little
/// room. Collective.
SettledDevice settle_device(
    const DeviceSettings& settings, const Communicator& ranks,
    const std::function<void(Device, DeviceTransport)>& require = [](Device, DeviceTransport) {});

/// Calls make(device), which throws where the graph is not for that device, or does not fit. With auto, processors then
/// take its place. Collective.
void make_search(SettledDevice& settled, const std::function<void(Device)>& make);

/// One line on standard error: what auto took, and why. The first rank prints.
void print_choice(const std::optional<DeviceChoice>& choice, const Communicator& ranks);

}  // namespace breadth::cli
