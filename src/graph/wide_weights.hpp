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

/// Copies the weights of tuples first, first + 1, … of an edge list. Any threads at once.
template <class Weight>
using WeightReader = FunctionRef<void(std::uint64_t first, std::span<Weight> weights)>;

/// The lightest edges of each vertex: all that most vertices of a graph with hubs look at, whose next vertices on the
/// way to a source are hubs.
template <class Weight>
struct LightEdges {
  Buffer<EdgeOffset> offsets;        ///< where each vertex's start, and one more
  Buffer<Weight> weights;            ///< of each vertex rising
  Buffer<std::uint32_t> neighbours;  ///< beside them, local ids

  [[nodiscard]] bool empty() const noexcept { return offsets.empty(); }
  /// How many a vertex of that degree has: a hub has many edges that are light beside those of others.
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
  Buffer<Weight> of_rows;    ///< of every entry, in the order of the rows
  LightEdges<Weight> light;  ///< of an undirected graph with hubs; else empty

  [[nodiscard]] std::size_t bytes() const noexcept { return of_rows.size() * sizeof(Weight) + light.bytes(); }
};

/// Places the weights of an edge list: of several edges between two vertices the lightest counts. `edges` is the list
/// that the graph was built of, `read` gives its weights, numbers of at least 0. Weight is double or std::int64_t. The
/// graph has plain rows in the order of vertices and no replicas of hubs (else Error). Collective. One pass over the
/// list, O(m log d / ranks); takes 8 bytes an entry. On one rank, up to 104 a vertex where there are hubs, and 4 a
/// vertex meanwhile; on several, no light edges, each tuple travels twice, or four times if undirected, 24 bytes a
/// time, and an error is AgreedError.
template <class Weight>
WideWeights<Weight> weights_beside_rows(const Graph& graph, const EdgeList& edges, WeightReader<Weight> read,
                                        const Context& context);

}  // namespace breadth
