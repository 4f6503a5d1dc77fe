// The phases of shortest paths on a device: start and end, relaxations, the step from one bucket to the next, and
// sweeps, in which vertices search their rows for shorter paths.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/phases/write_parents.hpp"

namespace breadth::gpu {

/// A tentative path: the upper half has the bits of its distance, the lower half the previous vertex. Distances are at
/// least 0, so their bits are in the order of the distances.
inline constexpr std::uint32_t infinite_distance = 0x7F800000U;
inline constexpr std::uint64_t no_path = std::uint64_t{infinite_distance} << 32U | ~std::uint32_t{0};

/// The state of a search.
struct PathView {
  ArrayView<std::uint64_t> paths;   ///< of each vertex
  ArrayView<std::uint32_t> stamps;  ///< for each vertex, the last level that it was queued for
  ArrayView<std::uint32_t> is_far;  ///< for each vertex, 1 while it is in the far pile
};

/// The far pile (Davidson et al. 2014): vertices that are too far for the current bucket, each once.
struct FarView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> size;  ///< one element

  /// Adds the vertices of the mask's lanes, which must not be in the pile.
  template <class Warp>
  constexpr void add(const Warp& warp, const WordsOf<Warp>& added, const MaskOf<Warp>& mask) const {
    const std::uint32_t bits = warp.ballot(mask);
    if (bits == 0) return;
    const std::uint32_t place = warp.reserve(size, 0, warp.popcount(bits));
    warp.store(vertices, warp.rank(bits) + place, added, mask);
  }
};

// Relaxations along the edges of the queue's vertices.

/// Takes paths to vertices if they are shorter than the known ones, and queues their vertices or adds them to the far
/// pile.
struct Arrivals {
  GraphView graph;
  PathView state;
  QueueView next;
  FarView far;
  std::uint32_t next_level = 1;
  float bound = 0;                 ///< vertices closer than this are settled in the current bucket
  float most = 0;                  ///< the largest distance that counts
  std::uint32_t counted_from = 0;  ///< vertices before this one are counted on another device

  /// The lanes whose distances are at most `most` and less than the known ones. Equal distances do not replace a path.
  /// So a vertex has its distance before it passes it on, and parents form a tree even along edges of weight 0.
  template <class Warp>
  [[nodiscard]] constexpr MaskOf<Warp> closer(const Warp& warp, const ArrayView<std::uint64_t>& paths,
                                              const WordsOf<Warp>& places, const FloatsOf<Warp>& distance,
                                              const MaskOf<Warp>& mask) const {
    const auto before = warp.map(HighDistance{}, warp.load_relaxed(paths, places, mask));
    return mask & (distance < before) & !(warp.same_float(most) < distance);
  }

  /// Takes the paths of the mask's lanes that are still shorter than the known ones.
  template <class Warp>
  constexpr void take(const Warp& warp, const WordsOf<Warp>& vertices, const FloatsOf<Warp>& distance,
                      const WordsOf<Warp>& parents, const MaskOf<Warp>& mask, Tally<Warp>& tally) const {
    const MaskOf<Warp> won = warp.improve(state.paths, vertices, distance, parents, mask);
    const MaskOf<Warp> near = won & (distance < warp.same_float(bound));
    const MaskOf<Warp> queued =
        near & (warp.exchange(state.stamps, vertices, warp.same(next_level), near) != next_level);
    append(warp, graph, next, vertices, queued);
    count(warp, vertices, queued, tally);
    const MaskOf<Warp> waits = won & !near;
    far.add(warp, vertices, waits & (warp.fetch_or(state.is_far, vertices, warp.same(1), waits) == 0U));
  }

  /// Counts queued vertices and their edges.
  template <class Warp>
  constexpr void count(const Warp& warp, const WordsOf<Warp>& vertices, const MaskOf<Warp>& queued,
                       Tally<Warp>& tally) const {
    const MaskOf<Warp> counted = queued & (vertices >= counted_from);
    tally.claimed = tally.claimed + counted;
    tally.edges = tally.edges + warp.load_constant(graph.word_degrees, vertices / bits_per_word, counted);
  }
};

