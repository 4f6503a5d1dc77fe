// A pull level (bottom-up): from the unvisited vertices back to the frontier.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "simd/find_in_frontier.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// The frontier in the forms that the searches of rows and of columns need.
struct PullFrontier {
  Frontier of_rows;
  FrontierBits of_columns;
};

/// Selects the part of each row that a pull searches: all but the first neighbours, which are in columns.
struct RestOfRow {
  std::size_t columns;

  [[nodiscard]] IndexRange operator()(std::size_t, std::size_t degree) const {
    return {std::min(columns, degree), degree};
  }
};

/// Pull levels of one rank (Beamer et al. 2012, section III). Each unvisited vertex that has a neighbour in the
/// frontier bits gets the first such neighbour as its parent. Tests the first neighbours in their columns, the head.
/// Vertices without a hit there are searched for in their rows: in an Adjacency at the places that Part(vertex, degree)
/// returns, in a CompressedAdjacency behind the columns. One thread handles a whole word of 64 vertices, so nothing is
/// atomic. Labels is a LabelLookup or has the same members.
template <class Rows, class Part = RestOfRow, class Labels = LabelLookup>
class Pull {
  using Neighbour = typename Rows::Neighbour;
  using Search = typename Rows::Search;

 public:
  /// `head` has any number of columns. Vertices from `rows_end` on have all their neighbours in columns.
  /// All arguments except `part` outlive the pull.
  Pull(SearchState<Neighbour>& state, const Rows& rows, std::span<const HeadColumn<Neighbour>> head,
       std::size_t rows_end, PullFrontier frontier, Part part, const Labels& labels, ThreadTeam& threads)
      : state_(state),
        rows_(rows),
        head_(head),
        rows_end_(rows_end),
        frontier_(frontier),
        part_(part),
        labels_(labels),
        threads_(threads),
        blocks_(static_cast<std::size_t>(threads.size())) {}

  [[nodiscard]] std::size_t rows_end() const noexcept { return rows_end_; }
  /// Visits those of `vertices` that have a neighbour in the frontier. Searches only columns from `rows_end` on.
  void visit_level(IndexRange vertices, std::size_t rows_end = SIZE_MAX) {
    visit(vertices, head_, std::min(rows_end, rows_end_));
  }
  /// Visits those of the leaves [begin, end) whose only neighbour is in the frontier.
  void visit_leaves(std::size_t begin, std::size_t end) {
    visit({begin, end}, head_.first(std::min<std::size_t>(1, head_.size())), rows_end_);
  }

 private:
  using Columns = std::span<const HeadColumn<Neighbour>>;

  /// Searches the columns, then, for vertices below `rows_end`, the parts of their rows that are in no column.
  void visit(IndexRange vertices, Columns columns, std::size_t rows_end) {
    const std::size_t first_word = vertices.begin / bits_per_word;
    const std::size_t word_count = words_for_bits(vertices.end) - first_word;
    parallel_blocks(threads_, word_count, block_of(word_count), [&](IndexRange range, int thread) {
      const IndexRange words{first_word + range.begin, first_word + range.end};
      Block& block = blocks_[static_cast<std::size_t>(thread)];
      Tally<Neighbour>& tally = state_.tally(thread);
      const std::span left = std::span(block.left).first(words.size());
      if (!gather_unvisited(words, vertices, left)) return;
      for (const auto& column : columns) visit_column(column, words.begin, left, block.found, tally);
      if (words.begin * bits_per_word >= rows_end) return;
      for (std::size_t i = 0; i < left.size(); ++i) left[i] &= bits_below(rows_end, words.begin + i);
      visit_rows(words.begin, left, block.search, tally);
    });
  }

  static constexpr std::size_t words_per_block = 256;  ///< at most
  /// How many words a thread takes at a time. With more words, more rows are fetched from memory at the same time; with
  /// fewer, threads finish closer together.
  [[nodiscard]] std::size_t block_of(std::size_t words) const {
    constexpr std::size_t least = 64;
    constexpr std::size_t blocks_per_thread = 16;
    return std::clamp(words / (blocks_per_thread * static_cast<std::size_t>(threads_.size())), least, words_per_block);
  }
  using Words = std::array<std::uint64_t, words_per_block>;
  /// The working memory of a thread.
  struct Block {
    Words left{};   ///< vertices that are still to be searched for
    Words found{};  ///< vertices found in the last column
    Search search{words_per_block * bits_per_word};
  };

