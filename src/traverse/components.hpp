// Connected components.
#pragma once

#include <cstdint>

#include "comm/context.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// The components of a graph, numbered 0, 1, … by the smallest label that each has.
struct Components {
  Buffer<std::int64_t> of_label;  ///< the component of every label; one without edges is one by itself
  std::uint64_t count = 0;
};

/// Finds which vertices are connected; of a directed graph, whichever way its edges lead (weakly). By Afforest (Sutton,
/// Ben-Nun & Barak 2018): trees are linked along two edges of each vertex, and the rest of the edges is looked at for
/// vertices outside of the largest tree only. On one rank, in rows (else Error). O(n + m) work, 12 bytes a vertex and 8
/// a label.
Components connected_components(const Graph& graph, const Context& context);

}  // namespace breadth
