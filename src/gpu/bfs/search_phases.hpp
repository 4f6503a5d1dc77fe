// The phases of a breadth-first search on a device: its start, the two kinds of push, and pull.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Visits the source and makes it the frontier. Only the first warp works. All state must be cleared before.
struct StartSearch {
  GraphView graph;
  SearchView search;
  QueueView queue;
  std::uint32_t source = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    if (warp.index() != 0) return;
    const auto vertex = warp.same(source);
    const MaskOf<Warp> first = warp.lane() == 0U;
    warp.store(search.visited, vertex / bits_per_word, warp.bit(vertex % bits_per_word), first);
    warp.store(search.parents, vertex, vertex, first);
    append(warp, graph, queue, vertex, first);
  }
};

/// A push along the edges of the queue's vertices that queues the vertices that it finds.
struct PushStep {
  GraphView graph;
  SearchView search;
  QueueView front;
  QueueView next;
  std::uint32_t visit_before = 0;  ///< vertices from this id on are left to the last pass

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return search.tallies; }

  /// Follows one edge per lane. An unvisited neighbour gets the lane's vertex as parent and joins the next frontier.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    (void)claim(warp, graph, search, next, target, vertices, mask & (target < visit_before), tally);
  }
};

// A push along so many edges that it would take most of the time to queue and count the vertices that each warp finds.
// They are counted after the push instead, once for every 32 vertices.

/// Counts the vertices of these words' bits, and their edges.
template <class Warp, class Places>
constexpr void count_found(const Warp& warp, const GraphView& graph, const Places& word, const WordsOf<Warp>& found,
                           Tally<Warp>& tally) {
  const auto count = warp.popcount(found);
  tally.claimed = tally.claimed + count;
  tally.edges = tally.edges + NumbersOf<Warp>(count) * warp.load_constant(graph.word_degrees, word, found != 0U);
}

/// Copies the visited words before a push.
struct KeepVisitedStep {
  SearchView search;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    warp.store(search.found, place, warp.load(search.visited, place, there), there);
  }
};
using KeepVisited = Each<KeepVisitedStep>;

struct PushUnqueuedStep {
  GraphView graph;
  SearchView search;
  QueueView front;

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return search.tallies; }

  /// Follows one edge per lane. An unvisited neighbour gets the lane's vertex as parent.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    const MaskOf<Warp> claimed = set_bits(warp, search.visited, target, mask & (target < graph.bounds.searched));
    warp.store(search.parents, target, vertices, claimed);
  }
};

/// Sets the bits of the vertices visited since KeepVisited as found, as after a pull, and counts them.
struct SettlePushStep {
  GraphView graph;
  SearchView search;

  template <class Warp, class Places>
  constexpr void settle(const Warp& warp, const Places& word, const MaskOf<Warp>& there, Tally<Warp>& tally) const {
    const auto before = warp.load(search.found, word, there);
    const auto found = warp.load(search.visited, word, there) - before;  // visited has all bits of `before`
    warp.store(search.found, word, found, there);
    count_found(warp, graph, word, found, tally);
  }
};

