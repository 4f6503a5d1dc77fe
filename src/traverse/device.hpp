// What carries a search out.
#pragma once

namespace breadth {

/// `cpu`: the processors' threads. `gpu`: the first GPU that the program may use. `simulated`: the steps of the GPU on
/// the processor, 32 lanes in lock step, for tests and for machines without a GPU; very slow.
enum class Device { cpu, gpu, simulated };

constexpr const char* name_of(Device device) {
  switch (device) {
    case Device::cpu: return "cpu";
    case Device::gpu: return "gpu";
    case Device::simulated: break;
  }
  return "simulated";
}

}  // namespace breadth
