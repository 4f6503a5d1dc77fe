// Tables that a device needs of a graph besides its rows, and where the classes of rows begin.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

// Tables.

/// The long rows, cut into pieces.
struct Pieces {
  std::vector<std::uint32_t> first;  ///< the first piece of each long row, and the end
  std::vector<std::uint32_t> rows;   ///< the row of each piece
};
/// Cuts the rows with these begins and ends.
Pieces cut_pieces(std::span<const std::uint64_t> begins, std::span<const std::uint64_t> ends);

/// The tables of GraphView and LabelView, in the memory of the host.
struct GraphTables {
  Buffer<std::uint32_t> first_neighbours;  ///< for an empty row the vertex itself, which is unvisited in any pull
  Buffer<std::uint32_t> word_degrees;
  Pieces pieces;
  Buffer<std::uint32_t> connected;
  Buffer<std::uint32_t> before;
};

/// O(vertices + labels / 32).
GraphTables make_tables(const HostGraph& graph, ThreadTeam& threads);

// Classes of rows.

/// The longest row of each class, in edges. RowBounds has the classes.
inline constexpr std::uint32_t lane_edges = 8;
inline constexpr std::uint32_t group_edges = 64;
inline constexpr std::uint32_t pull_group_edges = 128;
inline constexpr std::array<std::uint32_t, 5> class_edges = {1, lane_edges, group_edges, pull_group_edges, piece_edges};

/// The bounds of vertices by falling degree. first(edges) returns the first vertex from which on no vertex has more
/// edges; it is called with values of class_edges. Levels search leaves too, unless they wait for the last pass.
template <class First>
constexpr RowBounds row_bounds(First&& first, std::size_t vertices, bool leaves_last) {
  const auto bound = [&](std::uint32_t edges) { return static_cast<std::uint32_t>(first(edges)); };
  RowBounds bounds{.long_rows = bound(piece_edges),
                   .push_warps = bound(group_edges),
                   .push_groups = bound(lane_edges),
                   .pull_warps = bound(pull_group_edges),
                   .first_leaf = bound(1),
                   .vertices = static_cast<std::uint32_t>(vertices)};
  bounds.searched = leaves_last ? bounds.first_leaf : bounds.vertices;
  return bounds;
}

}  // namespace breadth::gpu
