// The queues of pushes: how vertices are appended, each once, and walks along the edges of queued vertices.
#pragma once

#include <cstdint>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// Counters of the levels of a search.

/// Sets of counters that levels use in turn. A level counts in its own set and queues by the next set. Meanwhile,
/// blocks that are behind may still read the previous set, and the set after the next is cleared. So a level needs only
/// the barrier at its end.
inline constexpr std::uint32_t counter_sets = 4;

/// All sets, one after the other.
struct LevelCounters {
  ArrayView<std::uint32_t> queue_sizes;  ///< row_classes per set: sizes of the level's frontier
  ArrayView<std::uint32_t> miss_sizes;   ///< miss_classes per set
  ArrayView<std::uint64_t> tallies;      ///< tally_kinds per set

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
    return all.part(level % counter_sets * size, size);
  }
};

/// Appends the vertices of the mask's lanes to the queues of their classes, and all pieces of the longest rows, with
/// one atomic operation of the warp for all classes.
template <class Warp>
constexpr void append(const Warp& warp, const GraphView& graph, const QueueView& queue, const WordsOf<Warp>& vertices,
                      const MaskOf<Warp>& mask) {
  const RowBounds& bounds = graph.bounds;
  const auto lane = warp.lane();
  const MaskOf<Warp> in_pieces = mask & (vertices < bounds.long_rows);
  const std::uint32_t long_bits = warp.ballot(in_pieces);
  WordsOf<Warp> first_piece = warp.same(0);
  WordsOf<Warp> pieces = warp.same(0);
  WordsOf<Warp> pieces_before = warp.same(0);
  WordsOf<Warp> counts = warp.same(0);  // lane i has that of class i
  if (long_bits != 0) {
    first_piece = warp.load_constant(graph.first_pieces, vertices, in_pieces);
    pieces = warp.load_constant(graph.first_pieces, vertices + 1U, in_pieces) - first_piece;
    pieces_before = warp.sums_before(pieces);
    const std::uint32_t all = warp.broadcast(pieces_before + pieces, warp_lanes - 1);
    counts = warp.select(lane == std::uint32_t{by_pieces}, warp.same(all), counts);
  }
  WordsOf<Warp> bits_of_class = warp.same(0);  // the lanes whose vertices have the class of the lane's vertex
  WordsOf<Warp> begin = warp.same(0);          // where the queue of this class begins
  WordsOf<Warp> row_class = warp.same(by_pieces);
  std::uint32_t end_of_class = bounds.vertices;
  for (std::uint32_t some = by_lanes; some != by_pieces; --some) {
    const std::uint32_t begin_of_class = bounds.begin(some);
    const MaskOf<Warp> of_class = mask & (vertices >= begin_of_class) & (vertices < end_of_class);
    const std::uint32_t bits = warp.ballot(of_class);
    end_of_class = begin_of_class;
    bits_of_class = warp.select(of_class, warp.same(bits), bits_of_class);
    begin = warp.select(of_class, warp.same(begin_of_class), begin);
    row_class = warp.select(of_class, warp.same(some), row_class);
    counts = warp.select(lane == some, warp.same(warp.popcount(bits)), counts);
  }
  const WordsOf<Warp> places = warp.fetch_add(queue.sizes, lane, counts, counts != 0U);
  const WordsOf<Warp> place = warp.shuffle(places, row_class);
  warp.store(queue.vertices, place + begin + warp.rank(bits_of_class), vertices, mask & !in_pieces);
  for (std::uint32_t bits = long_bits; bits != 0; bits &= bits - 1) {
    const std::uint32_t of = warp.lowest(bits);
    const std::uint32_t count = warp.broadcast(pieces, of);
    const std::uint32_t from = warp.broadcast(first_piece, of);
    const std::uint32_t to = warp.broadcast(place + pieces_before, of);
    for (std::uint32_t done = 0; done < count; done += warp_lanes) {
      const auto piece = lane + done;
      warp.store(queue.pieces, piece + to, piece + from, piece < count);
    }
  }
}

