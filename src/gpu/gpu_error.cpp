#include "gpu/gpu_error.hpp"

#include "core/errors.hpp"

namespace breadth::gpu {

void fail_on_gpu(const std::string& what, const std::string& reason) { fail("{} failed: {}", what, reason); }

}  // namespace breadth::gpu
