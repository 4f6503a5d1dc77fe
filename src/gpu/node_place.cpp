#include "gpu/node_place.hpp"

#include <chrono>
#include <cstddef>
#include <map>

#include "core/errors.hpp"

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

std::uint64_t host_nanoseconds() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

void fail_on_gpu(const std::string& what, const std::string& reason) { fail("{} failed: {}", what, reason); }

void require_narrow_label(Label label) {
  if (label.value < 0) fail("the edge list has label {}: labels start at 0", label.value);
  constexpr std::int64_t bound = 0xFFFFFFFF;
  if (label.value >= bound) fail("the edge list has label {}: on a GPU labels are below 2^32 - 1", label.value);
}

}  // namespace breadth::gpu
