// The queues that pushes work off.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// What the levels of a search count, and how many they have queued.

/// Sets of counters that levels take in turn. While a level counts in its own set and queues by the next one, blocks
/// that are behind may still read the set before, and the one after the next is cleared: so a level needs no barrier
/// but the one at its end.
inline constexpr std::uint32_t counter_sets = 4;

/// All sets, one behind the other.
struct LevelCounters {
  ArrayView<std::uint32_t> queue_sizes;  ///< row_classes a set: the frontier that the level starts from
  ArrayView<std::uint32_t> miss_sizes;   ///< miss_classes a set
  ArrayView<std::uint64_t> tallies;      ///< tally_kinds a set

  [[nodiscard]] constexpr ArrayView<std::uint32_t> queue_sizes_of(std::uint64_t level) const {
    return set(queue_sizes, row_classes, level);
  }
  [[nodiscard]] constexpr ArrayView<std::uint32_t> miss_sizes_of(std::uint64_t level) const {
    return set(miss_sizes, miss_classes, level);
  }
  [[nodiscard]] constexpr ArrayView<std::uint64_t> tallies_of(std::uint64_t level) const {
    return set(tallies, tally_kinds, level);
  }

 private:
  template <class T>
  static constexpr ArrayView<T> set(const ArrayView<T>& all, std::uint32_t size, std::uint64_t level) {
    return {all.data + level % counter_sets * size, size};
  }
};

/// Puts all pieces of one vertex's row into the queue.
template <class Warp>
constexpr void append_pieces(const Warp& warp, const GraphView& graph, const QueueView& queue, std::uint32_t vertex) {
  const std::uint32_t first = warp.load_one(graph.first_pieces, vertex);
  const std::uint32_t count = warp.load_one(graph.first_pieces, vertex + 1) - first;
  const std::uint32_t place = warp.reserve(queue.sizes, by_pieces, count);
  for (std::uint32_t done = 0; done < count; done += warp_lanes) {
    const auto piece = warp.lane() + done;
    warp.store(queue.pieces, piece + place, piece + first, piece < count);
  }
}

/// Puts the vertices of the mask's lanes into the queue of their class, one reservation a class and warp.
template <class Warp>
constexpr void append(const Warp& warp, const GraphView& graph, const QueueView& queue,
                      const typename Warp::template Lanes<std::uint32_t>& vertices, const typename Warp::Mask& mask) {
  std::uint32_t end = graph.bounds.vertices;
  for (std::uint32_t row_class = by_lanes; row_class != by_pieces; --row_class) {
    const std::uint32_t begin = graph.bounds.begin(row_class);
    const typename Warp::Mask of_class = mask & (vertices >= begin) & (vertices < end);
    end = begin;
    const std::uint32_t bits = warp.ballot(of_class);
    if (bits == 0) continue;
    const std::uint32_t place = warp.reserve(queue.sizes, row_class, warp.popcount(bits));
    warp.store(queue.vertices, warp.rank(bits) + (begin + place), vertices, of_class);
  }
  for (std::uint32_t bits = warp.ballot(mask & (vertices < end)); bits != 0; bits &= bits - 1) {
    append_pieces(warp, graph, queue, warp.broadcast(vertices, warp.lowest(bits)));
  }
}

/// Makes queues of what a pull found, for a push. A warp looks at 32 words at once and goes into those with any bits.
struct CollectFrontier {
  GraphView graph;
  SearchView search;
  QueueView queue;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (graph.bounds.searched + bits_per_word - 1) / bits_per_word;
    for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const auto bits = warp.load(search.found, word, word < words);
      for (std::uint32_t some = warp.ballot(bits != 0U); some != 0; some &= some - 1) {
        const std::uint32_t lane = warp.lowest(some);
        const std::uint32_t found = warp.broadcast(bits, lane);
        const auto vertices = warp.lane() + (first + lane) * bits_per_word;
        append(warp, graph, queue, vertices, warp.bits_of(found));
      }
    }
  }
};

}  // namespace breadth::gpu