/// The common part of all relaxations.
struct RelaxStep {
  GraphView graph;
  ArrayView<const float> weights;  ///< of the edges to the neighbours
  QueueView front;
  Arrivals arrivals;
  ArrayView<std::uint64_t> sums;

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return sums; }

  /// Relaxes one edge per lane.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                        Tally<Warp>& tally) const {
    relax(warp, arrivals.state.paths, 0, vertices, places, mask, tally,
          [&](const auto& target, const auto& distance, const MaskOf<Warp>& closer) {
            arrivals.take(warp, target, distance, vertices, closer, tally);
          });
  }

  /// Computes distances of the edges' ends, whose paths are in `paths` from `first` on. Calls
  /// take(places, distances, closer) if any end comes closer.
  template <class Warp, class Places, class Take>
  constexpr void relax(const Warp& warp, const ArrayView<std::uint64_t>& paths, std::uint32_t first,
                       const WordsOf<Warp>& vertices, const Places& places, const MaskOf<Warp>& mask,
                       Tally<Warp>& tally, Take&& take) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask) + first;
    const auto distance = warp.map(HighDistance{}, warp.load_relaxed(arrivals.state.paths, vertices, mask)) +
                          warp.load_constant(weights, places, mask);
    const MaskOf<Warp> closer = arrivals.closer(warp, paths, target, distance, mask);
    if (warp.any(closer)) take(target, distance, closer);
  }
};

// The step from one bucket of distances to the next.

/// The complement of a distance's bits, for Warp::map. It is greater for nearer vertices.
struct Nearness {
  constexpr std::uint32_t operator()(float distance) const { return ~std::bit_cast<std::uint32_t>(distance); }
};

/// Raises `nearest` to the complement of the bits of the far pile's least distance that is not below `settled`.
struct FindNearest {
  PathView state;
  FarView far;
  ArrayView<std::uint32_t> nearest;  ///< one element, 0 before
  float settled = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t size = warp.load_one(far.size, 0);
    for (std::uint32_t first = warp.index() * warp_lanes; first < size; first += warp.count() * warp_lanes) {
      const auto place = warp.lane() + first;
      const MaskOf<Warp> there = place < size;
      const auto distance =
          warp.map(HighDistance{}, warp.load(state.paths, warp.load(far.vertices, place, there), there));
      const MaskOf<Warp> open = there & !(distance < warp.same_float(settled));
      warp.raise(nearest, 0, warp.map(Nearness{}, distance), open);
    }
  }
};

/// Splits the far pile: queues the vertices that are closer than the bound, and moves those beyond it to the next far
/// pile. Drops vertices closer than `settled`, which were queued when they came that close.
struct SplitFar {
  FarView far;
  Arrivals arrivals;  ///< those of the next bucket, with the next far pile
  ArrayView<std::uint64_t> tallies;
  float settled = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint32_t size = warp.load_one(far.size, 0);
    const PathView& state = arrivals.state;
    Tally<Warp> tally;
    for (std::uint32_t first = warp.index() * warp_lanes; first < size; first += warp.count() * warp_lanes) {
      const auto place = warp.lane() + first;
      const MaskOf<Warp> there = place < size;
      const auto vertex = warp.load(far.vertices, place, there);
      const auto distance = warp.map(HighDistance{}, warp.load(state.paths, vertex, there));
      const MaskOf<Warp> leaves = there & (distance < warp.same_float(arrivals.bound));
      const MaskOf<Warp> queued = leaves & !(distance < warp.same_float(settled));
      warp.store(state.is_far, vertex, warp.same(0), leaves);
      warp.store(state.stamps, vertex, warp.same(arrivals.next_level), queued);
      append(warp, arrivals.graph, arrivals.next, vertex, queued);
      arrivals.count(warp, vertex, queued, tally);
      arrivals.far.add(warp, vertex, there & !leaves);
    }
    tally.add_to(warp, tallies);
  }
};

