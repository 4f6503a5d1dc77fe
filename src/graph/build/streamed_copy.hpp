// Writing to memory without reading it first.
#pragma once

#include <cstddef>

namespace breadth {

/// Copies whole cache lines with stores that bypass the cache, for data that is not read soon. `from`, `to` and `bytes`
/// must be multiples of 64. The copy is visible to another thread after this thread calls hwy::FlushStream().
void copy_streamed(const void* from, void* to, std::size_t bytes);

}  // namespace breadth
