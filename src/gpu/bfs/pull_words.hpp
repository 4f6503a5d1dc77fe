// The first part of a pull: first neighbours, 32 vertices at a time.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Tests the first neighbours of the unvisited vertices in [begin, end). All visited vertices count as the frontier:
/// an unvisited vertex has no neighbour among those of earlier levels. A warp takes 32 words at once, skips those whose
/// vertices are all visited, and stores what it found in each by one plain store; nothing is atomic but the queue of
/// vertices whose first neighbour is not in the frontier and that have more. The bits of the most connected vertices,
/// the first hub_words words, are copied to the memory that a block's warps share: most look-ups end there.
struct PullWords {
  GraphView graph;
  SearchView search;
  MissView misses;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t hub_words = 0;

  /// Words of shared memory that a block needs.
  [[nodiscard]] constexpr std::uint32_t shared_words() const { return hub_words; }

  /// Each warp's part before any does its work.
  template <class Warp>
  constexpr void prepare(const Warp& warp) const {
    const std::uint32_t stride = warp.warps_in_block() * warp_lanes;
    for (std::uint32_t first = warp.index_in_block() * warp_lanes; first < hub_words; first += stride) {
      const auto word = warp.lane() + first;
      const typename Warp::Mask is_word = word < hub_words;
      warp.store_shared(word, warp.load(search.visited, word, is_word), is_word);
    }
  }

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (end + bits_per_word - 1) / bits_per_word;
    Tally<Warp> tally;
    for (std::uint32_t first = begin / bits_per_word + warp.index() * warp_lanes; first < words;
         first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const typename Warp::Mask is_word = word < words;
      const auto visited = warp.load(search.visited, word, is_word);
      auto found = warp.same(0U);
      for (std::uint32_t open = warp.ballot(is_word & (visited != ~0U)); open != 0; open &= open - 1) {
        const std::uint32_t lane = warp.lowest(open);
        const std::uint32_t bits = pull_word(warp, first + lane, warp.broadcast(visited, lane), tally);
        found = warp.select(warp.lane() == lane, warp.same(bits), found);
      }
      warp.store(search.found, word, found, is_word);
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  /// Returns which of the word's vertices have their first neighbour in the frontier.
  template <class Warp>
  constexpr std::uint32_t pull_word(const Warp& warp, std::uint32_t word, std::uint32_t visited,
                                    Tally<Warp>& tally) const {
    const auto vertex = warp.lane() + word * bits_per_word;
    const typename Warp::Mask wanted = warp.bits_of(~visited) & (vertex >= begin) & (vertex < end);
    if (!warp.any(wanted)) return 0;
    const auto neighbour = warp.load_constant(graph.first_neighbours, vertex, wanted);
    const auto at = neighbour / bits_per_word;
    const typename Warp::Mask is_hub = wanted & (at < hub_words);
    const auto bits = warp.load_shared(at, is_hub) | warp.load(search.visited, at, wanted & (at >= hub_words));
    const typename Warp::Mask hit = wanted & ((bits & warp.bit(neighbour % bits_per_word)) != 0U);
    warp.store(search.parents, vertex, neighbour, hit);
    tally.examined = tally.examined + wanted;
    const typename Warp::Mask missed = wanted & !hit & (vertex < graph.bounds.longer);
    enqueue(warp, vertex, missed & (vertex < graph.bounds.asked), missed_by_warps, 0);
    enqueue(warp, vertex, missed & (vertex >= graph.bounds.asked), missed_by_groups, graph.bounds.asked);
    return warp.ballot(hit);
  }

  template <class Warp>
  constexpr void enqueue(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertex,
                         const typename Warp::Mask& mask, std::uint32_t miss_class, std::uint32_t first) const {
    const std::uint32_t bits = warp.ballot(mask);
    if (bits == 0) return;
    const std::uint32_t place = warp.reserve(misses.sizes, miss_class, warp.popcount(bits));
    warp.store(misses.vertices, warp.rank(bits) + (first + place), vertex, mask);
  }
};

}  // namespace breadth::gpu
