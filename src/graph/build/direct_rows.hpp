// Kernel 1 in short, where one rank holds all vertices.
#pragma once

#include <cstdint>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/data/edge_list.hpp"
#include "graph/adjacency.hpp"
#include "graph/local_order.hpp"

namespace breadth {

/// Rows by position, and the order of vertices that positions stand for.
struct DirectRows {
  LocalOrder order;
  Adjacency<std::uint32_t> rows;
};

/// The rows of all vertices, of graphs that builds_directly() names (core/policy/construction.hpp). What one rank sees
/// is all there is of a vertex, so vertices can be put in order before any edge is moved, by the edges that the list
/// has of them, duplicates included; then edges go to the bucket where their rows will stay, under their final names,
/// and are sorted once. (Several ranks have rows by label first, since none knows all names; see
/// graph/build/rows_by_label.hpp.) Reads the list twice. O(m log d); a byte a label for each thread and up to 2 bytes
/// an entry beside the rows.
DirectRows build_directly(const EdgeList& edges, VertexOrder order, const BlockDistribution& distribution,
                          const Context& context);

}  // namespace breadth
