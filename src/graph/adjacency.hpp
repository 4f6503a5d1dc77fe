// Who is whose neighbour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "core/ids.hpp"

namespace breadth {

/// Compressed rows: for each vertex of a rank the positions (graph/partition.hpp) of its neighbours, in NeighbourOrder
/// (core/graph_layout.hpp). Neighbour is 32 bits wide where all positions fit, else 64.
template <class Neighbour>
struct Adjacency {
  Buffer<EdgeOffset> offsets;    ///< where each vertex's row starts, and one more: the end of the last
  Buffer<Neighbour> neighbours;  ///< all rows, one after the other
  Buffer<float> weights;         ///< beside neighbours; empty in a graph without weights

  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept {
    return offsets[vertex.index() + 1] - offsets[vertex.index()];
  }
  [[nodiscard]] std::span<const Neighbour> row(LocalVertex vertex) const noexcept {
    return {neighbours.data() + offsets[vertex.index()], degree(vertex)};
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return offsets.size() * sizeof(EdgeOffset) + neighbours.size() * sizeof(Neighbour) + weights.size() * sizeof(float);
  }
};

/// One neighbour of each vertex, under both its names. A vertex that has none has itself there.
template <class Neighbour>
struct NeighbourColumn {
  Buffer<Neighbour> positions;
  Buffer<Neighbour> labels;

  [[nodiscard]] std::size_t bytes() const noexcept { return 2 * positions.size() * sizeof(Neighbour); }
};

/// The first neighbours of each vertex in columns of their own, by their place in the row: most searches of a row end
/// there, and columns are read from front to back, names of parents included.
template <class Neighbour>
using LeadingNeighbours = std::vector<NeighbourColumn<Neighbour>>;

/// The rows of one graph. A directed graph has `out` (along its edges, for push) and `in` (against them, for pull);
/// for an undirected one both are the same rows and `in` is empty.
template <class OneNeighbour>
struct Adjacencies {
  using Neighbour = OneNeighbour;
  Adjacency<Neighbour> out;
  Adjacency<Neighbour> in;
  LeadingNeighbours<Neighbour> leading;  ///< of pull_rows()
  bool directed = false;

  [[nodiscard]] const Adjacency<Neighbour>& push_rows() const noexcept { return out; }
  [[nodiscard]] const Adjacency<Neighbour>& pull_rows() const noexcept { return directed ? in : out; }
  /// Entries of the rows for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out.neighbours.size(); }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return out.degree(vertex); }
  /// Edges of a vertex, whichever way they lead.
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const noexcept {
    return out.degree(vertex) + (directed ? in.degree(vertex) : 0);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = out.bytes() + in.bytes();
    for (const NeighbourColumn<Neighbour>& column : leading) bytes += column.bytes();
    return bytes;
  }
};

}  // namespace breadth
