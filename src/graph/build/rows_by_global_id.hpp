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

/// The number of entries after which the memory of moved entries is released.
inline constexpr std::size_t moved_entries = std::size_t{1} << 23;

/// The most bytes that all ranks together take in kernel 1, beside the edge list and the larger of the rows by label
/// and the finished graph. `vertices` are those with edges, `entries` those of the rows in one direction.
constexpr std::uint64_t scratch_bytes_for(std::uint64_t labels, std::uint64_t vertices, std::uint64_t tuples,
                                          std::uint64_t entries, bool weighted) {
  constexpr std::uint64_t of_vertex = 16;
  constexpr std::uint64_t of_label = sizeof(std::uint32_t);  // the table of local ids
  const std::uint64_t bytes = scratch_bytes_per_tuple * tuples + of_vertex * vertices + of_label * labels;
  if (!weighted) return bytes;
  // The part that is being moved has its weights twice, and its entries are sorted as keys of 16 bytes.
  return bytes + sizeof(float) * std::min<std::uint64_t>(entries, moved_entries) + 2 * tuples;
}

/// Renames every neighbour from its label to its global id and sorts rows and neighbours into their order. `rows` is
/// consumed: its memory goes back to the system while the adjacency grows, so that both are never in memory whole at
/// the same time. `local_of_offset` has the local id of each label of this rank's block; every rank receives the table
/// of every other rank once, a few tables at a time. Entry defines the order of neighbours. Rows is an Adjacency or,
/// without weights and with neighbours in the order of vertices, a CompressedAdjacency. `hub_rows` are the rows of
/// hubs. Collective. O(m log d). Throws AgreedError where memory is short.
template <class Rows, class Entry>
Rows build_rows_by_global_id(RowsByLabel<typename Rows::Neighbour> rows, HubRows hub_rows, NeighbourOrder neighbours,
                             const Partition& partition, std::span<const std::uint32_t> local_of_offset,
                             const Context& context);

}  // namespace breadth
