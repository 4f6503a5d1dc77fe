// Writing to memory without reading it first.
#pragma once

#include <cstddef>

namespace breadth {

/// Copies whole lines past the cache: for what nobody reads soon. `from` and `to` are multiples of 64, and so is
/// `bytes`. Another thread sees it after this one's hwy::FlushStream().
void copy_streamed(const void* from, void* to, std::size_t bytes);

}  // namespace breadth
