#include "gpu/gpu_error.hpp"

#include "core/errors.hpp"

namespace breadth::gpu {

void fail_on_gpu(const std::string& what, const std::string& reason) { fail("{} failed: {}", what, reason); }

void require_narrow_label(Label label) {
  if (label.value < 0) fail("the edge list has label {}: labels start at 0", label.value);
  constexpr std::int64_t bound = 0xFFFFFFFF;
  if (label.value >= bound) fail("the edge list has label {}: on a GPU labels are below 2^32 - 1", label.value);
}

}  // namespace breadth::gpu
