// Connected components.
#pragma once

#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Finds which vertices are connected; of a directed graph, whichever way its edges lead (weakly). Writes for each
/// label that this rank holds (BlockDistribution) the number of its component: they are 0, 1, ... by the smallest label
/// that each has, on all ranks together. Returns how many there are. A label without edges is a component by itself,
/// or, where `vertices` has a bit for each label of this rank and not this one, no vertex, which gets -1.
///
/// On each rank trees are linked: every vertex begins below its first neighbour (Jaiganesh & Burtscher 2018), then a
/// second edge of each is looked at, and all edges of vertices outside of the largest tree only (Afforest: Sutton,
/// Ben-Nun & Barak 2018). Between ranks a tree's smallest label goes to the first neighbours of its vertices, again
/// whenever it falls; then along all edges of what is outside of the largest component, which answers. Hubs have the
/// smallest label of their replicas after each round. Collective, in rows (else Error). O(n + m) work on one rank, 12
/// bytes a vertex; on several 20 bytes, and in each round an all-to-all of at most 16 bytes an edge between
/// ranks. A path that crosses k trees takes at most k rounds.
std::uint64_t find_components(const Graph& graph, std::span<std::int64_t> of_label, const Context& context,
                              const Bitmap* vertices = nullptr);

}  // namespace breadth
