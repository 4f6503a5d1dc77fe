// The first half of kernel 1: from the edge list to rows of neighbours' labels, without duplicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"

namespace breadth {

/// The rows that a tuple (source, target) adds to: `both` ends' rows for an undirected graph; for a directed one the
/// source's row (`forward`, out-edges) or the target's (`backward`, in-edges).
enum class RowDirection { both, forward, backward };

/// A range of a rank's labels whose rows were built together and lie next to each other.
struct RowBucket {
  std::size_t first_row = 0;    ///< offset of its first label in this rank's block
  std::size_t row_count = 0;    ///< consecutive labels
  std::size_t first_entry = 0;  ///< where its first row starts in `neighbours`
};

/// The neighbours of each label of this rank's block, as ascending labels, without duplicates and self-loops. Row r of
/// a bucket starts where row r − 1 ends, and the bucket's first row starts at first_entry. There may be gaps between
/// buckets.
template <class Neighbour>
struct RowsByLabel {
  std::vector<RowBucket> buckets;
  Buffer<std::uint32_t> degrees;  ///< one a label of the block
  Buffer<Neighbour> neighbours;
  /// An array as large as `neighbours`, or empty, for a later step to reuse: its first pages are already mapped, and
  /// mapping new ones takes time.
  Buffer<Neighbour> spare;
  Buffer<float> weights;  ///< parallel to neighbours; empty without weights. Of several edges between a pair the
                          ///< lightest.
  /// For LabelRows::compressed, in place of `neighbours`: the compressed rows of each bucket
  /// (graph/forms/compressed_adjacency.hpp).
  std::vector<Buffer<std::uint8_t>> compressed;
};

/// How rows by label are stored. `compressed` is for one rank, without weights.
enum class LabelRows { plain, compressed };

/// Builds the rows of every rank. Reads the edge list once to count. On one rank with plain rows, reads it a second
/// time to move its entries to their buckets. On several ranks, or for compressed rows, works in rounds and reads the
/// list once per round; a round moves and sorts as many entries as the scratch memory holds. Each entry is sent to its
/// owner once. Collective. O(m log d). Neighbour must be wide enough for every label, Entry (graph/build/entry.hpp) for
/// every neighbour, and for weights if the graph is weighted.
template <class Neighbour, class Entry>
RowsByLabel<Neighbour> build_rows_by_label(const EdgeList& edges, bool weighted, RowDirection direction, LabelRows form,
                                           const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
