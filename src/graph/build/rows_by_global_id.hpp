// The second half of kernel 1: from rows of labels to rows of global ids in degree order.
#pragma once

#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/hub_rows.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// Renames every neighbour from its label to its global id and puts rows and neighbours in their order. `rows` is used
/// up: its memory goes back to the system as the adjacency grows, so that the two never stand beside each other whole.
/// `local_of_offset` has the local id of each label of this rank's block; every rank gets every other's once, a few
/// tables at a time. Entry says what rows are sorted by. Rows is an Adjacency or, without weights and with neighbours
/// in the order of vertices, a CompressedAdjacency. Rows of hubs come apart. Collective. O(m log d). Throws AgreedError
/// where memory is short.
template <class Rows, class Entry>
Rows build_rows_by_global_id(RowsByLabel<typename Rows::Neighbour> rows, HubRows hub_rows, NeighbourOrder neighbours,
                             const Partition& partition, std::span<const std::uint32_t> local_of_offset,
                             const Context& context);

}  // namespace breadth
