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

void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place) {
  const gpu::DeviceMemory there = device == Device::gpu ? gpu::cuda_memory(place) : gpu::simulated_memory();
  gpu::require_memory(plan, there.free_bytes, there.device);
}

}  // namespace breadth
