// How a rank's part of a graph lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/policy/adjacency_form.hpp"
#include "core/policy/grid_shape.hpp"

namespace breadth {

/// The order of a rank's vertices: falling degree, in bins that keep the order of labels (Gan & Zhang 2021, section
/// 4.1), or the order of labels.
enum class VertexOrder { degree, label };

/// The order of each vertex's neighbours: that of the vertices, whatever their rank, so that by degree the most
/// connected come first; or that of labels, which costs no sorting, but rows then cannot be compressed; or the lightest
/// edge first, as shortest paths need them, and at equal weight that of the vertices.
enum class NeighbourOrder { vertices, labels, weights };

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
  /// On several ranks; one has nobody to share with. Not where neighbours are in the order of labels or of weights.
  HubChoice hubs = {};
  /// Edges in rows on a grid of ranks, by both their ends (graph/forms/grid_adjacency.hpp); else each vertex's are with
  /// it.
  std::optional<GridShape> grid = {};
};

}  // namespace breadth