/// The first part of a pull tests the first neighbours of the unvisited vertices in [begin, end), 32 at a time. All
/// visited vertices count as the frontier, because an unvisited vertex has no neighbour in earlier levels. A warp takes
/// a few words at once, overlaps the look-ups of four of them, and writes each word of found bits by one plain store.
/// Only the queue of misses is atomic: vertices with more neighbours whose first neighbour is not in the frontier.
/// Nearly all look-ups are for the most connected vertices, whose bits are in the cache of each multiprocessor.
struct PullWords {
  GraphView graph;
  SearchView search;
  MissView misses;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  static constexpr std::uint32_t at_once = 4;     ///< words whose look-ups overlap
  static constexpr std::uint32_t warp_words = 8;  ///< words that a warp takes at once

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (end + bits_per_word - 1) / bits_per_word;
    Tally<Warp> tally;
    for (std::uint32_t first = begin / bits_per_word + warp.index() * warp_words; first < words;
         first += warp.count() * warp_words) {
      const auto word = warp.lane() + first;
      const MaskOf<Warp> is_word = (warp.lane() < warp_words) & (word < words);
      const auto visited = warp.load(search.visited, word, is_word);
      auto found = warp.same(0U);
      if (warp.any(is_word & (visited != ~0U))) {
        for (std::uint32_t i = 0; i < warp_words; i += at_once) pull(warp, first, i, visited, found, tally);
      }
      warp.store(search.found, word, found, is_word);
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  /// Sets the bits in `found` of the vertices whose first neighbour is in the frontier, for `at_once` words from
  /// `first` + `done` on.
  template <class Warp>
  constexpr void pull(const Warp& warp, std::uint32_t first, std::uint32_t done, const WordsOf<Warp>& visited,
                      WordsOf<Warp>& found, Tally<Warp>& tally) const {
    WordsOf<Warp> neighbour[at_once];
    MaskOf<Warp> wanted[at_once];
    MaskOf<Warp> hit[at_once];
    MaskOf<Warp> missed[at_once];
    const auto vertices = warp.lane() + (first + done) * bits_per_word;
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const auto vertex = vertices + i * bits_per_word;
      wanted[i] = warp.bits_of(~warp.broadcast(visited, done + i)) & (vertex >= begin) & (vertex < end);
      neighbour[i] = warp.load_constant(graph.first_neighbours, vertex, wanted[i]);
    }
    for (std::uint32_t i = 0; i < at_once; ++i) hit[i] = has_bit(warp, search.visited, neighbour[i], wanted[i]);
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const auto vertex = vertices + i * bits_per_word;
      warp.store(search.parents, vertex, neighbour[i], hit[i]);
      tally.examined = tally.examined + wanted[i];
      missed[i] = wanted[i] & !hit[i] & (vertex < graph.bounds.first_leaf);
      found = warp.select(warp.lane() == done + i, warp.same(warp.ballot(hit[i])), found);
    }
    enqueue(warp, vertices, missed);
  }

  /// Puts the missed vertices of these words into the queues of their classes.
  template <class Warp, class Masks>
  constexpr void enqueue(const Warp& warp, const WordsOf<Warp>& vertices, const Masks& missed) const {
    std::uint32_t counts[miss_classes] = {};
    std::uint32_t bits[miss_classes][at_once] = {};
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const MaskOf<Warp> takes_warp = vertices + i * bits_per_word < graph.bounds.pull_warps;
      bits[missed_by_warps][i] = warp.ballot(missed[i] & takes_warp);
      bits[missed_by_groups][i] = warp.ballot(missed[i] & !takes_warp);
      for (std::uint32_t some = 0; some < miss_classes; ++some) counts[some] += warp.popcount(bits[some][i]);
    }
    if (counts[missed_by_warps] + counts[missed_by_groups] == 0) return;
    const auto lane = warp.lane();
    const auto count = warp.select(lane == std::uint32_t{missed_by_warps}, warp.same(counts[missed_by_warps]),
                                   warp.same(counts[missed_by_groups]));
    const auto places = warp.fetch_add(misses.sizes, lane, count, (lane < std::uint32_t{miss_classes}) & (count != 0U));
    for (std::uint32_t some = 0; some < miss_classes; ++some) {
      std::uint32_t place = warp.broadcast(places, some) + (some == missed_by_groups ? graph.bounds.pull_warps : 0);
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const std::uint32_t of_word = bits[some][i];
        if (of_word != 0) {
          warp.store(misses.vertices, warp.rank(of_word) + place, vertices + i * bits_per_word, warp.bits_of(of_word));
        }
        place += warp.popcount(of_word);
      }
    }
  }
};

/// The second part of a pull searches the rows of vertices whose first neighbour is not in the frontier. `Width` lanes
/// share a row, from its second neighbour on, and stop when any lane has a neighbour in the frontier. The first such
/// neighbour becomes the parent. Each lane overlaps the look-ups of a few rows.
template <std::uint32_t Width>
struct PullRows {
  GraphView graph;
  SearchView search;
  MissView misses;
  std::uint32_t miss_class = missed_by_groups;

