// The device of a search, and what it reports.
#pragma once

#include <cstdint>
#include <string>

#include "core/words.hpp"

namespace breadth {

// What a search on a device reports beside its levels.

/// Of all searches so far.
struct DeviceRecord {
  std::string name;
  std::uint64_t bytes = 0;   ///< of the memory of all ranks' devices, for the graph and its search
  std::uint64_t copies = 0;  ///< of results to the host, one a search
  double copy_seconds = 0;   ///< that they took together; not in the searches' seconds
};

/// `cpu`: the processors' threads. `gpu`: the first GPU that the program may use. `simulated`: the steps of the GPU on
/// the processor, 32 lanes in lock step, for tests and for machines without a GPU; very slow.
enum class Device { cpu, gpu, simulated };
constexpr auto words_of(Device) {
  return word_list<Device>({{Device::cpu, "cpu"}, {Device::gpu, "gpu"}, {Device::simulated, "simulated"}});
}

}  // namespace breadth
