// Weights of 64 bits beside the rows of a graph.
#pragma once

#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/data/edge_list.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Copies the weights of tuples first, first + 1, … of an edge list. Any threads at once.
template <class Weight>
using WeightReader = FunctionRef<void(std::uint64_t first, std::span<Weight> weights)>;

/// The weight of every entry of a graph's rows along its edges, in the order of the rows: of several edges between two
/// vertices the lightest. `edges` is the list that the graph was built of, `read` gives its weights, numbers of at
/// least 0. Weight is double or std::int64_t. On one rank, in plain rows in the order of vertices (else Error). One
/// pass over the list, O(m log d); takes 8 bytes an entry, and 4 a vertex meanwhile.
template <class Weight>
Buffer<Weight> weights_beside_rows(const Graph& graph, const EdgeList& edges, WeightReader<Weight> read,
                                   const Context& context);

}  // namespace breadth
