// Searches, edge lists and kernel 1 on the simulated device.
#include <cstdint>
#include <memory>
#include <optional>

#include "core/memory/memory.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/build/device_edges.hpp"
#include "gpu/edges.hpp"
#include "gpu/ranks/device_part.hpp"
#include "gpu/ranks/device_part_paths.hpp"
#include "gpu/search.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "gpu/sssp/device_paths.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, const SearchSettings& settings,
                                              ThreadTeam& threads) {
  return std::make_unique<DeviceSearch<SimulatedDevice>>(SimulatedDevice(), graph, settings, threads);
}

DeviceMemory simulated_memory() {
  const SimulatedDevice device;
  return {device.name(), device.free_bytes()};
}

std::unique_ptr<PartSearch> make_simulated_part(const HostPart& part, ThreadTeam& threads) {
  return make_part<PartSearch, DevicePartSearch>(SimulatedDevice(), part, threads);
}

std::unique_ptr<PartPaths> make_simulated_part_paths(const HostPart& part, ThreadTeam& threads) {
  return make_part<PartPaths, DevicePartPaths>(SimulatedDevice(), part, threads);
}

std::unique_ptr<Paths> make_simulated_paths(const HostGraph& graph, const SearchSettings& settings,
                                            ThreadTeam& threads) {
  return std::make_unique<DevicePaths<SimulatedDevice>>(SimulatedDevice(), graph, settings, threads);
}

std::unique_ptr<Edges> make_simulated_edges(const TupleSource& source, ThreadTeam& threads,
                                            std::optional<std::uint64_t> memory_bytes) {
  SimulatedDevice device(std::make_shared<SimulatedMemory>(memory_bytes.value_or(available_memory_bytes())));
  return std::make_unique<DeviceEdges<SimulatedDevice, SimulatedAlgorithms>>(device, source, threads);
}

}  // namespace breadth::gpu
