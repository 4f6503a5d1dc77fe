// Which vertices a sweep is of.
#pragma once

#include <cstdint>

namespace breadth::gpu {

/// A range of vertices.
struct SweepSection {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The most connected vertices are swept first, since most paths lead over them: the first 64th, 16th and quarter, each
/// first without what has been swept before, then whole. Then the others.
inline constexpr std::uint32_t partial_sweeps = 7;
/// And then all, until a sweep improves no more than one in so many vertices, or so often.
inline constexpr std::uint32_t few_of_vertices = 512;
inline constexpr std::uint32_t most_sweeps = 16;

/// Of the first so many vertices, the one after `done` sweeps.
constexpr SweepSection sweep_section(std::uint32_t done, std::uint32_t vertices) {
  if (done >= partial_sweeps) return {0, vertices};
  const std::uint32_t step = done / 2;
  const std::uint32_t end = step < 3 ? vertices >> (6 - 2 * step) : vertices;
  const std::uint32_t swept = step == 0 ? 0 : vertices >> (8 - 2 * step);
  return {done % 2 == 0 ? swept : 0, end};
}

}  // namespace breadth::gpu
