// What the phases of shortest paths on a device work on.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// A tentative path: the bits of its distance above, the vertex before below. Distances are at least 0, so their bits
/// are in the order of the distances.
inline constexpr std::uint32_t infinite_distance = 0x7F800000U;
inline constexpr std::uint64_t no_path = std::uint64_t{infinite_distance} << 32U | ~std::uint32_t{0};

/// The state of a search.
struct PathView {
  ArrayView<std::uint64_t> paths;   ///< of each vertex
  ArrayView<std::uint32_t> stamps;  ///< of each vertex, the last level that it was queued for
  ArrayView<std::uint32_t> piled;   ///< of each vertex, 1 while it is in the pile
};

/// Vertices that are too far for the bucket that is being settled, each once.
struct PileView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> size;  ///< one
};

}  // namespace breadth::gpu
