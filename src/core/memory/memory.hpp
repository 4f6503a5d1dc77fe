// The memory that this process has used and may still use, including the limits of its control groups.
#pragma once

#include <cstdint>
#include <string>

namespace breadth {

// The process and its machine.

/// The peak resident memory of this process in bytes (VmHWM); 0 if the system does not report it.
std::uint64_t peak_resident_bytes();

/// The bytes that this process can still take without swapping: the least of the machine's available memory, the
/// control groups' limit and this process's own limit (ulimit -v). The largest number if the system reports none.
std::uint64_t available_memory_bytes();

/// "1.5 GiB", "640 MiB": bytes as people read them.
std::string bytes_text(std::uint64_t bytes);

/// Makes the system give this process small pages only, even where huge pages are requested. Throws Error if the system
/// refuses.
void refuse_huge_pages();

/// Whether large arrays of this process can be in huge pages: the system has them, and they have not been disabled.
bool huge_pages_possible();

// Control groups.

/// The bytes that this process may still take within the limits of its own control group and all groups above it, of
/// version 1 and 2; the least counts. The largest number if there is no limit. `root` is the folder that contains /proc
/// and the mounted groups, empty for the system's own.
std::uint64_t control_group_bytes(const std::string& root = "");

}  // namespace breadth
