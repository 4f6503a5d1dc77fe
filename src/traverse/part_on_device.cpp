#include "traverse/part_on_device.hpp"

#include "core/errors.hpp"
#include "gpu/search.hpp"

namespace breadth {

gpu::NodePlace place_on_node(const Communicator& ranks) {
  const Communicator node = ranks.node();
  return {static_cast<std::uint32_t>(node.rank()), static_cast<std::uint32_t>(node.size())};
}

void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place) {
  if (device != Device::gpu || transport != DeviceTransport::nccl) return;
  const gpu::DeviceMemory there = gpu::cuda_memory(place);
  if (there.sharing == 1) return;
  fail(
      "--device-transport nccl takes a GPU for each rank, and {} of this node share one ({}); --device-transport "
      "staged "
      "does without",
      there.sharing, there.device);
}

}  // namespace breadth
