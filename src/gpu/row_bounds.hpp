// Where classes of rows begin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/degree_order.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// Of vertices by falling degree, which `degree` tells. Leaves are searched with the others unless they wait for the
/// last pass. O(log vertices).
template <class Degree>
RowBounds row_bounds(Degree&& degree, std::size_t vertices, bool leaves_last) {
  constexpr std::size_t lane_edges = 8;
  constexpr std::size_t group_edges = 64;
  constexpr std::size_t asked_edges = 128;
  const auto first = [&](std::size_t edges) {
    return static_cast<std::uint32_t>(first_with_at_most(edges, {0, vertices}, degree));
  };
  RowBounds bounds{.pieces = first(piece_edges),
                   .warps = first(group_edges),
                   .groups = first(lane_edges),
                   .asked = first(asked_edges),
                   .longer = first(1),
                   .vertices = static_cast<std::uint32_t>(vertices)};
  bounds.searched = leaves_last ? bounds.longer : bounds.vertices;
  return bounds;
}

}  // namespace breadth::gpu
