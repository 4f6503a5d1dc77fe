// The phases of a breadth-first search on a device: its start, push, and the three of a pull.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// The start of a search.

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

// A push: from the vertices of the queue along their edges.

/// What all pushes have in common.
struct PushStep {
  GraphView graph;
  SearchView search;
  QueueView front;
  QueueView next;
  std::uint32_t visit_before = 0;  ///< vertices from there on are left to the last pass

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return search.tallies; }

  /// Follows one edge a lane: who is not visited yet gets the lane's vertex as parent and joins the next frontier.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    (void)claim(warp, graph, search, next, target, vertices, mask & (target < visit_before), tally);
  }
};

template <std::uint32_t Width>
using PushRows = RowWalk<PushStep, Width>;
using PushPieces = PieceWalk<PushStep>;

// The first part of a pull: first neighbours, 32 vertices at a time.

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

// The second part of a pull: the rows of vertices whose first neighbour is not in the frontier.

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

// The end of a pull: what it found becomes visited.

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
