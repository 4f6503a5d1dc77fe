// The queues that pushes work off: how vertices get into them, each once, and walks along their edges.
#pragma once

#include <cstdint>

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

/// Makes queues of what a pull found, for a push.
struct CollectFrontier {
  GraphView graph;
  SearchView search;
  QueueView queue;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (graph.bounds.searched + bits_per_word - 1) / bits_per_word;
    each_word(
        warp, words,
        [&](const auto& word, const typename Warp::Mask& there) { return warp.load(search.found, word, there); },
        [&](std::uint32_t word, std::uint32_t found) {
          append(warp, graph, queue, warp.lane() + word * bits_per_word, warp.bits_of(found));
        });
  }
};

// Who is first: bits that many lanes want to set, and vertices that are visited once.

/// Sets the bits of these numbers for the lanes of the mask, atomically. Which lanes did:
/// of those who want the same bit one, and none where it is set. A bit is looked at first, since nearly all are.
template <class Warp>
constexpr typename Warp::Mask set_bits(const Warp& warp, const ArrayView<std::uint32_t>& bitmap,
                                       const typename Warp::template Lanes<std::uint32_t>& numbers,
                                       const typename Warp::Mask& mask) {
  const auto word = numbers / bits_per_word;
  const auto bit = warp.bit(numbers % bits_per_word);
  const typename Warp::Mask fresh = mask & ((warp.load_relaxed(bitmap, word, mask) & bit) == 0U);
  if (!warp.any(fresh)) return fresh;
  return fresh & ((warp.fetch_or(bitmap, word, bit, fresh) & bit) == 0U);
}

/// Visits these vertices for the lanes of the mask, unless they are visited: they get their parents, join the queue and
/// are counted. Which lanes did.
template <class Warp>
constexpr typename Warp::Mask claim(const Warp& warp, const GraphView& graph, const SearchView& search,
                                    const QueueView& queue,
                                    const typename Warp::template Lanes<std::uint32_t>& vertices,
                                    const typename Warp::template Lanes<std::uint32_t>& parents,
                                    const typename Warp::Mask& mask, Tally<Warp>& tally) {
  const typename Warp::Mask claimed = set_bits(warp, search.visited, vertices, mask);
  if (!warp.any(claimed)) return claimed;
  warp.store(search.parents, vertices, parents, claimed);
  append(warp, graph, queue, vertices, claimed);
  tally.claimed = tally.claimed + claimed;
  tally.edges = tally.edges + warp.load_constant(graph.word_degrees, vertices / bits_per_word, claimed);
  return claimed;
}

// Along the edges of the vertices of a queue.

/// Whole rows, each by `Width` lanes side by side (Pan et al. 2018, section IV-A: balance by degree class). A Step has
/// the graph, the queue `front` and the sums `tallies`, and `follow` goes along one edge a lane: a vertex, a place in
/// its row.
template <class Step, std::uint32_t Width>
struct RowWalk : Step {
  std::uint32_t row_class = by_lanes;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width;
    const std::uint32_t size = warp.load_one(this->front.sizes, row_class);
    const std::uint32_t begin = this->graph.bounds.begin(row_class);
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * rows; first < size; first += warp.count() * rows) {
      const auto place = warp.lane() / Width + first;
      const typename Warp::Mask is_row = place < size;
      const auto vertices = warp.load(this->front.vertices, place + begin, is_row);
      const auto end = warp.load_constant(this->graph.ends, vertices, is_row);
      auto next_place = warp.load_constant(this->graph.offsets, vertices, is_row) + warp.lane() % Width;
      for (typename Warp::Mask active = is_row & (next_place < end); warp.any(active); active = next_place < end) {
        this->follow(warp, vertices, next_place, active, tally);
        next_place = next_place + Width;
      }
    }
    tally.add_to(warp, this->tallies());
  }
};

/// The longest rows, a piece a warp.
template <class Step>
struct PieceWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const GraphView& graph = this->graph;
    const std::uint32_t size = warp.load_one(this->front.sizes, by_pieces);
    Tally<Warp> tally;
    for (std::uint32_t i = warp.index(); i < size; i += warp.count()) {
      const std::uint32_t piece = warp.load_one(this->front.pieces, i);
      const std::uint32_t vertex = warp.load_one(graph.piece_rows, piece);
      const std::uint64_t in_row = std::uint64_t{piece - warp.load_one(graph.first_pieces, vertex)} * piece_edges;
      const std::uint64_t begin = warp.load_one(graph.offsets, vertex) + in_row;
      const std::uint64_t row_end = warp.load_one(graph.ends, vertex);
      const std::uint64_t end = row_end < begin + piece_edges ? row_end : begin + piece_edges;
      for (std::uint64_t first = begin; first < end; first += warp_lanes) {
        const auto place = warp.wide_lane() + first;
        this->follow(warp, warp.same(vertex), place, place < end, tally);
      }
    }
    tally.add_to(warp, this->tallies());
  }
};

/// Has a grid walk along all rows of a queue of so many vertices.
template <class Grid, class Step>
constexpr void walk_queue(Grid& grid, const Step& step, std::uint64_t vertices) {
  const std::uint64_t pieces = step.graph.piece_rows.size;
  if (pieces > 0) grid.run(PieceWalk<Step>{step}, pieces);
  grid.run(RowWalk<Step, warp_lanes>{step, by_warps}, vertices);
  grid.run(RowWalk<Step, group_lanes>{step, by_groups}, vertices * group_lanes / warp_lanes + 1);
  grid.run(RowWalk<Step, 1>{step, by_lanes}, vertices / warp_lanes + 1);
}

}  // namespace breadth::gpu
