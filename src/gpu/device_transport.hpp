// By way of what memory ranks' devices tell each other of vertices.
#pragma once

namespace breadth {

/// `staged`: copied to the host's memory, sent from there, and copied to the device that answers. Takes any MPI
/// library, and any number of ranks may share a device. `direct`: sent from the memory of one device to that of the
/// other, by an MPI library that can read it. `nccl`: likewise, by NCCL, where each rank has a device of its own.
enum class DeviceTransport { staged, direct, nccl };

constexpr const char* name_of(DeviceTransport transport) {
  switch (transport) {
    case DeviceTransport::staged: return "staged";
    case DeviceTransport::direct: return "direct";
    case DeviceTransport::nccl: break;
  }
  return "nccl";
}

/// Whether messages stay in the memory of devices.
constexpr bool stays_on_devices(DeviceTransport transport) { return transport != DeviceTransport::staged; }

}  // namespace breadth