/// The bits of those of the 32 vertices from `first` on that are in [begin, end), for Warp::map.
struct BitsOfRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr std::uint32_t operator()(std::uint32_t first) const { return below(end, first) & ~below(begin, first); }

 private:
  static constexpr std::uint32_t below(std::uint32_t bound, std::uint32_t first) {
    if (bound <= first) return 0;
    return bound - first >= bits_per_word ? ~0U : (1U << (bound - first)) - 1;
  }
};

/// Queues the vertices whose bits are set in `found`, for a push. Takes one atomic operation per class for 32 words,
/// and one for each word with long rows.
struct CollectFrontier {
  GraphView graph;
  SearchView search;
  QueueView queue;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t words = (graph.bounds.searched + bits_per_word - 1) / bits_per_word;
    for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const auto found = warp.load(search.found, word, word < words);
      if (warp.any(found != 0U)) collect(warp, first, found);
    }
  }

 private:
  template <class Warp>
  constexpr void collect(const Warp& warp, std::uint32_t first, const WordsOf<Warp>& found) const {
    const RowBounds& bounds = graph.bounds;
    const auto vertex = (warp.lane() + first) * bits_per_word;
    const auto long_rows = found & warp.map(BitsOfRange{0, bounds.long_rows}, vertex);
    each_lane_word(warp, long_rows, [&](std::uint32_t lane, std::uint32_t word) {
      append(warp, graph, queue, warp.lane() + (first + lane) * bits_per_word, warp.bits_of(word));
    });
    std::uint32_t end = bounds.vertices;
    for (std::uint32_t row_class = by_lanes; row_class != by_pieces; --row_class) {
      const std::uint32_t begin = bounds.begin(row_class);
      const auto bits = found & warp.map(BitsOfRange{begin, end}, vertex);
      end = begin;
      if (!warp.any(bits != 0U)) continue;
      const auto count = warp.popcount(bits);
      const auto before = warp.sums_before(count);
      const std::uint32_t all = warp.broadcast(before + count, warp_lanes - 1);
      const std::uint32_t place = warp.reserve(queue.sizes, row_class, all) + begin;
      each_lane_word(warp, bits, [&](std::uint32_t lane, std::uint32_t word) {
        const std::uint32_t to = place + warp.broadcast(before, lane);
        warp.store(queue.vertices, warp.rank(word) + to, warp.lane() + (first + lane) * bits_per_word,
                   warp.bits_of(word));
      });
    }
  }
};

// Bits that many lanes want to set, and vertices that are visited once.

/// Sets the bits of these numbers atomically, for the lanes of the mask. Returns the lanes that set their bit: one of
/// those with equal numbers, and none if the bit was set. Reads the bits first, because nearly all are set.
template <class Warp>
constexpr MaskOf<Warp> set_bits(const Warp& warp, const ArrayView<std::uint32_t>& bitmap, const WordsOf<Warp>& numbers,
                                const MaskOf<Warp>& mask) {
  const auto word = numbers / bits_per_word;
  const auto bit = warp.bit(numbers % bits_per_word);
  const MaskOf<Warp> fresh = mask & ((warp.load_relaxed(bitmap, word, mask) & bit) == 0U);
  if (!warp.any(fresh)) return fresh;
  return fresh & ((warp.fetch_or(bitmap, word, bit, fresh) & bit) == 0U);
}

/// Visits the vertices of the mask's lanes, unless they are visited: sets their parents, queues them and counts them.
/// Returns the lanes that visited their vertices.
template <class Warp>
constexpr MaskOf<Warp> claim(const Warp& warp, const GraphView& graph, const SearchView& search, const QueueView& queue,
                             const WordsOf<Warp>& vertices, const WordsOf<Warp>& parents, const MaskOf<Warp>& mask,
                             Tally<Warp>& tally) {
  const MaskOf<Warp> claimed = set_bits(warp, search.visited, vertices, mask);
  if (!warp.any(claimed)) return claimed;
  warp.store(search.parents, vertices, parents, claimed);
  append(warp, graph, queue, vertices, claimed);
  tally.claimed = tally.claimed + claimed;
  tally.edges = tally.edges + warp.load_constant(graph.word_degrees, vertices / bits_per_word, claimed);
  return claimed;
}

