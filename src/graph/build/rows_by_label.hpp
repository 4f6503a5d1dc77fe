// The first half of kernel 1: from edge list to rows of neighbours' labels, without duplicates.
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

/// Which rows a tuple (source, target) adds to: `both` ends' rows for an undirected graph, the source's row (`forward`,
/// out-edges) or the target's (`backward`, in-edges) for a directed one.
enum class RowDirection { both, forward, backward };

/// A range of a rank's labels whose rows were built together and lie next to each other.
struct Bucket {
  std::size_t first_row = 0;    ///< offset of its first label in this rank's block
  std::size_t row_count = 0;    ///< consecutive labels
  std::size_t first_entry = 0;  ///< of its first row in `neighbours`
};

/// The neighbours of each label of this rank's block, as labels, ascending, each once, no label its own neighbour.
/// Row r of bucket b starts where row r − 1 ends, the bucket's first row at first_entry; buckets may leave gaps.
template <class Neighbour>
struct RowsByLabel {
  std::vector<Bucket> buckets;
  Buffer<std::uint32_t> degrees;  ///< one a label of the block
  Buffer<Neighbour> neighbours;
  /// Room for as many neighbours, or none, for a later step: its first pages are there, and new ones cost time.
  Buffer<Neighbour> spare;
  Buffer<float> weights;  ///< beside neighbours; empty without weights. Of several edges between a pair the lightest.
  /// In place of neighbours, where they are kept compressed (graph/forms/compressed_adjacency.hpp): the rows of each
  /// bucket.
  std::vector<Buffer<std::uint8_t>> compressed;
};

/// How rows by label are kept. Compressed ones are for one rank, without weights.
enum class LabelRows { plain, compressed };

/// Builds the rows of every rank. Reads the edge list once to count, then once more to move its entries to their rows'
/// buckets, or on several ranks, and where rows are to be compressed, once a round, each round moving and sorting as
/// many entries as the scratch holds. Each entry crosses to its owner once. Collective. O(m log d). Neighbour holds
/// every label; Entry (graph/build/entry.hpp) holds every neighbour, and weights if the graph is weighted.
template <class Neighbour, class Entry>
RowsByLabel<Neighbour> build_rows_by_label(const EdgeList& edges, bool weighted, RowDirection direction, LabelRows form,
                                           const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
