// A distributed graph, which kernel 1 builds from an edge list.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/policy/graph_layout.hpp"

namespace breadth {

struct GraphContents;
class Partition;

/// The width of a stored neighbour. `automatic`: 32 bits where all global ids fit, else 64.
enum class NeighbourWidth { automatic, bits64 };

/// How a graph is built from an edge list.
struct GraphOptions {
  Directedness directedness = Directedness::undirected;
  NeighbourWidth neighbour_width = NeighbourWidth::automatic;
  /// Only AdjacencyForm::rows keeps weights. If there are hubs, the neighbours must also be in the order of weights.
  GraphLayout layout = {};
  /// A lower bound of N, for files that state their number of vertices: no edge needs to have so large a label.
  std::uint64_t min_vertex_count = 0;
  bool keeps_weights = true;  ///< if the list has weights and the layout can store them
};

/// One rank's part of a graph: its own vertices in VertexOrder, and their neighbours. Self-loops and duplicate edges
/// are removed. Vertices without edges have no local id and take no memory. A graph never changes after it is built;
/// copies share its memory.
class Graph {
 public:
  /// Sums over all ranks.
  struct Counts {
    std::uint64_t connected_vertices = 0;  ///< vertices with at least one edge
    std::uint64_t edges = 0;               ///< distinct edges that are not self-loops, an undirected one counted once
  };

  Graph(Directedness directedness, const GraphLayout& layout, bool weighted, GraphContents contents,
        const Counts& counts);

  /// How labels, and therefore all results, are distributed over the ranks.
  [[nodiscard]] const BlockDistribution& distribution() const noexcept;
  /// N: the largest label of the edge list, plus one.
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return distribution().vertex_count(); }
  [[nodiscard]] std::uint64_t connected_vertices() const noexcept { return counts_.connected_vertices; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return counts_.edges; }
  [[nodiscard]] Directedness directedness() const noexcept { return directedness_; }
  /// The memory layout, including the orders of vertices and neighbours.
  [[nodiscard]] const GraphLayout& layout() const noexcept { return layout_; }
  /// Whether the rows keep a weight for each edge.
  [[nodiscard]] bool weighted() const noexcept { return weighted_; }

  /// Throws Error if no vertex of the graph can have this label.
  void require(Label label) const;
  /// Throws Error unless an array has an entry for each label of the rank, wide enough for every label.
  void require_room(const LabelArray& labels, int rank) const;
  /// The number of distinct neighbours of a label that this rank owns, not counting itself. In a directed graph: of its
  /// out-neighbours.
  [[nodiscard]] std::uint64_t degree(Label own) const;
  /// Bytes of this rank's part.
  [[nodiscard]] std::uint64_t bytes() const;

  /// The vertices and rows of this rank, for searches (graph/graph_contents.hpp).
  [[nodiscard]] const GraphContents& contents() const noexcept { return *contents_; }
  /// The labels that this rank owns, their order, and the hubs.
  [[nodiscard]] const Partition& partition() const noexcept;

 private:
  Directedness directedness_;
  GraphLayout layout_;
  bool weighted_;
  std::shared_ptr<const GraphContents> contents_;
  Counts counts_;
};

/// N: the largest label of the edge list on any rank, plus one. Collective, one pass over the list. Throws AgreedError
/// for an empty list, and for a label that is negative or needs more than 48 bits.
std::uint64_t discover_vertex_count(const EdgeList& edges, const Context& context);

/// Kernel 1: builds the graph of an edge list, and finds N from it. Collective. Reads the list three times on one rank
/// and about six times on several, and never keeps a copy. Peak memory is about 6 bytes per tuple and 30 per vertex
/// above the larger of the rows by label and the finished graph; on one rank (graph/build/direct_rows.hpp) it is less.
/// O(m log d / ranks). Throws AgreedError for an empty list, a label that is negative or needs more than 48 bits, a
/// list that changes during the build, weights on some ranks but not on all that have tuples, more than 2^32 - 1 labels
/// per rank, neighbours by weight without weights, more columns than max_columns, hubs with a layout that does not
/// allow them, or a grid that does not fit the ranks or has an adjacency other than rows.
Graph build_graph(const EdgeList& edges, const GraphOptions& options, const Context& context);

// The edges of a graph as an edge list, from which another graph can be built.

/// The edges of a graph on one rank, read from its rows, without self-loops and duplicates, in unspecified order. An
/// edge of a directed graph is listed once, of an undirected graph once from each end. Takes no memory of its own. A
/// read takes a binary search for the first tuple, then O(1) for each.
class GraphEdges final : public EdgeList {
 public:
  /// The graph must outlive this list. Throws UsageError if the graph is not in plain rows.
  explicit GraphEdges(const Graph& graph);
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] bool weighted() const override { return graph_.weighted(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override;

 private:
  const Graph& graph_;
  std::uint64_t size_ = 0;
};

// The subgraphs of degree separation.

/// The number of row entries on all ranks, by the kinds of their two ends. An undirected edge has two entries, a
/// directed edge one. A light vertex is a vertex that is not a hub (nn, nd, dn and dd in Pan et al. 2018, section III).
struct Subgraphs {
  std::uint64_t light_to_light = 0;
  std::uint64_t light_to_hub = 0;
  std::uint64_t hub_to_light = 0;
  std::uint64_t hub_to_hub = 0;
  std::uint64_t most_from_hubs = 0;  ///< hub_to_light + hub_to_hub on the rank where this sum is largest
};

/// Counts the entries of each subgraph. Collective. O(edges / ranks). Throws Error for a graph that is not in rows.
Subgraphs count_subgraphs(const Graph& graph, const Context& context);

/// Bytes that the four subgraphs take on all ranks by table I of Pan et al. 2018. Each row and neighbour takes 32 bits,
/// except that light neighbours of light vertices take 64: 8 n + 8 d p + 4 m + 4 |light to light| bytes on p ranks, for
/// n vertices, d of them hubs, and m entries.
std::uint64_t tabulated_bytes(const Subgraphs& subgraphs, std::uint64_t vertices, std::uint64_t hubs, int ranks);

}  // namespace breadth
