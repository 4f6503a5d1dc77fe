// The start of a search.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Visits the source and makes it the frontier. The first warp's work; everything was cleared before.
struct StartSearch {
  GraphView graph;
  SearchView search;
  QueueView queue;
  std::uint32_t source = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    if (warp.index() != 0) return;
    const auto vertex = warp.same(source);
    const typename Warp::Mask first = warp.lane() == 0U;
    warp.store(search.visited, vertex / bits_per_word, warp.bit(vertex % bits_per_word), first);
    warp.store(search.parents, vertex, vertex, first);
    append(warp, graph, queue, vertex, first);
  }
};

}  // namespace breadth::gpu
