// How much memory this process used and may still use.
#pragma once

#include <cstdint>
#include <string>

namespace breadth {

/// The most bytes of this process that were ever resident at once (VmHWM), 0 where the system does not tell.
std::uint64_t peak_resident_bytes();

/// Bytes that processes on this machine can still take without swapping, within the control group's limit and this
/// process's own (ulimit -v), whichever is least. The largest number where the system does not tell.
std::uint64_t available_memory_bytes();

/// "1.5 GiB", "640 MiB": bytes as people read them.
std::string bytes_text(std::uint64_t bytes);

/// From now on the system gives this process small pages only, whoever asks for huge ones. Throws Error where it cannot
/// be told so.
void refuse_huge_pages();

/// Whether large arrays of this process may lie in huge pages: the system has them, and nobody refused them.
bool huge_pages_possible();

}  // namespace breadth
