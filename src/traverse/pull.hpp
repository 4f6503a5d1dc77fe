// One level from the unvisited vertices back to the frontier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// Gives every unvisited vertex that has a neighbour in the frontier bits its first such neighbour as its parent
/// (Beamer et al. 2012, section III); `next` becomes the set of those vertices. A word of 64 vertices is one thread's,
/// so nothing is atomic. `degrees` are the rows that count a claimed vertex's edges.
template <class Neighbour>
void pull_level(SearchState<Neighbour>& state, const Adjacency<Neighbour>& rows, const Adjacency<Neighbour>& degrees,
                ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 64;
  const std::span<const std::uint64_t> frontier = state.frontier_bits();
  const std::span<std::uint64_t> visited = state.visited().words();
  const std::span<std::uint64_t> next = state.next().words();
  const std::span<Neighbour> parents = state.parents();
  const std::size_t vertices = state.visited().size();

  parallel_blocks(threads, visited.size(), words_per_block, [&](IndexRange range, int thread) {
    Tally tally;
    for (std::size_t word = range.begin; word < range.end; ++word) {
      const std::size_t first = word * bits_per_word;
      const std::size_t count = vertices - first;
      const std::uint64_t present = count >= bits_per_word ? ~std::uint64_t{0} : bit_in_word(count) - 1;
      std::uint64_t found = 0;
      for_each_set_bit(~visited[word] & present, 0, [&](std::size_t bit) {
        const LocalVertex vertex{static_cast<std::uint32_t>(first + bit)};
        for (const Neighbour neighbour : rows.row(vertex)) {
          ++tally.edges_examined;
          if (!test_bit(frontier, neighbour)) continue;
          parents[vertex.index()] = neighbour;
          found |= bit_in_word(bit);
          ++tally.claimed;
          tally.claimed_edges += degrees.degree(vertex);
          break;
        }
      });
      next[word] = found;
      visited[word] |= found;
    }
    Tally& mine = state.tally(thread);
    mine.edges_examined += tally.edges_examined;
    mine.claimed += tally.claimed;
    mine.claimed_edges += tally.claimed_edges;
  });
}

}  // namespace breadth
