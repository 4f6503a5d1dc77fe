// A distributed graph: what kernel 1 makes of an edge list.
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

/// How wide a graph stores its neighbours. `automatic`: 32 bits where all global ids fit, else 64.
enum class NeighbourWidth { automatic, bits64 };

/// How a graph is built from an edge list.
struct GraphOptions {
  Directedness directedness = Directedness::undirected;
  NeighbourWidth neighbour_width = NeighbourWidth::automatic;
  /// Only rows keep weights, where there are hubs only rows by weight.
  GraphLayout layout = {};
  /// N is at least this, though no edge may have so large a label: for files that say how many vertices they have.
  std::uint64_t least_vertex_count = 0;
  bool keeps_weights = true;  ///< where the list has them and the layout a place for them
};

/// One rank's part of a graph: its own vertices in their order, and their neighbours. Self-loops and duplicate edges
/// are gone, vertices without edges are not in the order and cost nothing. Never changes once built; copies share it.
class Graph {
 public:
  /// Sums over all ranks.
  struct Counts {
    std::uint64_t connected_vertices = 0;  ///< vertices with at least one edge
    std::uint64_t edges = 0;               ///< distinct edges that are not self-loops, an undirected one counted once
  };

  Graph(Directedness directedness, const GraphLayout& layout, bool weighted, GraphContents contents,
        const Counts& counts);

  /// How labels lie on the ranks, and with them every result.
  [[nodiscard]] const BlockDistribution& distribution() const noexcept;
  /// N: the largest label of the edge list, plus one.
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return distribution().vertex_count(); }
  [[nodiscard]] std::uint64_t connected_vertices() const noexcept { return counts_.connected_vertices; }
  [[nodiscard]] std::uint64_t edge_count() const noexcept { return counts_.edges; }
  [[nodiscard]] Directedness directedness() const noexcept { return directedness_; }
  /// How it lies in memory: what may be relied on, of order above all.
  [[nodiscard]] const GraphLayout& layout() const noexcept { return layout_; }
  /// Whether each edge has a weight here.
  [[nodiscard]] bool weighted() const noexcept { return weighted_; }

  /// Throws Error for a label that no vertex of the graph can have.
  void require(Label label) const;
  /// The distinct neighbours of a label that this rank owns, itself not counted: those it leads to if directed.
  [[nodiscard]] std::uint64_t degree(Label own) const;
  /// Bytes of this rank's part.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Its vertices and their rows, for searches (graph/graph_contents.hpp).
  [[nodiscard]] const GraphContents& contents() const noexcept { return *contents_; }
  /// Which labels are here, in which order, and which are hubs.
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

/// Kernel 1: the graph of an edge list, with N discovered from it. Collective. Reads the list three times on one rank
/// and about six times on several, holds it never; peaks at about 6 bytes a tuple and 30 a vertex above the larger of
/// the rows by label and the finished graph, on one rank (graph/build/direct_rows.hpp) at less. O(m log d / ranks).
/// Throws AgreedError for an empty list, a label that is negative or needs more than 48 bits, a list that changes
/// meanwhile, more than 2^32 - 1 labels a rank, neighbours by weight without weights, hubs that do not go with the
/// layout, or a grid that does not fit the ranks or has other adjacencies than rows.
Graph build_graph(const EdgeList& edges, const GraphOptions& options, const Context& context);

// The edges of a graph as an edge list: what another graph of them is built from.

/// The edges of a graph on one rank, from its rows: those of a directed graph once, of an undirected one from both
/// ends, without self-loops and duplicates, in no order that means anything. Takes no memory of its own. Reading takes
/// a binary search for the first tuple, then O(1) for each.
class GraphEdges final : public EdgeList {
 public:
  /// The graph outlives it. Throws Error for a graph that is not in plain rows.
  explicit GraphEdges(const Graph& graph);
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] bool weighted() const override { return graph_.weighted(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override;

 private:
  const Graph& graph_;
  std::uint64_t size_ = 0;
};

// What degree separation makes of a graph.

/// Entries of rows on all ranks by what they lead from and to: an undirected edge is two, a directed one is one. Light
/// are the vertices that are no hubs (nn, nd, dn and dd in Pan et al. 2018, section III).
struct Subgraphs {
  std::uint64_t light_to_light = 0;
  std::uint64_t light_to_hub = 0;
  std::uint64_t hub_to_light = 0;
  std::uint64_t hub_to_hub = 0;
  std::uint64_t most_from_hubs = 0;  ///< of the last two, on the rank that has the most
};

/// Counts them. Collective; O(edges / ranks). Throws Error for a graph that is scanned.
Subgraphs count_subgraphs(const Graph& graph, const Context& context);

/// What the four take by Pan's table I, 32 bits for each row and neighbour but 64 for the light neighbours of light
/// vertices, on all ranks: 8 n + 8 d p + 4 m + 4 |light to light| bytes, of n vertices, d of them hubs, and m entries.
std::uint64_t tabulated_bytes(const Subgraphs& subgraphs, std::uint64_t vertices, std::uint64_t hubs, int ranks);

}  // namespace breadth
