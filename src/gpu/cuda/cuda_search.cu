// Searches on a GPU.
#include "gpu/bfs/device_search.hpp"
#include "gpu/cuda/cuda_device.cuh"
#include "gpu/ranks/device_part.hpp"
#include "gpu/ranks/device_part_paths.hpp"
#include "gpu/search.hpp"
#include "gpu/sssp/device_paths.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_cuda_search(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads) {
  return std::make_unique<DeviceSearch<CudaDevice>>(CudaDevice(), graph, settings, threads);
}

std::unique_ptr<PartSearch> make_cuda_part(const HostPart& part, const NodePlace& place, ThreadTeam& threads) {
  return make_part<PartSearch, DevicePartSearch>(CudaDevice(place), part, threads);
}

std::unique_ptr<PartPaths> make_cuda_part_paths(const HostPart& part, const NodePlace& place, ThreadTeam& threads) {
  return make_part<PartPaths, DevicePartPaths>(CudaDevice(place), part, threads);
}

DeviceMemory cuda_memory(const NodePlace& place) {
  const CudaDevice device(place);
  // If this is the only rank, the pool may hold memory that an earlier edge list or graph has freed.
  return {device.name(), CudaMemory::of_pool().free_bytes() / place.sharing};
}

std::unique_ptr<Paths> make_cuda_paths(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads) {
  return std::make_unique<DevicePaths<CudaDevice>>(CudaDevice(), graph, settings, threads);
}

}  // namespace breadth::gpu
