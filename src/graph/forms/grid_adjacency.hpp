// Who is whose neighbour, in the two-dimensional partition.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The edges of the rank in row i and column j of a grid: those from a vertex of a rank in column j to a vertex of a
/// rank in row i, pushed along from the first to the second (docs/partition.md). The vertices themselves lie on the
/// ranks as ever, whose blocks a row of the grid has side by side. What is looked up is the degree of a vertex of this
/// rank, over all of its edges, wherever they are.
template <class OneNeighbour>
class GridAdjacencies {
 public:
  using Neighbour = OneNeighbour;

  /// The rows here of the vertices of one rank in this column.
  struct Sources {
    Bitmap present;                      ///< the local ids, on their rank, of the vertices that have a row here
    std::vector<std::uint32_t> earlier;  ///< the rows before each word of `present`
    std::vector<EdgeOffset> offsets{0};  ///< where each row starts, and one more: the end of the last
    /// A target is its position less that of the first vertex of the grid's row: the column of its owner above its
    /// local id.
    std::vector<Neighbour> targets;

    /// The neighbours of a vertex that is present.
    [[nodiscard]] std::span<const Neighbour> row(std::size_t vertex) const {
      const std::size_t word = vertex / bits_per_word;
      const std::uint64_t before = present.words()[word] & (bit_in_word(vertex) - 1);
      const std::size_t number = earlier[word] + static_cast<std::size_t>(std::popcount(before));
      return std::span(targets).subspan(offsets[number], offsets[number + 1] - offsets[number]);
    }
    [[nodiscard]] std::size_t bytes() const {
      return present.words().size_bytes() + earlier.size() * sizeof(std::uint32_t) +
             offsets.size() * sizeof(EdgeOffset) + targets.size() * sizeof(Neighbour);
    }
  };

  /// Takes the rows of this rank's vertices to the ranks of its column, a few at a time; they go away in the end.
  /// O(edges). Collective; throws the same Error on all ranks where memory is short.
  GridAdjacencies(Adjacency<Neighbour> rows, GridShape shape, const Partition& partition, const Context& context);

  [[nodiscard]] GridShape shape() const noexcept { return shape_; }
  /// By the row of their rank.
  [[nodiscard]] std::span<const Sources> sources() const noexcept { return sources_; }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return degrees_[vertex.index()]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = degrees_.size() * sizeof(std::uint32_t);
    for (const Sources& one : sources_) bytes += one.bytes();
    return bytes;
  }

 private:
  GridShape shape_;
  Buffer<std::uint32_t> degrees_;
  std::vector<Sources> sources_;
};

}  // namespace breadth
