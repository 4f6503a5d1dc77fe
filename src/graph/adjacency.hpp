// Who is whose neighbour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// Rows that an index leads to: for each vertex of a rank the global ids (graph/partition.hpp) of its neighbours, in
/// NeighbourOrder (core/policy/graph_layout.hpp). Neighbour is 32 bits wide where all global ids fit, else 64.
template <class OneNeighbour>
struct Adjacency {
  using Neighbour = OneNeighbour;
  Buffer<EdgeOffset> offsets;    ///< where each vertex's row starts, and one more: the end of the last
  Buffer<Neighbour> neighbours;  ///< all rows, one after the other
  Buffer<float> weights;         ///< beside neighbours; empty in a graph without weights

  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept {
    return offsets[vertex.index() + 1] - offsets[vertex.index()];
  }
  [[nodiscard]] std::span<const Neighbour> row(LocalVertex vertex) const noexcept {
    return {neighbours.data() + offsets[vertex.index()], degree(vertex)};
  }
  /// Neighbours in all rows.
  [[nodiscard]] std::uint64_t entries() const noexcept { return neighbours.size(); }
  /// Neighbours in the rows of these vertices.
  [[nodiscard]] std::uint64_t entries(IndexRange vertices) const noexcept {
    return offsets[vertices.end] - offsets[vertices.begin];
  }
  /// Calls body(global_ids) for the neighbours at places [begin, end) of a row, in one or several stretches.
  template <class Body>
  void for_each_stretch(LocalVertex vertex, IndexRange places, Body&& body) const {
    body(row(vertex).subspan(places.begin, places.size()));
  }
  /// Asks for what will be read to find the row, and later for the row. Not left to the compiler to inline: g++ drops
  /// calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const {
    __builtin_prefetch(offsets.data() + vertex.index());
  }
  [[gnu::always_inline]] void prefetch_row(LocalVertex vertex) const {
    __builtin_prefetch(neighbours.data() + offsets[vertex.index()]);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return offsets.size() * sizeof(EdgeOffset) + neighbours.size() * sizeof(Neighbour) + weights.size() * sizeof(float);
  }
};

/// One neighbour of each vertex, under both its names. A vertex that has none has itself there, infinitely far away.
template <class Neighbour>
struct NeighbourColumn {
  Buffer<Neighbour> global_ids;
  Buffer<Neighbour> labels;
  Buffer<float> weights;  ///< in rows by weight only

  [[nodiscard]] std::size_t bytes() const noexcept {
    return 2 * global_ids.size() * sizeof(Neighbour) + weights.size() * sizeof(float);
  }
};

/// The first neighbours of each vertex in columns of their own, by their place in the row: most searches of a row end
/// there, and columns are read from front to back, names of parents included.
template <class Neighbour>
using LeadingNeighbours = std::vector<NeighbourColumn<Neighbour>>;

/// The rows of one graph, an Adjacency or a CompressedAdjacency each way. A directed graph has `out` (along its edges,
/// for push) and `in` (against them, for pull); for an undirected one both are the same rows and `in` is empty.
template <class OneRows>
struct IndexedAdjacencies {
  using Rows = OneRows;
  using Neighbour = typename Rows::Neighbour;
  Rows out;
  Rows in;
  LeadingNeighbours<Neighbour> leading;  ///< of pull_rows()
  bool directed = false;

  [[nodiscard]] const Rows& push_rows() const noexcept { return out; }
  [[nodiscard]] const Rows& pull_rows() const noexcept { return directed ? in : out; }
  /// Entries of the rows for push.
  [[nodiscard]] std::uint64_t edges() const noexcept { return out.entries(); }
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
template <class Neighbour>
using Adjacencies = IndexedAdjacencies<Adjacency<Neighbour>>;

}  // namespace breadth
