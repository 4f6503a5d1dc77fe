#include <memory>

#include "core/memory/memory.hpp"
#include "gpu/build/device_edges.hpp"
#include "gpu/edges.hpp"
#include "gpu/simulated/simulated_algorithms.hpp"
#include "gpu/simulated/simulated_device.hpp"

namespace breadth::gpu {

namespace {
/// Words that a block of a search on the simulated device shares.
constexpr std::uint32_t hub_words = 32768;
}  // namespace

std::unique_ptr<Edges> make_simulated_edges(const TupleSource& source, ThreadTeam& threads,
                                            std::uint64_t memory_bytes) {
  SimulatedDevice device(hub_words, std::make_shared<SimulatedMemory>(memory_bytes));
  return std::make_unique<DeviceEdges<SimulatedDevice, SimulatedAlgorithms>>(device, source, threads);
}

std::unique_ptr<Edges> make_simulated_edges(const TupleSource& source, ThreadTeam& threads) {
  return make_simulated_edges(source, threads, available_memory_bytes());
}

}  // namespace breadth::gpu
