// Replicas of hubs on several devices.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Hubs that other ranks visited become visited here and join the next frontier. Their parents are known elsewhere;
/// here each has itself, so that whatever is visited has a vertex for its parent.
struct JoinHubs {
  GraphView graph;
  SearchView search;
  ArrayView<const std::uint32_t> masks;  ///< the bits of the hubs that any rank visited, this one's among them
  QueueView next;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const auto words = static_cast<std::uint32_t>(masks.size);
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const typename Warp::Mask there = word < words;
      const auto all = warp.load(masks, word, there);
      const auto added = all - warp.load(search.visited, word, there);  // a part of it
      warp.store(search.visited, word, all, there);
      const Count<Warp> count = warp.popcount(added);
      tally.edges = tally.edges + count * warp.load_constant(graph.word_degrees, word, there & (added != 0U));
      for (std::uint32_t some = warp.ballot(added != 0U); some != 0; some &= some - 1) {
        const std::uint32_t lane = warp.lowest(some);
        const typename Warp::Mask joins = warp.bits_of(warp.broadcast(added, lane));
        const auto hub = warp.lane() + (first + lane) * bits_per_word;
        warp.store(search.parents, hub, hub, joins);
        append(warp, graph, next, hub, joins);
      }
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  template <class Warp>
  using Count = typename Tally<Warp>::Count;
};

/// The parents of the hubs that are visited become labels.
struct NameHubs {
  SearchView search;
  ArrayView<std::uint32_t> named;         ///< a bit a vertex: its parent is a label
  ArrayView<const std::uint32_t> labels;  ///< of each vertex
  std::uint32_t hub_bits = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    for (std::uint32_t word = warp.index(); word < hub_bits / bits_per_word; word += warp.count()) {
      const typename Warp::Mask visited = warp.bits_of(warp.load_one(search.visited, word));
      const auto hub = warp.lane() + word * bits_per_word;
      const auto parent = warp.load(search.parents, hub, visited);
      warp.store(search.parents, hub, warp.load_constant(labels, parent, visited), visited);
      warp.store(named, warp.same(word), warp.same(~0U), warp.lane() == 0U);
    }
  }
};

}  // namespace breadth::gpu
