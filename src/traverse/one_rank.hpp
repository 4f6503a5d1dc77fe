// Computations on a graph that one rank has whole, beside searches: the nearest of several sources, a short path, the
// depths of a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"

namespace breadth {

// The nearest of several sources.

/// What such a search finds for every label; -1 each where no source reaches it.
struct NearestSources {
  Buffer<std::int64_t> levels;   ///< edges from the nearest source
  Buffer<std::int64_t> parents;  ///< the label before on a shortest path from it; its own of a source
  Buffer<std::int64_t> sources;  ///< which source that is, as an index; of several at the same level the first
  std::uint64_t reached = 0;
};

/// Searches level by level from all sources together, at most so deep. The tree is the same on any number of threads: a
/// vertex has, of the parents with its source, the first in the order of vertices (graph/partition.hpp). Levels with
/// many edges look for parents from the vertices that have none (Beamer et al. 2012). On one rank, in rows, from labels
/// of the graph, fewer than 2^32 - 1 (else Error). O(n + m) work; takes 12 bytes a vertex and 24 a label.
NearestSources find_nearest_sources(const Graph& graph, std::span<const Label> sources, std::int64_t max_depth,
                                    const Context& context);

// A path between two vertices.

/// A path with the fewest edges from one label to another, both in it; empty where there is none. Searches from both
/// ends level by level, always from the one whose frontier has fewer edges, until they meet (Pohl 1971): in graphs of
/// small diameter it sees a small part of the edges. One thread; 8 bytes of address space a vertex, of which only what
/// is seen is touched. On one rank, in rows, for labels of the graph (else Error).
std::vector<Label> find_short_path(const Graph& graph, Label source, Label target, const Context& context);

// The depths of a tree.

/// For each label the number of steps along `parents` to a vertex that is its own parent; -1 for no_label. `parents` is
/// a search's, on one rank: whatever has a parent is in a tree. `depths` is as long. O(n) work, in two passes; threads
/// that meet on a way up may both go it.
void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads);

}  // namespace breadth
