// About how many edges vertices have that a search found, or did not: what decides a direction. To look at each vertex
// would cost a small level a quarter of its time, and a large one as much as a pull.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The least of some vertices. Without positions, unlike std::min_element, so that compilers take several at a time.
inline std::uint32_t least_of(std::span<const std::uint32_t> vertices) {
  std::uint32_t least = UINT32_MAX;
  for (const std::uint32_t vertex : vertices) least = std::min(least, vertex);
  return least;
}

/// At least about as many edges as so many vertices have, if the first of them in the order of degrees has `degree`:
/// bins of degrees (graph/partition.hpp) end within a fifth of where they start.
inline std::uint64_t most_edges(std::size_t vertices, std::size_t degree) { return vertices * (degree + degree / 4); }

/// At least about as many edges as the found vertices have. With a hub among them, of which this rank may have any
/// number of edges, nothing is said; hubs are those below `hubs_end`.
template <class Neighbour, class Rows>
std::uint64_t most_edges_of_found(const SearchState<Neighbour>& state, const Rows& rows, std::size_t hubs_end) {
  std::uint64_t bound = 0;
  for (const Tally<Neighbour>& tally : state.tallies()) {
    if (tally.found.empty()) continue;
    const std::uint32_t first = least_of(tally.found);
    if (first < hubs_end) return UINT64_MAX;
    bound += most_edges(tally.found.size(), rows.degree(LocalVertex{first}));
  }
  return bound;
}

/// About how many edges the found vertices have: an upper bound where that is at most `few`, exact where they are not
/// many, else from some of them. `few` is 0 unless vertices are in the order of degrees: only there does one of them
/// bound the others'.
template <class Neighbour, class Rows>
std::uint64_t edges_of_found(const SearchState<Neighbour>& state, const Rows& rows, std::size_t hubs_end,
                             std::uint64_t few) {
  constexpr std::size_t not_many = 2048;
  const std::size_t count = state.found_count();
  if (few > 0 && count <= not_many) {
    const std::uint64_t bound = most_edges_of_found(state, rows, hubs_end);
    if (bound <= few) return bound;
  }
  constexpr std::size_t first_ones = 64;  // of each thread: where vertices are found in order they have the most edges
  const std::size_t stride = count / not_many + 1;
  std::uint64_t edges = 0;
  for (const Tally<Neighbour>& tally : state.tallies()) {
    const auto degree = [&](std::size_t i) { return rows.degree(LocalVertex{tally.found[i]}); };
    const std::size_t exact = std::min(first_ones, tally.found.size());
    for (std::size_t i = 0; i < exact; ++i) edges += degree(i);
    for (std::size_t i = exact + stride / 2; i < tally.found.size(); i += stride) edges += stride * degree(i);
  }
  return edges;
}

/// About how many edges the first so many vertices have that are not visited: those of a word have about as many each.
template <class Neighbour, class Rows>
std::uint64_t edges_of_unvisited(const SearchState<Neighbour>& state, const Rows& rows, std::size_t vertices,
                                 ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 1024;
  return parallel_sum(threads, words_for_bits(vertices), words_per_block, [&](std::size_t word) {
    const std::size_t first = word * bits_per_word;
    const std::size_t count = std::min(vertices - first, bits_per_word);
    const std::uint64_t edges = rows.entries({first, first + count});
    return edges * static_cast<std::uint64_t>(std::popcount(state.unvisited(word))) / count;
  });
}

/// Some rows, by which it is estimated how many neighbours a pull looks at: a random row of a Kronecker graph has a
/// visited vertex among its first two, one of a layered graph hardly any. They lie at equal distances among all
/// neighbours, so that each stands for as many: of rows at equal distances among vertices, a few long ones would
/// decide.
template <class Neighbour>
class SampledRows {
 public:
  /// The rows outlive it. O(log n) each.
  explicit SampledRows(const Adjacency<Neighbour>& rows)
      : rows_(rows), stride_(static_cast<double>(rows.entries()) / static_cast<double>(some)) {
    const auto offsets = rows.offsets.span();
    for (std::size_t i = 0; i < some && rows.entries() > 0; ++i) {
      const auto place = static_cast<EdgeOffset>((static_cast<double>(i) + 0.5) * stride_);
      const auto after = std::upper_bound(offsets.begin(), offsets.end(), place);
      vertices_[i] = LocalVertex{static_cast<std::uint32_t>(after - offsets.begin() - 1)};
    }
  }

  /// About how many neighbours a pull of the first so many vertices looks at.
  [[nodiscard]] std::uint64_t edges_of_pull(const SearchState<Neighbour>& state, std::size_t vertices) const {
    constexpr std::size_t most_of_row = 256;
    std::array<LocalVertex, some> unvisited;
    std::size_t count = 0;
    for (const LocalVertex vertex : vertices_) {
      if (vertex.index() >= vertices || state.visited().contains(vertex.index())) continue;
      rows_.prefetch_index(vertex);
      unvisited[count++] = vertex;
    }
    for (const LocalVertex vertex : std::span(unvisited).first(count)) rows_.prefetch_row(vertex);
    double rows = 0;  // and parts of some
    for (const LocalVertex vertex : std::span(unvisited).first(count)) {
      const auto row = rows_.row(vertex);
      const auto looked_at = row.first(std::min(most_of_row, row.size()));
      const auto hit = std::ranges::find_if(looked_at, [&](Neighbour id) { return state.visited().contains(id); });
      rows += hit == looked_at.end()
                  ? 1
                  : static_cast<double>(hit - looked_at.begin() + 1) / static_cast<double>(row.size());
    }
    return static_cast<std::uint64_t>(rows * stride_);
  }

 private:
  static constexpr std::size_t some = 256;

  const Adjacency<Neighbour>& rows_;
  double stride_;  ///< neighbours from one to the next
  std::array<LocalVertex, some> vertices_{};
};

}  // namespace breadth
