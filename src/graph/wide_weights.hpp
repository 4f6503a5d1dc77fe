// Weights of 64 bits beside the rows of a graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Copies the weights of tuples first, first + 1, … of an edge list. Several threads may call it at once.
template <class Weight>
using WeightReader = FunctionRef<void(std::uint64_t first, std::span<Weight> weights)>;

/// The lightest edges of each vertex. In a graph with hubs most vertices need only these, because their next vertex on
/// the way to a source is a hub.
template <class Weight>
struct LightestEdges {
  Buffer<EdgeOffset> offsets;        ///< where each vertex's edges start; the last element is the end
  Buffer<Weight> weights;            ///< ascending for each vertex
  Buffer<std::uint32_t> neighbours;  ///< local ids, parallel to weights

  [[nodiscard]] bool empty() const noexcept { return offsets.empty(); }
  /// The number of lightest edges of a vertex with this degree. A hub has more, because many of its edges are light
  /// compared with those of other vertices.
  [[nodiscard]] static constexpr std::size_t count_of(std::size_t degree) noexcept {
    return std::min(degree, std::max<std::size_t>(8, degree / 32));
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return offsets.size() * sizeof(EdgeOffset) + weights.size() * (sizeof(Weight) + sizeof(std::uint32_t));
  }
};

/// Weights beside the rows along the edges of a graph.
template <class Weight>
struct WideWeights {
  Buffer<Weight> of_rows;  ///< one for each entry, in the order of the rows
  /// On one rank, of an undirected graph with a core of hubs (has_hub_core); otherwise empty.
  LightestEdges<Weight> lightest;

  [[nodiscard]] std::size_t bytes() const noexcept { return of_rows.size() * sizeof(Weight) + lightest.bytes(); }
};

/// Returns the weights of an edge list in the order of a graph's rows. Of several edges between two vertices the
/// lightest counts. `edges` is the list that the graph was built from, `read` returns its weights, which must be at
/// least 0. Weight is double or std::int64_t. The graph must have plain rows in the order of vertices and no replicas
/// of hubs (else Error). Collective. One pass over the list, O(m log d / ranks); takes 8 bytes per entry. On one rank:
/// up to 104 bytes per vertex for the lightest edges, and 4 per vertex during the call. On several ranks: no lightest
/// edges, each tuple is sent twice (four times if undirected), 24 bytes each time, and errors are AgreedError.
template <class Weight>
WideWeights<Weight> weights_beside_rows(const Graph& graph, const EdgeList& edges, WeightReader<Weight> read,
                                        const Context& context);

}  // namespace breadth
