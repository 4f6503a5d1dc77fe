// The choice of the vertices from which the benchmark searches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// The properties of a graph on which the choice of search keys depends.
struct SearchKeySource {
  /// Returns the next candidate of the stream; the sequence is equal on every rank.
  std::function<Label()> draw;
  /// Whether a label that this rank owns has an edge to another vertex.
  std::function<bool(Label own)> connected;
  /// The distribution of labels to ranks. A candidate outside it has no edge.
  BlockDistribution distribution;
  /// Vertices with an edge to another vertex, on all ranks.
  std::uint64_t connected_vertices = 0;
};

/// The maximum number of draws. After it, the remaining keys are taken in the order of labels. It is far more than any
/// graph of the benchmark needs, and takes seconds if hardly any label of a huge range has an edge.
inline constexpr std::uint64_t max_search_key_draws = std::uint64_t{1} << 22;

/// Chooses `count` different vertices with an edge to another vertex, in the order of the stream; all such vertices if
/// the graph has fewer (specification 2.0, section on search keys). Candidates are checked in batches, with one small
/// all-reduce each. Collective, with the same result on every rank.
std::vector<Label> choose_search_keys(const SearchKeySource& source, std::uint64_t count, const Communicator& ranks);

/// The parameters of the stream of candidates.
struct SearchKeySeed {
  int scale = 0;  ///< candidates are labels below 2^scale
  std::array<std::uint64_t, 2> seed = {2, 3};
};

/// The reference's stream of candidates.
std::function<Label()> candidates_of(const SearchKeySeed& seed);

/// The smallest scale with at least `vertex_count` labels; at least 1.
inline int min_scale(std::uint64_t vertex_count) {
  return std::max(1, static_cast<int>(std::bit_width(vertex_count - 1)));
}

/// Chooses search keys for a graph from the reference's stream. Skips `excluded` vertices, which have edges to other
/// vertices: for example the keys that the benchmark has chosen, to get others. Collective, with the same result on
/// every rank.
std::vector<Label> draw_search_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t count,
                                    const std::unordered_set<Label>& excluded, const Communicator& ranks);

}  // namespace breadth
