// What goes wrong on a GPU.
#pragma once

#include <string>

#include "core/ids.hpp"

namespace breadth::gpu {

/// Throws Error: what was tried, and why it failed. In a file of its own, since nvcc does not compile fmt's headers.
[[noreturn]] void fail_on_gpu(const std::string& what, const std::string& reason);

/// Throws Error for a label that is negative, or of which 32 bits are not enough beside the one for none.
void require_narrow_label(Label label);

}  // namespace breadth::gpu
