#include "gpu/device_control.hpp"

#include <cstddef>
#include <map>

namespace breadth::gpu {

std::vector<NodePlace> share_gpus(std::span<const std::vector<GpuId>> visible) {
  std::map<GpuId, std::uint32_t> takers;
  std::vector<NodePlace> places;
  for (const std::vector<GpuId>& gpus : visible) {
    NodePlace place;
    for (std::uint32_t i = 1; i < gpus.size(); ++i) {
      if (takers[gpus[i]] < takers[gpus[place.gpu]]) place.gpu = i;
    }
    if (!gpus.empty()) ++takers[gpus[place.gpu]];
    places.push_back(place);
  }
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    if (!visible[rank].empty()) places[rank].sharing = takers[visible[rank][places[rank].gpu]];
  }
  return places;
}

}  // namespace breadth::gpu
