// Connected components.
#pragma once

#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Finds the connected components, of a directed graph the weakly connected ones. Writes the component number of each
/// label that this rank holds (BlockDistribution). Components are numbered 0, 1, ... over all ranks, in the order of
/// their smallest labels. Returns the number of components. A label without edges is a component by itself. If
/// `vertices` is given, with a bit for each label of this rank, a label without edges whose bit is not set is no vertex
/// and gets -1.
///
/// Each rank links its vertices into trees: first every vertex to its first neighbour (Jaiganesh & Burtscher 2018),
/// then along a second edge of each vertex, then along all edges of vertices outside of the largest tree (Afforest:
/// Sutton, Ben-Nun & Barak 2018). Between ranks, the vertices of a tree send the tree's smallest label to their first
/// neighbours, again whenever that label falls. Then the vertices outside of the largest component send their labels
/// along all their edges, and the vertices inside it answer. After each round a hub has the smallest label of its
/// replicas. Collective. The graph must be in rows (else Error). On one rank O(n + m) work and 12 bytes per vertex; on
/// several ranks 20 bytes per vertex, and in each round an all-to-all of at most 16 bytes per edge between ranks. A
/// path that crosses k trees takes at most k rounds.
std::uint64_t find_components(const Graph& graph, std::span<std::int64_t> of_label, const Context& context,
                              const Bitmap* vertices = nullptr);

}  // namespace breadth
