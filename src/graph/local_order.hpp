// The order of a rank's vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"

namespace breadth {

/// An order of those labels of a block that have edges.
struct LocalOrder {
  Buffer<std::uint32_t> local_of_offset;  ///< place in the order of the i-th label; no_local_vertex without edges
  Buffer<std::uint32_t> offset_of_local;  ///< the reverse
};

/// Orders the labels of a block that have edges, these counted as the caller counts them. By degree they fall into
/// bins (core/degree_bins.hpp). Inside a bin labels keep their order, so that a walk over all labels meets each bin's
/// vertices in sequence (Gan & Zhang 2021, section 4.1, sorts fully; bins keep its locality and make the way back to
/// labels sequential). O(labels).
LocalOrder order_vertices(VertexOrder order, std::span<const std::uint32_t> degrees, ThreadTeam& threads);

/// The first of vertices [first, end) from which on each has at most so many edges; `degree` tells a vertex's. Where
/// the order counted duplicates, single vertices before have as few. O(vertices from there on).
template <class Degree>
std::size_t first_with_at_most(std::size_t edges, IndexRange vertices, Degree&& degree) {
  std::size_t first = vertices.end;
  while (first > vertices.begin && degree(LocalVertex{static_cast<std::uint32_t>(first - 1)}) <= edges) --first;
  return first;
}

}  // namespace breadth