  static constexpr std::uint32_t at_once = Width == warp_lanes ? 1 : 4;  ///< rows per lane

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width * at_once;
    const std::uint32_t size = warp.load_one(misses.sizes, miss_class);
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * rows; first < size; first += warp.count() * rows) {
      look_through(warp, first, size, tally);
    }
    tally.add_to(warp, search.tallies);
  }

 private:
  /// Searches rows from place `first` of the queue on, `at_once` for each group of lanes.
  template <class Warp>
  constexpr void look_through(const Warp& warp, std::uint32_t first, std::uint32_t size, Tally<Warp>& tally) const {
    constexpr std::uint32_t group = Width == warp_lanes ? ~0U : (1U << Width % warp_lanes) - 1;
    const auto in_group = warp.lane() % Width;
    const std::uint32_t begin = miss_class == missed_by_groups ? graph.bounds.pull_warps : 0;
    WordsOf<Warp> vertices[at_once];
    NumbersOf<Warp> place[at_once];
    NumbersOf<Warp> end[at_once];
    MaskOf<Warp> active[at_once];
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const auto at = warp.lane() / Width + (first + i * (warp_lanes / Width));
      active[i] = at < size;
      vertices[i] = warp.load(misses.vertices, at + begin, active[i]);
    }
    bool any = false;
    for (std::uint32_t i = 0; i < at_once; ++i) {
      end[i] = warp.load_constant(graph.ends, vertices[i], active[i]);
      place[i] = warp.load_constant(graph.offsets, vertices[i], active[i]) + (in_group + 1U);
      active[i] = active[i] & (place[i] < end[i]);
      any = any || warp.any(active[i]);
    }
    while (any) {
      WordsOf<Warp> neighbour[at_once];
      MaskOf<Warp> hit[at_once];
      for (std::uint32_t i = 0; i < at_once; ++i) {
        neighbour[i] = warp.load_constant(graph.neighbours, place[i], active[i]);
      }
      for (std::uint32_t i = 0; i < at_once; ++i) hit[i] = has_bit(warp, search.visited, neighbour[i], active[i]);
      any = false;
      for (std::uint32_t i = 0; i < at_once; ++i) {
        const auto hits = (warp.same(warp.ballot(hit[i])) >> (warp.lane() - in_group)) & warp.same(group);
        const MaskOf<Warp> nearest = hit[i] & (in_group == warp.lowest(hits));
        warp.store(search.parents, vertices[i], neighbour[i], nearest);
        (void)warp.fetch_or(search.found, vertices[i] / bits_per_word, warp.bit(vertices[i] % bits_per_word), nearest);
        tally.examined = tally.examined + active[i];
        place[i] = place[i] + Width;
        active[i] = active[i] & (hits == 0U) & (place[i] < end[i]);
        any = any || warp.any(active[i]);
      }
    }
  }
};

/// The end of a pull: marks the found vertices as visited and counts them.
struct SettlePullStep {
  GraphView graph;
  SearchView search;

  template <class Warp, class Places>
  constexpr void settle(const Warp& warp, const Places& word, const MaskOf<Warp>& there, Tally<Warp>& tally) const {
    const auto found = warp.load(search.found, word, there);
    const MaskOf<Warp> any = found != 0U;
    warp.store(search.visited, word, warp.load(search.visited, word, any) | found, any);
    count_found(warp, graph, word, found, tally);
  }
};

/// Calls the step's `settle` for the words of the vertices in [begin, end).
template <class Step>
struct Settle : Step {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (end + bits_per_word - 1) / bits_per_word;
    Tally<Warp> tally;
    for (std::uint32_t first = begin / bits_per_word + warp.index() * warp_lanes; first < words;
         first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      this->settle(warp, word, word < words, tally);
    }
    tally.add_to(warp, this->search.tallies);
  }
};
using SettlePull = Settle<SettlePullStep>;
using SettlePush = Settle<SettlePushStep>;

}  // namespace breadth::gpu
