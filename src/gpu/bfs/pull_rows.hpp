// The second part of a pull: the rows of vertices whose first neighbour is not in the frontier.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Looks through each row of the queue with `Width` lanes side by side, from its second neighbour on, and stops at the
/// first stretch with a neighbour in the frontier, the first of which becomes the parent.
template <std::uint32_t Width>
struct PullRows {
  GraphView graph;
  SearchView search;
  MissView misses;
  std::uint32_t miss_class = missed_by_groups;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width;
    const std::uint32_t size = warp.load_one(misses.sizes, miss_class);
    const std::uint32_t begin = miss_class == missed_by_groups ? graph.bounds.asked : 0;
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * rows; first < size; first += warp.count() * rows) {
      const auto place = warp.lane() / Width + first;
      const typename Warp::Mask is_row = place < size;
      look_through(warp, warp.load(misses.vertices, place + begin, is_row), is_row, tally);
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  template <class Warp>
  constexpr void look_through(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                              const typename Warp::Mask& is_row, Tally<Warp>& tally) const {
    constexpr std::uint32_t group = Width == warp_lanes ? ~0U : (1U << Width % warp_lanes) - 1;
    const auto in_group = warp.lane() % Width;
    const auto end = warp.load_constant(graph.ends, vertices, is_row);
    auto place = warp.load_constant(graph.offsets, vertices, is_row) + (in_group + 1U);
    typename Warp::Mask active = is_row & (place < end);
    while (warp.any(active)) {
      const auto neighbour = warp.load_constant(graph.neighbours, place, active);
      const auto bits = warp.load(search.visited, neighbour / bits_per_word, active);
      const typename Warp::Mask hit = active & ((bits & warp.bit(neighbour % bits_per_word)) != 0U);
      const auto hits = (warp.same(warp.ballot(hit)) >> (warp.lane() - in_group)) & warp.same(group);
      const typename Warp::Mask first = hit & (in_group == warp.lowest(hits));
      warp.store(search.parents, vertices, neighbour, first);
      (void)warp.fetch_or(search.found, vertices / bits_per_word, warp.bit(vertices % bits_per_word), first);
      tally.examined = tally.examined + active;
      place = place + Width;
      active = active & (hits == 0U) & (place < end);
    }
  }
};

}  // namespace breadth::gpu
