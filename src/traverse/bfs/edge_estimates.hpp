// Estimates of the edges of found and of unvisited vertices, which decide the direction. Exact counts would take a
// quarter of a small level's time, and as long as a pull in a large one.
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

/// The most frontier edges with which the rule (core/policy/direction.hpp) never pulls. `edges` are those of the
/// frontier and of all unvisited vertices together.
constexpr std::uint64_t too_few_to_pull(std::uint64_t edges, double alpha) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / (alpha + 1));
}

/// The smallest of some vertices. Unlike std::min_element it needs no position, so that compilers vectorise it.
inline std::uint32_t least_of(std::span<const std::uint32_t> vertices) {
  std::uint32_t least = UINT32_MAX;
  for (const std::uint32_t vertex : vertices) least = std::min(least, vertex);
  return least;
}

/// About an upper bound for the edges of so many vertices, if the first of them in the order of degrees has `degree`
/// edges. Degrees within a bin (core/degree_bins.hpp) differ by at most a quarter.
inline std::uint64_t max_edges(std::size_t vertices, std::size_t degree) { return vertices * (degree + degree / 4); }

/// About an upper bound for the edges of the found vertices. UINT64_MAX if there is a hub (below `hubs_end`) among
/// them, because this rank may have any number of a hub's edges.
template <class Neighbour, class Rows>
std::uint64_t most_edges_of_found(const SearchState<Neighbour>& state, const Rows& rows, std::size_t hubs_end) {
  std::uint64_t bound = 0;
  for (const Tally<Neighbour>& tally : state.tallies()) {
    if (tally.found.empty()) continue;
    const std::uint32_t first = least_of(tally.found);
    if (first < hubs_end) return UINT64_MAX;
    bound += max_edges(tally.found.size(), rows.degree(LocalVertex{first}));
  }
  return bound;
}

/// Estimates the edges of the found vertices: returns an upper bound if that is at most `few`; otherwise an exact count
/// if the vertices are not many, or an extrapolation from a sample. `few` must be 0 unless vertices are in the order of
/// degrees, because the bound follows from the smallest local id.
template <class Neighbour, class Rows>
std::uint64_t edges_of_found(const SearchState<Neighbour>& state, const Rows& rows, std::size_t hubs_end,
                             std::uint64_t few) {
  constexpr std::size_t not_many = 2048;
  const std::size_t count = state.found_count();
  if (few > 0 && count <= not_many) {
    const std::uint64_t bound = most_edges_of_found(state, rows, hubs_end);
    if (bound <= few) return bound;
  }
  constexpr std::size_t first_ones = 64;  // of each thread: in sorted lists these have the most edges
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

/// Estimates the edges of the unvisited ones among the first so many vertices. Assumes that the vertices of a word have
/// about the same degree.
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

/// A sample of rows, from which it estimates how many neighbours a pull examines. A random row of a Kronecker graph has
/// a visited vertex among its first two neighbours; most rows of a layered graph have none. The sampled rows lie at
/// equal distances among all neighbours, so that each stands for equally many. With equal distances among vertices, a
/// few long rows would dominate.
template <class Neighbour>
class SampledRows {
 public:
  /// The rows outlive this. O(log n) for each sampled row.
  explicit SampledRows(const Adjacency<Neighbour>& rows)
      : rows_(rows), stride_(static_cast<double>(rows.entries()) / static_cast<double>(some)) {
    const auto offsets = rows.offsets.span();
    for (std::size_t i = 0; i < some && rows.entries() > 0; ++i) {
      const auto place = static_cast<EdgeOffset>((static_cast<double>(i) + 0.5) * stride_);
      const auto after = std::upper_bound(offsets.begin(), offsets.end(), place);
      vertices_[i] = LocalVertex{static_cast<std::uint32_t>(after - offsets.begin() - 1)};
    }
  }

  /// Estimates how many neighbours a pull of the first so many vertices examines.
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
    double rows = 0;  // examined, a row with a hit counts in part
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
  double stride_;  ///< neighbours from one sampled row to the next
  std::array<LocalVertex, some> vertices_{};
};

}  // namespace breadth
