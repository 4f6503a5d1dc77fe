// An array in the memory of a device.
#pragma once

#include <cstdint>

namespace breadth::gpu {

/// Borrowed by a phase. Only a warp (LockStepWarp, CudaWarp) reads or writes it; the size is for the warp's checks.
template <class T>
struct ArrayView {
  T* data = nullptr;
  std::uint64_t size = 0;
};

}  // namespace breadth::gpu
