// The edges of a graph as an edge list: what another graph of them is built from.
#pragma once

#include <cstdint>
#include <span>

#include "core/data/edge_list.hpp"
#include "graph/graph.hpp"

namespace breadth {

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

}  // namespace breadth
