// The control of a search on a device, and the transport between devices.
#pragma once

#include <optional>

#include "core/words.hpp"

namespace breadth {

// The memory through which messages between devices travel.

/// `staged`: copied to the host's memory, sent from there, and copied to the device that answers. Takes any MPI
/// library, and any number of ranks may share a device. `direct`: sent from the memory of one device to that of the
/// other, by an MPI library that can read it. `nccl`: likewise, by NCCL, where each rank has a device of its own.
enum class DeviceTransport { staged, direct, nccl };
constexpr auto words_of(DeviceTransport) {
  return word_list<DeviceTransport>(
      {{DeviceTransport::staged, "staged"}, {DeviceTransport::direct, "direct"}, {DeviceTransport::nccl, "nccl"}});
}

/// Whether messages stay in the memory of devices.
constexpr bool stays_on_devices(DeviceTransport transport) { return transport != DeviceTransport::staged; }

/// `persistent`: the device itself, in one launch. `host`: the processor, which launches phases one by one and reads
/// what each level did; slower, for debugging.
enum class DeviceControl { persistent, host };
constexpr auto words_of(DeviceControl) {
  return word_list<DeviceControl>({{DeviceControl::persistent, "persistent"}, {DeviceControl::host, "host"}});
}

/// What is asked for, or else what there is on so many ranks: between ranks nothing waits on a device.
constexpr DeviceControl control_on(std::optional<DeviceControl> asked, int ranks) {
  return asked.value_or(ranks == 1 ? DeviceControl::persistent : DeviceControl::host);
}

}  // namespace breadth
