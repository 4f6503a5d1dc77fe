// Searches on a GPU.
#include "gpu/cuda_device.cuh"
#include "gpu/device_search.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_cuda_search(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads) {
  return std::make_unique<DeviceSearch<CudaDevice>>(CudaDevice(), graph, settings, threads);
}

void require_cuda() { (void)CudaDevice(); }

DeviceMemory cuda_memory() {
  const CudaDevice device;
  return {device.name(), device.free_bytes()};
}

}  // namespace breadth::gpu
