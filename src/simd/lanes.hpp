// How long vectors get.
#pragma once

#include <cstddef>

namespace breadth {

/// Vertex numbers that a vector holds at most, on any machine: as many as a word of a bitmap has bits.
inline constexpr std::size_t most_lanes = 64;

}  // namespace breadth
