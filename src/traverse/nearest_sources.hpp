// Breadth-first search from several sources at once.
#pragma once

#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// What such a search finds for every label; -1 each where no source reaches it.
struct NearestSources {
  Buffer<std::int64_t> levels;   ///< edges from the nearest source
  Buffer<std::int64_t> parents;  ///< the label before on a shortest path from it; its own of a source
  Buffer<std::int64_t> sources;  ///< which source that is, as an index; of several at the same level the first
  std::uint64_t reached = 0;
};

/// Searches level by level from all sources together, at most so deep. The tree is the same on any number of threads: a
/// vertex has, of the parents with its source, the first in the order of vertices (graph/local_order.hpp). Levels with
/// many edges look for parents from the vertices that have none (Beamer et al. 2012). On one rank, in rows, from labels
/// of the graph, fewer than 2^32 - 1 (else Error). O(n + m) work; takes 12 bytes a vertex and 24 a label.
NearestSources find_nearest_sources(const Graph& graph, std::span<const Label> sources, std::int64_t max_depth,
                                    const Context& context);

}  // namespace breadth
