// The second half of kernel 1: from rows of labels to rows of global ids in degree order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/hub_rows.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// Entries that are moved before their old places are given back.
inline constexpr std::size_t moved_entries = std::size_t{1} << 23;

/// Bytes that kernel 1 takes at the most, all ranks together, beside edge list and the larger of the rows by label and
/// the finished graph: of so many labels, vertices with edges, tuples, and entries in rows one way.
constexpr std::uint64_t scratch_bytes_for(std::uint64_t labels, std::uint64_t vertices, std::uint64_t tuples,
                                          std::uint64_t entries, bool weighted) {
  constexpr std::uint64_t of_vertex = 16;
  constexpr std::uint64_t of_label = sizeof(std::uint32_t);  // the whole table of local ids
  const std::uint64_t bytes = scratch_bytes_per_tuple * tuples + of_vertex * vertices + of_label * labels;
  if (!weighted) return bytes;
  // Weights lie twice in the part that is being moved, and entries are sorted in 16 bytes.
  return bytes + sizeof(float) * std::min<std::uint64_t>(entries, moved_entries) + 2 * tuples;
}

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
