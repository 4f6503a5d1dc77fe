// Measures how much device memory something takes.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/simulated/simulated_device.hpp"

namespace breadth::test {

/// The bytes of a simulated device's memory that the result of make(device) takes while it lives.
template <class Make>
std::uint64_t bytes_taken(Make&& make) {
  constexpr std::uint64_t all = std::uint64_t{1} << 30;
  const auto memory = std::make_shared<gpu::SimulatedMemory>(all);
  [[maybe_unused]] const auto taken = make(gpu::SimulatedDevice(memory));
  return all - memory->free_bytes();
}

}  // namespace breadth::test
