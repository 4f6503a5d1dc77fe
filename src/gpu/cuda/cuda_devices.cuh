// The GPUs of this process.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace breadth::gpu {

/// Throws Error with CUDA's own text for anything but success.
void require_success(cudaError_t status, const char* what);

/// How many GPUs this process may use, at least one. Throws Error where there is none. Uses none of them: nothing is
/// taken of their memory.
std::uint32_t count_gpus();

}  // namespace breadth::gpu
