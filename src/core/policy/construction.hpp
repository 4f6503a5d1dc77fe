// What kernel 1 decides by what there is to build.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/policy/graph_layout.hpp"

namespace breadth {

/// What there is to build, and with whom.
struct Construction {
  std::uint64_t ranks = 1;
  std::uint64_t threads = 1;  ///< of each rank
  std::uint64_t labels = 0;   ///< N
  std::uint64_t tuples = 0;   ///< of one rank
  bool directed = false;
  bool weighted = false;
  bool narrow = true;  ///< labels fit 32 bits, and positions 31
  GraphLayout layout = {};
};

/// Bytes that kernel 1 may take beside edge list and rows: for each tuple of a rank, and on any rank.
inline constexpr std::uint64_t scratch_bytes_per_tuple = 4;
inline constexpr std::uint64_t least_scratch_bytes = std::uint64_t{1} << 20;

/// The same on a rank with so many tuples.
constexpr std::uint64_t most_scratch_bytes(std::uint64_t tuples) {
  return std::max(least_scratch_bytes, tuples * scratch_bytes_per_tuple);
}

/// Whether kernel 1 goes its short way, build_directly() (graph/build/direct_rows.hpp): on one rank, undirected, in
/// rows of narrow positions in the order of vertices, without weights, and with so few labels that each thread can
/// count them.
constexpr bool builds_directly(const Construction& graph) {
  return graph.ranks == 1 && !graph.directed && !graph.weighted && graph.narrow &&
         graph.layout.adjacency != AdjacencyForm::compressed && graph.layout.neighbours == NeighbourOrder::vertices &&
         graph.labels * graph.threads <= most_scratch_bytes(graph.tuples);
}

}  // namespace breadth
