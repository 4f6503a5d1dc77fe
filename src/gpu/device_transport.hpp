// By way of what memory ranks' devices tell each other of vertices.
#pragma once

namespace breadth {

/// `staged`: copied to the host's memory, sent from there, and copied to the device that answers. Takes any MPI
/// library, and any number of ranks may share a device. `direct`: sent from the memory of one device to that of the
/// other, by an MPI library that can read it.
enum class DeviceTransport { staged, direct };

constexpr const char* name_of(DeviceTransport transport) {
  return transport == DeviceTransport::staged ? "staged" : "direct";
}

}  // namespace breadth
