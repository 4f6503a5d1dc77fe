// The GPUs of this process.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace breadth::gpu {

/// Throws Error with CUDA's message unless the status is success.
void require_success(cudaError_t status, const char* what);

/// The number of GPUs that this process may use, at least one. Throws Error if there is none. Takes no memory of any
/// GPU.
std::uint32_t count_gpus();

}  // namespace breadth::gpu
