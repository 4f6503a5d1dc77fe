// From one bucket of distances to the next.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/sssp/path_views.hpp"
#include "gpu/sssp/relax_rows.hpp"

namespace breadth::gpu {

/// Finds the least distance in the pile that is not below `settled`: `nearest` is raised to the complement of its bits.
struct FindNearest {
  PathView state;
  PileView pile;
  ArrayView<std::uint32_t> nearest;  ///< one, 0 before
  float settled = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t size = warp.load_one(pile.size, 0);
    for (std::uint32_t first = warp.index() * warp_lanes; first < size; first += warp.count() * warp_lanes) {
      const auto place = warp.lane() + first;
      const typename Warp::Mask there = place < size;
      const auto distance = warp.distance_of(warp.load(state.paths, warp.load(pile.vertices, place, there), there));
      const typename Warp::Mask open = there & !(distance < warp.same_float(settled));
      warp.raise(nearest, 0, warp.nearness(distance), open);
    }
  }
};

/// Takes the vertices out of the pile that are closer than the bound and queues them, but for those closer than
/// `settled`, which were queued when they came that close. The others go to the next pile.
struct SplitPile {
  PileView pile;
  Arrivals arrivals;  ///< of the bucket to come, with the next pile
  ArrayView<std::uint64_t> tallies;
  float settled = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t size = warp.load_one(pile.size, 0);
    const PathView& state = arrivals.state;
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * warp_lanes; first < size; first += warp.count() * warp_lanes) {
      const auto place = warp.lane() + first;
      const typename Warp::Mask there = place < size;
      const auto vertex = warp.load(pile.vertices, place, there);
      const auto distance = warp.distance_of(warp.load(state.paths, vertex, there));
      const typename Warp::Mask leaves = there & (distance < warp.same_float(arrivals.bound));
      const typename Warp::Mask queued = leaves & !(distance < warp.same_float(settled));
      warp.store(state.piled, vertex, warp.same(0), leaves);
      warp.store(state.stamps, vertex, warp.same(arrivals.next_level), queued);
      append(warp, arrivals.graph, arrivals.next, vertex, queued);
      arrivals.count(warp, vertex, queued, tally);
      pile_up(warp, arrivals.pile, vertex, there & !leaves);
    }
    tally.add_to(warp, tallies);
  }
};

}  // namespace breadth::gpu
