// What goes wrong on a GPU.
#pragma once

#include <string>

namespace breadth::gpu {

/// Throws Error: what was tried, and why it failed. In a file of its own, since nvcc does not compile fmt's headers.
[[noreturn]] void fail_on_gpu(const std::string& what, const std::string& reason);

}  // namespace breadth::gpu
