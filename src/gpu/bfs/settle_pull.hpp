// The end of a pull: what it found becomes visited.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Joins the words of vertices [begin, end) and counts what is new.
struct SettlePull {
  GraphView graph;
  SearchView search;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (end + bits_per_word - 1) / bits_per_word;
    Tally<Warp> tally;
    for (std::uint32_t first = begin / bits_per_word + warp.index() * warp_lanes; first < words;
         first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const auto found = warp.load(search.found, word, word < words);
      const typename Warp::Mask any = found != 0U;
      const auto count = warp.popcount(found);
      warp.store(search.visited, word, warp.load(search.visited, word, any) | found, any);
      tally.claimed = tally.claimed + count;
      tally.edges = tally.edges + Count<Warp>(count) * warp.load_constant(graph.word_degrees, word, any);
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  template <class Warp>
  using Count = typename Tally<Warp>::Count;
};

}  // namespace breadth::gpu
