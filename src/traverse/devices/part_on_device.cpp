#include "traverse/devices/part_on_device.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "core/errors.hpp"
#include "gpu/search.hpp"

namespace breadth {

gpu::NodePlace place_on_node(const Communicator& ranks, Device device) {
  if (device != Device::gpu) return {};
  const std::vector<gpu::GpuId> mine = run_together(ranks, [] { return gpu::visible_gpus(); });
  const Communicator node = ranks.node();
  const std::vector<std::size_t> counts = node.all_gather(mine.size());
  const std::vector<gpu::GpuId> all = node.all_gather_varying(std::span<const gpu::GpuId>(mine));
  std::vector<std::vector<gpu::GpuId>> visible;
  auto first = all.begin();
  for (const std::size_t count : counts) {
    const auto end = first + static_cast<std::ptrdiff_t>(count);
    visible.emplace_back(first, end);
    first = end;
  }
  return gpu::share_gpus(visible)[static_cast<std::size_t>(node.rank())];
}

void require_own_device(Device device, DeviceTransport transport, const gpu::NodePlace& place) {
  if (device != Device::gpu || transport != DeviceTransport::nccl) return;
  if (place.sharing == 1) return;
  fail(
      "--device-transport nccl takes a GPU for each rank, and {} of this node share one; --device-transport staged "
      "does without",
      place.sharing);
}

void require_memory_on(Device device, const gpu::MemoryPlan& plan, const gpu::NodePlace& place) {
  const gpu::DeviceMemory there = device == Device::gpu ? gpu::cuda_memory(place) : gpu::simulated_memory();
  gpu::require_memory(plan, there.free_bytes, there.device);
}

}  // namespace breadth