// The start and the end of a search.

/// Clears the paths of all vertices.
struct ClearPathsStep {
  ArrayView<std::uint64_t> paths;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    warp.store(paths, place, warp.same_wide(no_path), there);
  }
};
using ClearPaths = Each<ClearPathsStep>;

/// Makes the source its own parent at distance 0 and the first frontier. Only the first warp works.
struct StartPaths {
  GraphView graph;
  PathView state;
  QueueView queue;
  std::uint32_t source = 0;
  std::uint32_t name = 0;  ///< the source as a parent

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    if (warp.index() != 0) return;
    const auto vertex = warp.same(source);
    const MaskOf<Warp> first = warp.lane() == 0U;
    warp.store(state.paths, vertex, warp.same_wide(name), first);
    append(warp, graph, queue, vertex, first);
  }
};

/// The output of a search: for every label the distance and the label of the parent, or infinity and no_parent.
struct TreeOutput {
  LabelView labels;
  PathView state;
  ArrayView<std::uint32_t> parents;  ///< one per label
  ArrayView<float> distances;        ///< one per label

  static constexpr std::uint32_t at_once = 4;

  /// Paths in the form in which they are written.
  template <class Warp>
  struct Found {
    NumbersOf<Warp> paths[at_once];
    WordsOf<Warp> labels[at_once];
  };

  /// `label_of(before, reached)` returns the labels of the previous vertices, given in the form that paths hold.
  template <class Warp, class Words, class Masks, class LabelOf>
  [[nodiscard]] constexpr Found<Warp> look_for(const Warp& warp, const Words& vertex, const Masks& has_edges,
                                               LabelOf&& label_of) const {
    Found<Warp> found;
    for (std::uint32_t i = 0; i < at_once; ++i) {
      found.paths[i] =
          warp.select(has_edges[i], warp.load(state.paths, vertex[i], has_edges[i]), warp.same_wide(no_path));
    }
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const MaskOf<Warp> reached = found.paths[i] != warp.same_wide(no_path);
      found.labels[i] =
          warp.select(reached, label_of(warp.map(LowHalf{}, found.paths[i]), reached), warp.same(no_parent));
    }
    return found;
  }
  template <class Warp, class Lanes>
  constexpr void write(const Warp& warp, const Lanes& label, const Found<Warp>& found, std::uint32_t i,
                       const MaskOf<Warp>& is_label) const {
    warp.store(parents, label, found.labels[i], is_label);
    warp.store(distances, label, warp.map(HighDistance{}, found.paths[i]), is_label);
  }
};

/// Writes the tree of a search whose paths hold the previous vertex.
struct WriteTreeStep : TreeOutput {
  template <class Warp, class Words, class Masks>
  [[nodiscard]] constexpr Found<Warp> look(const Warp& warp, const Words& vertex, const Masks& has_edges) const {
    return look_for(warp, vertex, has_edges, [&](const auto& before, const MaskOf<Warp>& reached) {
      return warp.load_constant(labels.labels, before, reached);
    });
  }
};
using WriteTree = LabelWalk<WriteTreeStep>;

/// Writes the tree of a search whose paths hold the label of the previous vertex, as in a part (gpu/part_search.hpp).
struct WritePartTreeStep : TreeOutput {
  template <class Warp, class Words, class Masks>
  [[nodiscard]] constexpr Found<Warp> look(const Warp& warp, const Words& vertex, const Masks& has_edges) const {
    return look_for(warp, vertex, has_edges,
                    [](const auto& before, const MaskOf<Warp>& /*reached*/) { return before; });
  }
};
using WritePartTree = LabelWalk<WritePartTreeStep>;

