// How a rank's part of a graph lies in memory, and what kernel 1 decides by what there is to build.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/errors.hpp"
#include "core/words.hpp"

namespace breadth {

// Ranks in rows and columns.

/// So many rows of so many ranks each: rank r is in row r / columns, column r % columns. 0 by 0 stands for as square a
/// grid as the number of ranks allows, of no more rows than columns.
struct GridShape {
  int rows = 0;
  int columns = 0;

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// The grid of so many ranks. Throws Error where the shape is for another number of them. O(sqrt(ranks)).
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
        "a partition of {}x{} is for {} ranks, and there are {}: R times C of --partition RxC is their number, and "
        "auto-2d finds them",
        shape.rows, shape.columns, std::int64_t{shape.rows} * shape.columns, ranks);
  }
  return shape;
}

// How the neighbours of a graph's vertices lie in memory.

/// Every search gives the same levels on each of them (Checconi & Petrini 2014, section II-D and fig. 14).
enum class AdjacencyForm {
  rows,          ///< rows that an index leads to, their first neighbours in columns as well
  compressed,    ///< the same, the neighbours in a row as the differences between them
  full_scan,     ///< every edge as a pair of vertices, all looked at in each level
  skip_list,     ///< rows back to back behind headers: a level jumps from one header to the next
  coarse_index,  ///< a skip list with one pointer into it for each 64 vertices
};
constexpr auto words_of(AdjacencyForm) {
  return word_list<AdjacencyForm>({{AdjacencyForm::rows, "rows"},
                                   {AdjacencyForm::compressed, "compressed"},
                                   {AdjacencyForm::full_scan, "full-scan"},
                                   {AdjacencyForm::skip_list, "skip-list"},
                                   {AdjacencyForm::coarse_index, "coarse-index"}});
}

/// The order of a rank's vertices: falling degree, in bins that keep the order of labels (Gan & Zhang 2021, section
/// 4.1), or the order of labels.
enum class VertexOrder { degree, label };
constexpr auto words_of(VertexOrder) {
  return word_list<VertexOrder>({{VertexOrder::degree, "degree"}, {VertexOrder::label, "label"}});
}

/// The order of each vertex's neighbours: that of the vertices, whatever their rank, so that by degree the most
/// connected come first; or that of labels, which costs no sorting, but rows then cannot be compressed; or the lightest
/// edge first, as shortest paths need them, and at equal weight that of the vertices.
enum class NeighbourOrder { vertices, labels, weights };
constexpr auto words_of(NeighbourOrder) {
  return word_list<NeighbourOrder>({{NeighbourOrder::vertices, "vertices"},
                                    {NeighbourOrder::labels, "labels"},
                                    {NeighbourOrder::weights, "weights"}});
}

/// Which vertices are hubs, of which every rank has a replica and a share of the edges: none, those with enough edges
/// for what a hub costs, or for the size of the graph alone (Pan et al. 2018, section VI-B), or those with more than so
/// many edges (graph/build/hub_rows.hpp).
enum class HubRule { none, automatic, pan, degree };
struct HubChoice {
  HubRule rule = HubRule::none;
  std::uint64_t degree = 0;  ///< looked at where the rule is degree
  /// Where the rule is automatic, a hub for so many vertices with edges at the most: by default what is best where
  /// searches replicate the frontier of all others.
  std::uint64_t vertices_a_hub = 128;
};

/// The most leading neighbours that can have columns of their own.
inline constexpr std::size_t most_columns = 4;

/// Every search gives the same levels on each layout.
struct GraphLayout {
  AdjacencyForm adjacency = AdjacencyForm::rows;
  VertexOrder order = VertexOrder::degree;
  NeighbourOrder neighbours = NeighbourOrder::vertices;
  /// So many neighbours of each vertex, the first, stand in columns as well. 0 .. most_columns; looked at where
  /// `adjacency` is rows or compressed.
  std::size_t columns = 2;
  /// The same of a graph in which shortest paths are searched for beside it: its hubs have several edges that are light
  /// enough to matter.
  std::size_t weighted_columns = 4;
  /// On several ranks; one has nobody to share with. Not where neighbours are in the order of labels.
  HubChoice hubs = {};
  /// Edges in rows on a grid of ranks, by both their ends (graph/forms/paper_adjacencies.hpp); else each vertex's are
  /// with it.
  std::optional<GridShape> grid = {};
};

// What kernel 1 decides.

/// What there is to build, and with whom.
struct Construction {
  std::uint64_t ranks = 1;
  std::uint64_t threads = 1;  ///< of each rank
  std::uint64_t labels = 0;   ///< N
  std::uint64_t tuples = 0;   ///< of one rank
  bool directed = false;
  bool weighted = false;
  bool narrow = true;  ///< labels fit 32 bits, and global ids 31
  GraphLayout layout = {};
};

/// Bytes that kernel 1 may take beside edge list and rows: for each tuple of a rank, and on any rank.
inline constexpr std::uint64_t scratch_bytes_per_tuple = 4;
inline constexpr std::uint64_t least_scratch_bytes = std::uint64_t{1} << 20;

/// The same on a rank with so many tuples.
constexpr std::uint64_t most_scratch_bytes(std::uint64_t tuples) {
  return std::max(least_scratch_bytes, tuples * scratch_bytes_per_tuple);
}

/// Whether kernel 1 goes its short way, build_directly() (graph/build/direct_rows.hpp): on one rank, undirected, in
/// rows of narrow global ids in the order of vertices, without weights, and with so few labels that each thread can
/// count them.
constexpr bool builds_directly(const Construction& graph) {
  return graph.ranks == 1 && !graph.directed && !graph.weighted && graph.narrow &&
         graph.layout.adjacency != AdjacencyForm::compressed && graph.layout.neighbours == NeighbourOrder::vertices &&
         graph.labels * graph.threads <= most_scratch_bytes(graph.tuples);
}

}  // namespace breadth