  /// Writes the bits of the unvisited vertices among `vertices` in a block of words. Returns whether there are any.
  [[nodiscard]] bool gather_unvisited(IndexRange words, IndexRange vertices, std::span<std::uint64_t> unvisited) const {
    const auto visited = std::as_const(state_).visited().words().subspan(words.begin, words.size());
    for (std::size_t i = 0; i < visited.size(); ++i) unvisited[i] = ~visited[i];
    unvisited.front() &= ~bits_below(vertices.begin, words.begin);
    unvisited.back() &= bits_below(vertices.end, words.end - 1);
    return std::any_of(unvisited.begin(), unvisited.end(), [](std::uint64_t word) { return word != 0; });
  }

  /// Visits the vertices in `left` whose neighbour in the column is in the frontier, and removes them from `left`. Uses
  /// no summary of the frontier, because columns hold the most connected vertices, whose bits are few words.
  void visit_column(const HeadColumn<Neighbour>& column, std::size_t first_word, std::span<std::uint64_t> left,
                    Words& found_words, Tally<Neighbour>& tally) {
    const std::size_t first = first_word * bits_per_word;
    const std::span found = std::span(found_words).first(left.size());
    std::fill(found.begin(), found.end(), 0);
    test_column(column.global_ids.data() + first, column.labels.data() + first, frontier_.of_columns,
                std::span<const std::uint64_t>(left), found, state_.parents().data() + first);
    for (std::size_t i = 0; i < left.size(); ++i) {
      tally.edges_examined += static_cast<std::uint64_t>(std::popcount(left[i]));
      tally.claimed += static_cast<std::uint64_t>(std::popcount(found[i]));
      state_.visited().words()[first_word + i] |= found[i];
      left[i] &= ~found[i];
    }
  }

  /// Searches the rows of the vertices in `left`.
  void visit_rows(std::size_t first_word, std::span<const std::uint64_t> left, Search& search,
                  Tally<Neighbour>& tally) {
    rows_.start(search, LocalVertex{static_cast<std::uint32_t>(first_word * bits_per_word)});
    for (std::size_t i = 0; i < left.size(); ++i) {
      prefetch_offsets(first_word, left, i + words_ahead);
      for_each_set_bit(left[i], (first_word + i) * bits_per_word, [&](std::size_t number) {
        const LocalVertex vertex{static_cast<std::uint32_t>(number)};
        const IndexRange part = part_(number, rows_.degree(vertex));
        if (part.size() == 0 || rows_.add(search, vertex, part)) return;
        finish_rows(search, tally);
        rows_.start(search, vertex);
        (void)rows_.add(search, vertex, part);
      });
    }
    finish_rows(search, tally);
  }

  static constexpr std::size_t words_ahead = 128;
  [[gnu::always_inline]] void prefetch_offsets(std::size_t first_word, std::span<const std::uint64_t> left,
                                               std::size_t i) const {
    if (i >= left.size()) return;
    for_each_set_bit(left[i], (first_word + i) * bits_per_word, [this](std::size_t vertex) {
      rows_.prefetch_index(LocalVertex{static_cast<std::uint32_t>(vertex)});
    });
  }

  void finish_rows(Search& search, Tally<Neighbour>& tally) {
    tally.edges_examined += search.run(frontier_.of_rows);
    const auto vertices = search.found_vertices();
    const auto neighbours = search.found_neighbours();
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (i + ahead < vertices.size()) labels_.prefetch(neighbours[i + ahead]);
      const auto vertex = static_cast<std::uint32_t>(vertices[i]);
      state_.set_parent(vertex, neighbours[i], labels_, tally);
      state_.visited().insert(vertex);
    }
    tally.claimed += vertices.size();
  }

  SearchState<Neighbour>& state_;
  const Rows& rows_;
  std::span<const HeadColumn<Neighbour>> head_;
  std::size_t rows_end_;
  PullFrontier frontier_;
  Part part_;
  const Labels& labels_;
  ThreadTeam& threads_;
  std::vector<Block> blocks_;  ///< one per thread
};

}  // namespace breadth
