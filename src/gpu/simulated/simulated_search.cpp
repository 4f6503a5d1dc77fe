#include "gpu/bfs/device_search.hpp"
#include "gpu/ranks/device_part.hpp"
#include "gpu/ranks/device_part_paths.hpp"
#include "gpu/search.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "gpu/sssp/device_paths.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, const SearchSettings& settings,
                                              ThreadTeam& threads, std::uint32_t hub_words) {
  return std::make_unique<DeviceSearch<SimulatedDevice>>(SimulatedDevice(hub_words), graph, settings, threads);
}

DeviceMemory simulated_memory() {
  const SimulatedDevice device(0);
  return {device.name(), device.free_bytes()};
}

std::unique_ptr<PartSearch> make_simulated_part(const HostPart& part, ThreadTeam& threads, std::uint32_t shared_words) {
  return make_part_search(SimulatedDevice(shared_words), part, threads);
}

std::unique_ptr<PartPaths> make_simulated_part_paths(const HostPart& part, ThreadTeam& threads) {
  return make_part_paths(SimulatedDevice(0), part, threads);
}

std::unique_ptr<Paths> make_simulated_paths(const HostGraph& graph, const SearchSettings& settings,
                                            ThreadTeam& threads) {
  return std::make_unique<DevicePaths<SimulatedDevice>>(SimulatedDevice(0), graph, settings, threads);
}

}  // namespace breadth::gpu
