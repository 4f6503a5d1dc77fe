// What control groups leave a process of memory.
#pragma once

#include <cstdint>
#include <string>

namespace breadth {

/// Bytes that this process may still take within the limits of its own control group and of all groups above it, of
/// version 1 and 2, whichever leaves least; the largest number without a limit. `root` is the folder where /proc and
/// the mounted groups lie, empty for those of the system.
std::uint64_t control_group_bytes(const std::string& root = "");

}  // namespace breadth
