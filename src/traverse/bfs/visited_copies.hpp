// A copy of the visited bits for each thread, for pushes that visit many vertices.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// Copies of one rank's visited bits, one for each thread. Threads that share bits take cache lines from each other at
/// every visit; with copies they do not, and nothing is atomic. If two threads visit the same vertex, it gets either
/// parent. Merging the copies lists the found vertices in rising order, so that the next push reads rows in the order
/// in which they lie in memory (benchmarks/results/bfs.md, "Visiting in copies").
class VisitedCopies {
 public:
  /// Whether a single rank has copies. In the order of labels a queue is not sorted by degree. For more threads the
  /// copies would take half as much memory as the parents, or more.
  static constexpr bool suit(VertexOrder order, int threads) { return order == VertexOrder::degree && threads <= 16; }
  static constexpr std::uint64_t bytes_for(std::uint64_t vertices, int threads) {
    return static_cast<std::uint64_t>(threads) * vertices / 8;
  }

  VisitedCopies(std::size_t vertices, ThreadTeam& threads) : threads_(threads) {
    for (int thread = 0; thread < threads.size(); ++thread) copies_.emplace_back(vertices);
    threads.run([&](int thread) { of(thread).clear(); });  // touches the pages
  }

  /// Whether a push along so many edges gains more than copying and merging the bits takes.
  [[nodiscard]] bool pay(std::uint64_t edges) const {
    constexpr std::uint64_t edges_per_word = 2;
    return edges >= edges_per_word * copies_.size() * copies_.front().words().size();
  }

  /// Calls push(), in which each thread visits only in its copy, of(thread), and merges the copies into the state.
  template <class Neighbour>
  void visit(SearchState<Neighbour>& state, FunctionRef<void()> push) {
    take(state.visited());
    push();
    merge_into(state);
  }
  [[nodiscard]] Bitmap& of(int thread) { return copies_[static_cast<std::size_t>(thread)]; }

 private:
  /// Copies the visited bits for each thread.
  void take(const Bitmap& visited) {
    threads_.run([&](int thread) { std::ranges::copy(visited.words(), of(thread).words().begin()); });
  }
  /// Merges the copies into the visited bits. Counts and lists the found vertices in the tallies.
  template <class Neighbour>
  void merge_into(SearchState<Neighbour>& state) const {
    constexpr std::size_t words_per_block = 1024;
    const auto visited = state.visited().words();
    parallel_blocks(threads_, visited.size(), words_per_block, [&](IndexRange range, int thread) {
      Tally<Neighbour>& tally = state.tally(thread);
      for (std::size_t word = range.begin; word < range.end; ++word) {
        std::uint64_t all = 0;
        for (const Bitmap& copy : copies_) all |= copy.words()[word];
        const std::uint64_t found = all & ~visited[word];
        visited[word] = all;
        tally.claimed += static_cast<std::uint64_t>(std::popcount(found));
        for_each_set_bit(found, word * bits_per_word,
                         [&](std::size_t vertex) { tally.found.push_back(static_cast<std::uint32_t>(vertex)); });
      }
    });
  }

  ThreadTeam& threads_;
  std::vector<Bitmap> copies_;
};

}  // namespace breadth
