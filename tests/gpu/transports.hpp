// Transports between the devices of ranks.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "gpu/node_place.hpp"
#include "gpu/search.hpp"
#include "support/ranks.hpp"
#include "traverse/devices/gpu_part.hpp"

namespace breadth::test {

/// The path of the fake NCCL for simulated devices; empty in a build without MPI.
inline const std::string fake_nccl = BREADTH_FAKE_NCCL;

/// Whether NCCL can connect the GPUs of all ranks.
inline bool have_nccl_between_gpus() {
  try {
    const gpu::NodePlace place = place_on_node(world(), Device::gpu);
    require_own_device(Device::gpu, DeviceTransport::nccl, place);
    (void)gpu::cuda_memory(place);  // selects the GPU
    DeviceExchange(world(), DeviceTransport::nccl);
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// The transports that are available for ranks with this device. Collective.
inline std::vector<DeviceTransport> transports_of(Device device) {
  std::vector<DeviceTransport> transports{DeviceTransport::staged};
  if (device == Device::gpu) {
    if (MessagePassing::reads_device_memory()) transports.push_back(DeviceTransport::direct);
    if (have_nccl_between_gpus()) transports.push_back(DeviceTransport::nccl);
    return transports;
  }
  transports.push_back(DeviceTransport::direct);
  if (fake_nccl.empty()) return transports;
  setenv("NCCL_LIBRARY", fake_nccl.c_str(), 1);
  transports.push_back(DeviceTransport::nccl);
  return transports;
}

}  // namespace breadth::test
