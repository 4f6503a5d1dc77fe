#include "gpu/device_search.hpp"
#include "gpu/search.hpp"
#include "gpu/simulated_device.hpp"

namespace breadth::gpu {

std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, const SearchSettings& settings,
                                              ThreadTeam& threads, std::uint32_t hub_words) {
  return std::make_unique<DeviceSearch<SimulatedDevice>>(SimulatedDevice(hub_words), graph, settings, threads);
}

}  // namespace breadth::gpu
