// What a device wants of a graph beside its rows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/buffer.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Tables as GraphView and LabelView want them, in the memory of the host.
struct GraphTables {
  Buffer<std::uint32_t> first_neighbours;
  Buffer<std::uint32_t> word_degrees;
  std::vector<std::uint32_t> first_pieces;
  std::vector<std::uint32_t> piece_rows;
  Buffer<std::uint32_t> connected;
  Buffer<std::uint32_t> before;
};

/// O(vertices + labels / 32).
GraphTables make_tables(const HostGraph& graph, ThreadTeam& threads);

}  // namespace breadth::gpu
