// How much of a device's memory something takes.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/simulated/simulated_device.hpp"

namespace breadth::test {

/// What is gone of a simulated device's memory once make(device) has made something, as long as that lives.
template <class Make>
std::uint64_t bytes_taken(Make&& make) {
  constexpr std::uint64_t all = std::uint64_t{1} << 30;
  const auto memory = std::make_shared<gpu::SimulatedMemory>(all);
  [[maybe_unused]] const auto taken = make(gpu::SimulatedDevice(memory));
  return all - memory->free_bytes();
}

}  // namespace breadth::test
