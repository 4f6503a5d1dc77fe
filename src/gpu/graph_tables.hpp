// What a device wants of a graph beside its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// The long rows, cut.
struct Pieces {
  std::vector<std::uint32_t> first;  ///< of each long row, and the end
  std::vector<std::uint32_t> rows;   ///< of each piece, whose it is
};
/// Of rows that start and end there.
Pieces cut_pieces(std::span<const std::uint64_t> begins, std::span<const std::uint64_t> ends);

/// Tables as GraphView and LabelView want them, in the memory of the host.
struct GraphTables {
  Buffer<std::uint32_t> first_neighbours;  ///< of an empty row the vertex itself: who asks for it is not visited
  Buffer<std::uint32_t> word_degrees;
  Pieces pieces;
  Buffer<std::uint32_t> connected;
  Buffer<std::uint32_t> before;
};

/// O(vertices + labels / 32).
GraphTables make_tables(const HostGraph& graph, ThreadTeam& threads);

}  // namespace breadth::gpu
