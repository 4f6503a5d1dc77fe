// How much memory this process used and may still use, also within its control groups.
#pragma once

#include <cstdint>
#include <string>

namespace breadth {

// The process and its machine.

/// The most bytes of this process that were ever resident at once (VmHWM), 0 where the system does not tell.
std::uint64_t peak_resident_bytes();

/// Bytes that processes on this machine can still take without swapping, within the control group's limit and this
/// process's own (ulimit -v), whichever is least. The largest number where the system does not tell.
std::uint64_t available_memory_bytes();

/// "1.5 GiB", "640 MiB": bytes as people read them.
std::string bytes_text(std::uint64_t bytes);

/// From now on the system gives this process small pages only, also where huge ones are asked for. Throws Error where
/// it refuses.
void refuse_huge_pages();

/// Whether large arrays of this process may lie in huge pages: the system has them, and nobody refused them.
bool huge_pages_possible();

// Control groups.

/// Bytes that this process may still take within the limits of its own control group and of all groups above it, of
/// version 1 and 2, whichever leaves least; the largest number without a limit. `root` is the folder where /proc and
/// the mounted groups lie, empty for those of the system.
std::uint64_t control_group_bytes(const std::string& root = "");

}  // namespace breadth