/// The range of vertices of a sweep.
struct SweepSection {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Sweeps over a part of the vertices. The most connected vertices come first, because most paths lead over them: the
/// first 64th, 16th and quarter, each first without the vertices swept before, then whole. The other vertices follow.
inline constexpr std::uint32_t partial_sweeps = 7;
/// Further sweeps are over all vertices, until one improves at most one in few_of_vertices, or after max_sweeps.
inline constexpr std::uint32_t few_of_vertices = 128;
inline constexpr std::uint32_t max_sweeps = 16;

/// The section of the sweep after `done` sweeps, of the first `vertices` vertices.
constexpr SweepSection sweep_section(std::uint32_t done, std::uint32_t vertices) {
  if (done >= partial_sweeps) return {0, vertices};
  const std::uint32_t step = done / 2;
  const std::uint32_t end = step < 3 ? vertices >> (6 - 2 * step) : vertices;
  const std::uint32_t swept = step == 0 ? 0 : vertices >> (8 - 2 * step);
  return {done % 2 == 0 ? swept : 0, end};
}

/// The data of a sweep.
struct SweepView {
  GraphView graph;
  ArrayView<const float> weights;  ///< of the edges to the neighbours, in each row the lightest first
  PathView state;
  ArrayView<std::uint64_t> tallies;
  std::uint32_t begin = 0;  ///< of the swept vertices
  std::uint32_t end = 0;
  std::uint32_t stamp = 1;  ///< set for vertices that come closer
  float base = 0;           ///< all edges of nearer vertices have been relaxed
  float most = 0;           ///< the largest distance that counts
};

/// Each vertex examines its row until base + weight is no less than its distance, because no later neighbour can then
/// be near enough (as PrunedPull on processors). Most vertices examine one or two edges, so each lane has a vertex of
/// its own. The few rows that go on are then examined by the whole warp, one after the other.
struct SweepRows {
  SweepView sweep;

  static constexpr std::uint32_t max_own_edges = 16;  ///< edges that a lane examines alone
  static constexpr std::uint32_t few_lanes = 4;       ///< lanes examine rows alone only while more than these do
  static constexpr std::uint32_t at_once = 2;         ///< edges of a row whose look-ups overlap

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    Tally<Warp> tally;
    for (std::uint32_t first = sweep.begin + warp.index() * warp_lanes; first < sweep.end;
         first += warp.count() * warp_lanes) {
      const auto vertex = warp.lane() + first;
      look(warp, vertex, vertex < sweep.end, tally);
    }
    tally.add_to(warp, sweep.tallies);
  }

 private:
  /// The shortest path so far, and the edges that may lead to a shorter one.
  template <class Warp>
  struct Row {
    NumbersOf<Warp> place;
    NumbersOf<Warp> end;
    FloatsOf<Warp> best;
    WordsOf<Warp> parent;
  };

  template <class Warp>
  constexpr void look(const Warp& warp, const WordsOf<Warp>& vertex, const MaskOf<Warp>& is_vertex,
                      Tally<Warp>& tally) const {
    const ArrayView<std::uint64_t>& paths = sweep.state.paths;
    const auto before = warp.map(HighDistance{}, warp.load(paths, vertex, is_vertex));
    const MaskOf<Warp> open = is_vertex & !(before < warp.same_float(sweep.base));
    Row<Warp> row{.place = warp.load_constant(sweep.graph.offsets, vertex, is_vertex),
                  .end = warp.load_constant(sweep.graph.ends, vertex, is_vertex),
                  .best = before,
                  .parent = warp.same(0)};
    std::uint32_t going_on = warp.ballot(open & (row.place < row.end));
    for (std::uint32_t edges = 0; edges < max_own_edges && warp.popcount(going_on) > few_lanes; edges += at_once) {
      going_on = warp.ballot(look_at(warp, row, warp.bits_of(going_on), tally));
    }
    for (; going_on != 0; going_on &= going_on - 1) look_through(warp, row, warp.lowest(going_on), tally);

    const MaskOf<Warp> improved = open & (row.best < before);
    if (!warp.any(improved)) return;
    const MaskOf<Warp> won = warp.improve(paths, vertex, row.best, row.parent, improved);
    tally.claimed =
        tally.claimed + (won & (warp.exchange(sweep.state.stamps, vertex, warp.same(sweep.stamp), won) != sweep.stamp));
  }

