// Shorter ways to many vertices at once, by their lightest edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/frontier.hpp"

namespace breadth {

/// One edge of each vertex: its other end under both names, and its weight.
struct WeightedColumn {
  const std::uint32_t* positions;
  const std::uint32_t* labels;
  const float* weights;
};

/// What is known before a sweep over vertices, and what for.
struct SweepBounds {
  float base;     ///< no neighbour that is nearer than this has anything to give
  float settled;  ///< vertices that are no farther away than this are left alone
  float limit;    ///< distances from here on count as infinite
};

/// What pull_from_columns did with some vertices. Each list has room for all of them and most_lanes more.
struct PulledVertices {
  std::uint32_t* improved;    ///< those that came closer
  std::uint32_t* unfinished;  ///< those whose last column was not enough
  std::size_t improved_count = 0;
  std::size_t unfinished_count = 0;
  std::uint64_t edges_examined = 0;
};

/// For vertices [begin, end): looks along the columns, which are by rising weight, for as long as base + weight is less
/// than the vertex's distance, and takes distances and parents that are shorter. Adds to `pulled`. Neighbours'
/// distances are read `by_position`, where the vertices' own may lie too; other threads may lower them meanwhile: each
/// is read once. Positions are below 2^31. O(vertices * columns).
void pull_from_columns(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin,
                       std::size_t end, const float* by_position, float* distances, std::uint32_t* parents,
                       PulledVertices& pulled);

}  // namespace breadth
