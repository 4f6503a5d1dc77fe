// Computations on a graph that one rank has whole, beside searches: a short path, the depths and roots of a
// tree.
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

/// A path with the fewest edges from one label to another, both in it; empty where there is none. Searches from both
/// ends level by level, always from the one whose frontier has fewer edges, until they meet (Pohl 1971): in graphs of
/// small diameter it sees a small part of the edges. One thread; 8 bytes of address space a vertex, of which only what
/// is seen is touched. On one rank, in rows, for labels of the graph (else Error).
std::vector<Label> find_short_path(const Graph& graph, Label source, Label target, const Context& context);

// The depths and roots of a tree.

/// For each label the number of steps along `parents` to a vertex that is its own parent; -1 for no_label. `parents` is
/// a search's, on one rank: whatever has a parent is in a tree. `depths` is as long. O(n) work, in two passes; threads
/// that meet on a way up may both go it.
void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads);
/// The same for the vertex that the steps lead to.
void write_tree_roots(const LabelArray& parents, std::span<std::int64_t> roots, ThreadTeam& threads);

}  // namespace breadth