  /// Examines `at_once` edges of each row of the mask. Returns the rows whose later edges may lead to a shorter path.
  template <class Warp>
  constexpr MaskOf<Warp> look_at(const Warp& warp, Row<Warp>& row, const MaskOf<Warp>& mask, Tally<Warp>& tally) const {
    FloatsOf<Warp> weight[at_once];
    FloatsOf<Warp> distance[at_once];
    WordsOf<Warp> target[at_once];
    MaskOf<Warp> near[at_once];
    for (std::uint32_t i = 0; i < at_once; ++i) {
      near[i] = mask & (row.place + i < row.end);
      weight[i] = warp.load_constant(sweep.weights, row.place + i, near[i]);
      target[i] = warp.load_constant(sweep.graph.neighbours, row.place + i, near[i]);
    }
    for (std::uint32_t i = 0; i < at_once; ++i) {
      near[i] = near[i] & (warp.same_float(sweep.base) + weight[i] < row.best);
      distance[i] = warp.map(HighDistance{}, warp.load_relaxed(sweep.state.paths, target[i], near[i])) + weight[i];
    }
    for (std::uint32_t i = 0; i < at_once; ++i) {
      const MaskOf<Warp> closer = near[i] & (distance[i] < row.best) & !(warp.same_float(sweep.most) < distance[i]);
      tally.examined = tally.examined + near[i];
      row.best = warp.select(closer, distance[i], row.best);
      row.parent = warp.select(closer, target[i], row.parent);
    }
    row.place = row.place + at_once;
    return near[at_once - 1] & (row.place < row.end);
  }

  /// Examines the rest of one lane's row, 32 edges at a time.
  template <class Warp>
  constexpr void look_through(const Warp& warp, Row<Warp>& row, std::uint32_t lane, Tally<Warp>& tally) const {
    const std::uint64_t end = warp.broadcast(row.end, lane);
    float best = warp.broadcast(row.best, lane);
    std::uint32_t parent = warp.broadcast(row.parent, lane);
    for (std::uint64_t first = warp.broadcast(row.place, lane); first < end; first += warp_lanes) {
      const auto place = warp.wide_lane() + first;
      const MaskOf<Warp> there = place < end;
      const auto weight = warp.load_constant(sweep.weights, place, there);
      const auto target = warp.load_constant(sweep.graph.neighbours, place, there);
      const MaskOf<Warp> near = there & (warp.same_float(sweep.base) + weight < warp.same_float(best));
      const auto distance = warp.map(HighDistance{}, warp.load_relaxed(sweep.state.paths, target, near)) + weight;
      const MaskOf<Warp> closer = near & (distance < warp.same_float(best)) & !(warp.same_float(sweep.most) < distance);
      tally.examined = tally.examined + near;
      if (warp.any(closer)) {
        const std::uint32_t least = warp.lane_of_least(distance, closer);
        best = warp.broadcast(distance, least);
        parent = warp.broadcast(target, least);
      }
      if (warp.ballot(near) != ~0U) break;  // weights are ascending in a row
    }
    const MaskOf<Warp> is_lane = warp.lane() == lane;
    row.best = warp.select(is_lane, warp.same_float(best), row.best);
    row.parent = warp.select(is_lane, warp.same(parent), row.parent);
  }
};

/// Adds the vertices with a given stamp to the far pile. None of them may be in it.
struct AddStampedStep {
  PathView state;
  FarView far;
  std::uint32_t stamp = 1;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const MaskOf<Warp>& there) const {
    const MaskOf<Warp> stamped = there & (warp.load(state.stamps, place, there) == stamp);
    const auto vertex = warp.map(LowHalf{}, place);
    warp.store(state.is_far, vertex, warp.same(1), stamped);
    far.add(warp, vertex, stamped);
  }
};
using AddStamped = Each<AddStampedStep>;

}  // namespace breadth::gpu