// Walks along the edges of the vertices of a queue.

/// Walks along whole rows, or pieces of rows, of the classes from `first_class` on. Some lanes share each row (Pan et
/// al. 2018, section IV-A: balance by degree class). If a class has few rows, more lanes share each, also of several
/// warps, so that no lane has many edges one after the other. A Step has the graph, the queue `front`, the sums
/// `tallies`, and `follow`, which follows one edge per lane, given by a vertex and a place in its row.
template <class Step>
struct QueueWalk : Step {
  std::uint32_t first_class = by_pieces;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    Tally<Warp> tally;
    for (std::uint32_t row_class = first_class; row_class != row_classes; ++row_class) walk(warp, row_class, tally);
    tally.add_to(warp, this->tallies());
  }

 private:
  /// Base-2 logarithms of the least lanes for a row of a class, and of the edges of its longest row.
  static constexpr std::uint32_t min_lanes(std::uint32_t row_class) {
    return row_class == by_lanes ? 0 : row_class == by_groups ? 3 : 5;
  }
  static constexpr std::uint32_t max_lanes(std::uint32_t row_class) {
    return row_class == by_lanes ? 3 : row_class == by_groups ? 6 : 8;
  }
  static_assert(1U << 8U == piece_edges && 1U << 3U == group_lanes && 1U << 5U == warp_lanes);

  template <class Warp>
  constexpr void walk(const Warp& warp, std::uint32_t row_class, Tally<Warp>& tally) const {
    const std::uint32_t size = warp.load_one(this->front.sizes, row_class);
    if (size == 0) return;
    const std::uint64_t all_lanes = std::uint64_t{warp.count()} * warp_lanes;
    std::uint32_t lanes = min_lanes(row_class);
    while (lanes < max_lanes(row_class) && std::uint64_t{size} << (lanes + 1) <= all_lanes) ++lanes;
    const auto rows_at_once = static_cast<std::uint32_t>(all_lanes >> lanes);
    const auto lane = (warp.lane() + warp.index() * warp_lanes) & ((1U << lanes) - 1);
    for (std::uint32_t first = warp.index() * warp_lanes >> lanes; first < size; first += rows_at_once) {
      const auto place = (warp.lane() >> lanes) + first;
      follow_row(warp, row_class, place, place < size, lane, 1U << lanes, tally);
    }
  }

  /// Follows every `stride`-th edge of a row, from the lane's first edge on.
  template <class Warp>
  constexpr void follow_row(const Warp& warp, std::uint32_t row_class, const WordsOf<Warp>& place,
                            const MaskOf<Warp>& is_row, const WordsOf<Warp>& lane, std::uint32_t stride,
                            Tally<Warp>& tally) const {
    const GraphView& graph = this->graph;
    auto vertices = warp.same(0U);
    auto piece_begin = warp.same(0U);  // in its row
    if (row_class == by_pieces) {
      const auto piece = warp.load(this->front.pieces, place, is_row);
      vertices = warp.load_constant(graph.piece_rows, piece, is_row);
      piece_begin = (piece - warp.load_constant(graph.first_pieces, vertices, is_row)) * piece_edges;
    } else {
      vertices = warp.load(this->front.vertices, place + graph.bounds.begin(row_class), is_row);
    }
    const auto begin = warp.load_constant(graph.offsets, vertices, is_row) + piece_begin;
    const auto row_end = warp.load_constant(graph.ends, vertices, is_row);
    const auto end = row_class == by_pieces ? warp.map(Lesser{}, row_end, begin + piece_edges) : row_end;
    auto edge = begin + lane;
    for (MaskOf<Warp> active = is_row & (edge < end); warp.any(active); active = is_row & (edge < end)) {
      this->follow(warp, vertices, edge, active, tally);
      edge = edge + stride;
    }
  }
};

/// Runs a walk along all rows of a queue of this many vertices on a grid.
template <class Grid, class Step>
constexpr void walk_queue(Grid& grid, const Step& step, std::uint64_t vertices) {
  grid.run(QueueWalk<Step>{step}, vertices * group_lanes + step.graph.piece_rows.size);
}

}  // namespace breadth::gpu
