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
  const std::size_t stride = count / not_many + 1;
  std::uint64_t edges = 0;
  for (const Tally<Neighbour>& tally : state.tallies()) {
    for (std::size_t i = 0; i < tally.found.size(); i += stride) edges += rows.degree(LocalVertex{tally.found[i]});
  }
  return stride * edges;
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

/// About how many neighbours a pull of the first so many vertices looks at, by some of their rows: a random one of a
/// Kronecker graph has a visited vertex among its first two, one of a layered graph hardly any.
template <class Neighbour>
std::uint64_t edges_of_pull(const SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows,
                            std::size_t vertices) {
  constexpr std::size_t most_rows = 256;
  constexpr std::size_t most_of_row = 256;
  std::array<LocalVertex, most_rows> some;
  std::size_t count = 0;
  const std::size_t stride = vertices / most_rows + 1;
  for (std::size_t vertex = stride / 2; vertex < vertices; vertex += stride) {
    if (state.visited().contains(vertex)) continue;
    some[count] = LocalVertex{static_cast<std::uint32_t>(vertex)};
    rows.prefetch_index(some[count++]);
  }
  for (const LocalVertex vertex : std::span(some).first(count)) rows.prefetch_row(vertex);
  std::uint64_t edges = 0;
  for (const LocalVertex vertex : std::span(some).first(count)) {
    const auto row = rows.row(vertex);
    const auto looked_at = row.first(std::min(most_of_row, row.size()));
    const auto hit = std::ranges::find_if(looked_at, [&](Neighbour id) { return state.visited().contains(id); });
    edges += static_cast<std::uint64_t>(hit - looked_at.begin()) +
             (hit != looked_at.end() ? 1 : row.size() - looked_at.size());
  }
  return stride * edges;
}

}  // namespace breadth
