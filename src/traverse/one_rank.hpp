// Computations other than searches on a graph that one rank has whole: a short path, the depths and roots of a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth {

// A path between two vertices.

/// Returns a path with the fewest edges from one label to another, both included; empty if there is none. Searches from
/// both ends level by level, always from the end whose frontier has fewer edges, until the two meet (Pohl 1971). In
/// graphs of small diameter this sees a small part of the edges. One thread; 8 bytes of address space a vertex, touched
/// only for visited vertices. The graph must be on one rank, in rows, and contain both labels (else Error).
std::vector<Label> find_short_path(const Graph& graph, Label source, Label target, const Context& context);

// The depths and roots of a tree.

/// Writes for each label the number of steps along `parents` to a vertex that is its own parent; -1 if its parent is
/// no_label. `parents` is the result of a search on one rank, so that every vertex with a parent is in a tree. `depths`
/// is as long as `parents`. O(n) work in two passes; two threads on one path to a root may both walk it.
void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads);
/// Writes for each label the root of its tree, the vertex that the steps of write_tree_depths lead to; -1 for no_label.
void write_tree_roots(const LabelArray& parents, std::span<std::int64_t> roots, ThreadTeam& threads);

}  // namespace breadth
