// One shortest path between two vertices.
#pragma once

#include <vector>

#include "comm/context.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// A path with the fewest edges from one label to another, both in it; empty where there is none. Searches from both
/// ends level by level, always from the one whose frontier has fewer edges, until they meet (Pohl 1971): in graphs of
/// small diameter it sees a small part of the edges. One thread; 8 bytes of address space a vertex, of which only what
/// is seen is touched. On one rank, in rows, for labels of the graph (else Error).
std::vector<Label> find_short_path(const Graph& graph, Label source, Label target, const Context& context);

}  // namespace breadth
