// How much memory this process used and may still use.
#pragma once

#include <cstdint>

namespace breadth {

/// The most bytes of this process that were ever resident at once (VmHWM), 0 where the system does not tell.
std::uint64_t peak_resident_bytes();

/// Bytes that processes on this machine can still take without swapping, within the control group's limit, whichever
/// is less. The largest number where the system does not tell.
std::uint64_t available_memory_bytes();

}  // namespace breadth
