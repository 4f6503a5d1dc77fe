// One level from the unvisited vertices back to the frontier.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/label_lookup.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// One pull level of one rank (Beamer et al. 2012, section III): every unvisited vertex that has a neighbour in the
/// frontier bits gets the first such neighbour as its parent. The leading neighbours of 64 vertices are tested without
/// a branch; only what they leave over looks into its row. A word of 64 vertices is one thread's, so nothing is atomic.
template <class Neighbour>
class PullLevel {
 public:
  PullLevel(SearchState<Neighbour>& state, const Adjacencies<Neighbour>& rows, const LabelLookup& labels)
      : state_(state),
        frontier_(state.frontier_bits().data()),
        next_(state.next().words()),
        parents_(state.parents()),
        rows_(rows.pull_rows()),
        leading_(rows.leading),
        labels_(labels) {}

  /// Carries it out: `next` becomes the set of the vertices found, `visited` grows by them.
  void run(ThreadTeam& threads) {
    parallel_blocks(threads, next_.size(), words_per_block, [&](IndexRange words, int thread) {
      auto& tally = state_.tally(thread);
      for (std::size_t word = words.begin; word < words.end; ++word) pull_word(word, tally);
      pull_rows(words, tally);
      for (std::size_t word = words.begin; word < words.end; ++word) {
        state_.visited().words()[word] |= next_[word];
        tally.claimed += static_cast<std::uint64_t>(std::popcount(next_[word]));
      }
    });
  }

 private:
  static constexpr std::size_t words_per_block = 64;

  [[nodiscard]] std::uint64_t in_frontier(Neighbour neighbour) const {
    return (frontier_[neighbour / bits_per_word] >> (neighbour % bits_per_word)) & 1U;
  }

  /// Those of `wanted` whose neighbour in the column is in the frontier; they get it as their parent.
  [[nodiscard]] std::uint64_t test_column(const NeighbourColumn<Neighbour>& column, std::size_t first,
                                          std::uint64_t wanted) {
    std::uint64_t hits = 0;
    const Neighbour* positions = column.positions.data() + first;
    if (wanted == ~std::uint64_t{0}) {
      for (std::size_t i = 0; i < bits_per_word; ++i) hits |= in_frontier(positions[i]) << i;
    } else {
      for_each_set_bit(wanted, 0, [&](std::size_t i) { hits |= in_frontier(positions[i]) << i; });
    }
    const Neighbour* labels = column.labels.data() + first;
    for_each_set_bit(hits, first, [&](std::size_t vertex) { parents_[vertex] = labels[vertex - first]; });
    return hits;
  }

  /// Tests the leading neighbours; `next` then holds the hits.
  void pull_word(std::size_t word, Tally<Neighbour>& tally) {
    const std::uint64_t wanted = state_.unvisited(word);
    if (wanted == 0) {
      next_[word] = 0;
      return;
    }
    const std::size_t first = word * bits_per_word;
    const std::uint64_t hits = test_column(leading_.first, first, wanted);
    const std::uint64_t left = wanted & ~hits;
    next_[word] = hits | test_column(leading_.second, first, left);
    tally.edges_examined += static_cast<std::uint64_t>(std::popcount(wanted) + std::popcount(left));
  }

  /// Looks into the rest of the rows of those that are left.
  void pull_rows(IndexRange words, Tally<Neighbour>& tally) {
    std::array<std::uint32_t, words_per_block * bits_per_word> left;
    std::size_t count = 0;
    for (std::size_t word = words.begin; word < words.end; ++word) {
      for_each_set_bit(state_.unvisited(word) & ~next_[word], word * bits_per_word,
                       [&](std::size_t vertex) { left[count++] = static_cast<std::uint32_t>(vertex); });
    }
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead < count) __builtin_prefetch(rows_.row(LocalVertex{left[i + ahead]}).data());
      pull_row(left[i], tally);
    }
  }

  void pull_row(std::uint32_t vertex, Tally<Neighbour>& tally) {
    const std::span<const Neighbour> row = rows_.row(LocalVertex{vertex});
    for (std::size_t i = LeadingNeighbours<Neighbour>::columns; i < row.size(); ++i) {
      ++tally.edges_examined;
      if (in_frontier(row[i]) == 0) continue;
      if (labels_.knows(row[i])) {
        parents_[vertex] = static_cast<Neighbour>(labels_.label(row[i]).value);
      } else {
        tally.unnamed.push_back({vertex, row[i]});
      }
      next_[vertex / bits_per_word] |= bit_in_word(vertex);
      return;
    }
  }

  SearchState<Neighbour>& state_;
  const std::uint64_t* frontier_;
  std::span<std::uint64_t> next_;
  std::span<Neighbour> parents_;
  const Adjacency<Neighbour>& rows_;
  const LeadingNeighbours<Neighbour>& leading_;
  const LabelLookup& labels_;
};

}  // namespace breadth
