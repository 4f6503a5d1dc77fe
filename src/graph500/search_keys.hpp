// Which vertices the benchmark searches from.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"

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
/// graph has fewer (specification 2.0, section on search keys). Vertices are never taken twice
/// and never without a proper edge. Collective; the same result on every rank. Candidates are asked for in batches,
/// one small all-reduce each.
std::vector<Label> choose_search_keys(const SearchKeySource& source, std::uint64_t count, const Communicator& ranks);

/// Which stream candidates are drawn from.
struct SearchKeySeed {
  int scale = 0;  ///< candidates are labels below 2^scale
  std::array<std::uint64_t, 2> seed = {2, 3};
};

/// The reference's stream of candidates.
std::function<Label()> candidates_of(const SearchKeySeed& seed);

/// The least scale with so many labels; 1 where there is hardly any.
int least_scale(std::uint64_t vertex_count);

/// The same choice for a graph, with the reference's stream. `excluded` vertices, which have proper edges, are passed
/// over: what the benchmark has chosen, so that others can be had. Collective; the same result on every rank.
std::vector<Label> draw_search_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t count,
                                    const std::unordered_set<Label>& excluded, const Communicator& ranks);

}  // namespace breadth
