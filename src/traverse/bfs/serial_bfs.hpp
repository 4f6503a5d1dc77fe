// Breadth-first search as the textbook has it.
#pragma once

#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// The parents of a search from `source`, by label: its own for the source, no_label where nothing leads. One thread,
/// one queue, no choices: what BreadthFirstSearch must agree with, level for level. The graph must be on one rank, and
/// hold the source (else Error). O(n + m).
LabelArray serial_bfs(const Graph& graph, Label source);

}  // namespace breadth
