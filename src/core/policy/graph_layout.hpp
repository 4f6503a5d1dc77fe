// How a rank's part of a graph lies in memory, and how kernel 1 chooses its way of construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/errors.hpp"
#include "core/words.hpp"

namespace breadth {

// Ranks in rows and columns.

/// A grid of ranks: rank r is in row r / columns, column r % columns. 0 by 0 stands for the most nearly square grid of
/// the number of ranks that has no more rows than columns.
struct GridShape {
  int rows = 0;
  int columns = 0;

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// Returns the grid for this number of ranks. Throws Error if `shape` is for another number. O(sqrt(ranks)).
inline GridShape grid_of(GridShape shape, int ranks) {
  if (shape == GridShape{}) {
    shape.rows = 1;
    for (int rows = 2; rows <= ranks / rows; ++rows) {
      if (ranks % rows == 0) shape.rows = rows;
    }
    shape.columns = ranks / shape.rows;
  }
  if (shape.rows < 1 || shape.columns < 1 || ranks % shape.rows != 0 || ranks / shape.rows != shape.columns) {
    fail(
        "a partition of {}x{} is for {} ranks, but there are {}: choose --partition RxC with R times C ranks, or "
        "--partition auto-2d",
        shape.rows, shape.columns, std::int64_t{shape.rows} * shape.columns, ranks);
  }
  return shape;
}

// How the neighbours of a graph's vertices lie in memory.

/// The form of the adjacency. Every search finds the same levels with each form (Checconi & Petrini 2014, section II-D
/// and fig. 14).
enum class AdjacencyForm {
  rows,          ///< CSR: rows with an index; the first neighbours are also in the head
  compressed,    ///< like `rows`, but a row stores the differences between its neighbours
  full_scan,     ///< every edge as a pair of vertices; each level reads all pairs
  skip_list,     ///< consecutive rows with headers: a level jumps from one header to the next
  coarse_index,  ///< a skip list with one pointer into it for each 64 vertices
};
constexpr auto words_of(AdjacencyForm) {
  return word_list<AdjacencyForm>({"rows", "compressed", "full-scan", "skip-list", "coarse-index"});
}

/// The order of a rank's vertices: descending degree, in bins that keep the order of labels (Gan & Zhang 2021, section
/// 4.1), or the order of labels.
enum class VertexOrder { degree, label };
constexpr auto words_of(VertexOrder) { return word_list<VertexOrder>({"degree", "label"}); }

/// The order of each vertex's neighbours. `vertices`: the order of the vertices, whatever their rank; by degree, the
/// most connected come first. `labels`: the order of labels, which costs no sorting, but rows then cannot be
/// compressed. `weights`: the lightest edge first, as shortest paths need them, and at equal weight the order of the
/// vertices.
enum class NeighbourOrder { vertices, labels, weights };
constexpr auto words_of(NeighbourOrder) { return word_list<NeighbourOrder>({"vertices", "labels", "weights"}); }

/// Which vertices are hubs (graph/build/hub_rows.hpp). Every rank has a replica of each hub and a share of its edges.
/// `none`: no vertex. `automatic`: vertices with so many edges that a hub costs less. `pan`: vertices with more edges
/// than a degree that depends on the size of the graph alone (Pan et al. 2018, section VI-B). `degree`: vertices with
/// more than `degree` edges.
enum class HubRule { none, automatic, pan, degree };
struct HubChoice {
  HubRule rule = HubRule::none;
  std::uint64_t degree = 0;  ///< used by HubRule::degree
  /// With HubRule::automatic at most one of this many vertices with edges is a hub. The default is best where searches
  /// replicate the frontier of all other vertices.
  std::uint64_t vertices_per_hub = 128;
};

/// The most columns that the head can have.
inline constexpr std::size_t max_columns = 4;

/// The layout of a graph. Every search finds the same levels with each layout.
struct GraphLayout {
  AdjacencyForm adjacency = AdjacencyForm::rows;
  VertexOrder order = VertexOrder::degree;
  NeighbourOrder neighbours = NeighbourOrder::vertices;
  /// The columns of the head: how many of each vertex's first neighbours are also stored apart. 0 .. max_columns; used
  /// if `adjacency` is rows or compressed.
  std::size_t columns = 2;
  /// `columns` of a second graph, built only for shortest paths. Its head is longer because its hubs have several edges
  /// that are light enough to matter.
  std::size_t weighted_columns = 4;
  /// Has no effect on one rank. Not allowed with neighbours in the order of labels.
  HubChoice hubs = {};
  /// The grid for a two-dimensional partition of the edges (graph/forms/paper_adjacencies.hpp); without it each
  /// vertex's edges are stored with the vertex.
  std::optional<GridShape> grid = {};
};

// The way in which kernel 1 builds a graph.

/// A graph to build, and the ranks and threads that build it.
struct Construction {
  std::uint64_t ranks = 1;
  std::uint64_t threads = 1;  ///< threads of each rank
  std::uint64_t labels = 0;   ///< N
  std::uint64_t tuples = 0;   ///< tuples of one rank
  bool directed = false;
  bool weighted = false;
  bool narrow = true;  ///< labels fit 32 bits, and global ids 31
  GraphLayout layout = {};
};

/// Bytes that kernel 1 may take beside edge list and rows: bytes per tuple of a rank, and the least for any rank.
inline constexpr std::uint64_t scratch_bytes_per_tuple = 4;
inline constexpr std::uint64_t min_scratch_bytes = std::uint64_t{1} << 20;

/// The most bytes that kernel 1 may take beside edge list and rows on a rank with `tuples` tuples.
constexpr std::uint64_t max_scratch_bytes(std::uint64_t tuples) {
  return std::max(min_scratch_bytes, tuples * scratch_bytes_per_tuple);
}

/// Whether kernel 1 takes its short way, build_directly() (graph/build/direct_rows.hpp): on one rank, for an undirected
/// graph without weights, in rows of 32-bit global ids in the order of vertices, with so few labels that each thread
/// can count them.
constexpr bool builds_directly(const Construction& graph) {
  return graph.ranks == 1 && !graph.directed && !graph.weighted && graph.narrow &&
         graph.layout.adjacency != AdjacencyForm::compressed && graph.layout.neighbours == NeighbourOrder::vertices &&
         graph.labels * graph.threads <= max_scratch_bytes(graph.tuples);
}

}  // namespace breadth
