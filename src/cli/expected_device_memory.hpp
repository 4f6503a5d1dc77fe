// What the benchmark's graph will take of a GPU's memory.
#pragma once

#include <cstdint>

#include "gpu/memory_plan.hpp"

namespace breadth::cli {

/// Of the expected Kronecker graph (model/kronecker_size.hpp) and its search.
gpu::MemoryPlan expected_device_memory(int scale, std::uint64_t edgefactor);

}  // namespace breadth::cli
