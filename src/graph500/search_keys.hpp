// Which vertices the benchmark searches from.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "comm/communicator.hpp"
#include "core/block_distribution.hpp"
#include "core/ids.hpp"

namespace breadth {

/// What the choice of search keys has to know of the graph.
struct SearchKeySource {
  /// The next candidate of the stream; the same sequence on every rank.
  std::function<Label()> draw;
  /// Whether a label that this rank owns has an edge to another vertex.
  std::function<bool(Label own)> connected;
  /// How labels lie on the ranks. A candidate outside has no edge.
  BlockDistribution distribution;
  /// Vertices with an edge to another vertex, on all ranks.
  std::uint64_t connected_vertices = 0;
};

/// Draws that are tried before the rest of the keys is taken in the order of labels: enough for every graph of the
/// benchmark by far, and seconds where hardly any label of a huge range has an edge.
inline constexpr std::uint64_t most_search_key_draws = std::uint64_t{1} << 22;

/// `count` different vertices with an edge to another vertex, in the order of the stream; all such vertices where the
/// graph has fewer (specification 2.0, section on search keys; design.md section 2). Vertices are never taken twice
/// and never without a proper edge. Collective; the same result on every rank. Candidates are asked for in batches,
/// one small all-reduce each.
std::vector<Label> choose_search_keys(const SearchKeySource& source, std::uint64_t count, const Communicator& ranks);

}  // namespace breadth
