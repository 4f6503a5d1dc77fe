// Breadth-first searches from many nodes of one graph, of which only numbers are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// How many nodes are at each distance from each source: those of source i are counts[starts[i]] …
struct DistanceCounts {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> counts;
};

/// Searches from 64 sources at a time, a bit of a word each (Then et al. 2014, "The More the Merrier"). O(edges ·
/// levels) at most for 64 sources; 24 bytes a node and thread.
DistanceCounts distance_counts(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads);

/// How far each node is from each source, row after row; -1 where it is not reached.
Buffer<std::int32_t> distances_from_each(const Rows& rows, std::span<const std::int32_t> sources, ThreadTeam& threads);

/// What networkx adds up in Brandes's algorithm (2001).
struct Betweenness {
  std::vector<double> nodes;
  std::vector<double> edges;  ///< of each edge, if they are wanted
};

/// Adds up what each source contributes, one source after the other, as floats must be for networkx's sums. `columns`
/// are the rows of the graph turned round. `endpoints`: paths also count at their ends. `edge_of_entry`: the number of
/// the edge of each entry of columns, below edge_count; empty if edges are not wanted. Threads search from several
/// sources at once. O(sources · edges).
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
