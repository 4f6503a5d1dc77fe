// Mapped files that end before their mappings do.
#pragma once

#include <cstddef>

namespace breadth {

/// Ranges of memory that are guarded at one time.
inline constexpr std::size_t most_guarded_ranges = 64;

/// From now on a read in [data, data + bytes), whole pages of a mapped file, that the file cannot serve ends the
/// file's part of the range there: zeros take its place. Returns the guarded range's number, most_guarded_ranges when
/// there are too many. Any thread.
std::size_t guard_range(const void* data, std::size_t bytes) noexcept;
/// Before the range is unmapped.
void end_guard(std::size_t range) noexcept;
/// Whether zeros took the place of a part of the range. A thread that has read such a zero gets true.
bool range_is_cut(std::size_t range) noexcept;

}  // namespace breadth
