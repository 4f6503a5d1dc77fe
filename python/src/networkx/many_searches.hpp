// Breadth-first searches from many nodes of one graph, of which only sums, counts or distances are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// The number of nodes at each distance from each source. The counts of source i begin at counts[starts[i]].
struct DistanceCounts {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> counts;
};

/// Searches from 64 sources at a time, with one bit of a word for each (Then et al. 2014, "The More the Merrier").
/// At most O(edges · levels) for 64 sources; 24 bytes per node and thread.
DistanceCounts distance_counts(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads);

/// The distance of each node from each source, with one row per source; -1 for unreached nodes.
Buffer<std::int32_t> distances_from_each(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads);

/// The sums of Brandes's algorithm (2001), as networkx adds them up.
struct Betweenness {
  std::vector<double> nodes;
  std::vector<double> edges;  ///< one per edge, if wanted
};

/// The input of betweenness(), which adds up the contributions of the sources one after the other, because sums of
/// floats are networkx's only in this order. `columns` are the rows of the reversed graph. `endpoints`: whether paths
/// also count at their ends. `edge_of_entry`: the number of the edge of each entry of columns, below edge_count; empty
/// if edges are not wanted. Threads search from several sources at once. O(sources · edges).
struct BetweennessInput {
  const Rows& rows;
  const Rows& columns;
  std::span<const std::int32_t> sources;
  bool endpoints = false;
  std::span<const std::int32_t> edge_of_entry = {};
  std::size_t edge_count = 0;
};
Betweenness betweenness(const BetweennessInput& input, ThreadTeam& threads);

}  // namespace breadth::python
