// The phases of shortest paths on a device: start and end, relaxations, from one bucket to the next, and sweeps, in
// which vertices look along their rows for shorter paths.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/name_parents.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// What they work on.

/// A tentative path: the bits of its distance above, the vertex before below. Distances are at least 0, so their bits
/// are in the order of the distances.
inline constexpr std::uint32_t infinite_distance = 0x7F800000U;
inline constexpr std::uint64_t no_path = std::uint64_t{infinite_distance} << 32U | ~std::uint32_t{0};

/// The state of a search.
struct PathView {
  ArrayView<std::uint64_t> paths;   ///< of each vertex
  ArrayView<std::uint32_t> stamps;  ///< of each vertex, the last level that it was queued for
  ArrayView<std::uint32_t> piled;   ///< of each vertex, 1 while it is in the pile
};

/// Vertices that are too far for the bucket that is being settled, each once.
struct PileView {
  ArrayView<std::uint32_t> vertices;
  ArrayView<std::uint32_t> size;  ///< one
};

// Relaxations: from the vertices of the queue along their edges.

/// Puts the vertices of the mask's lanes that are not in the pile into it.
template <class Warp>
constexpr void pile_up(const Warp& warp, const PileView& pile,
                       const typename Warp::template Lanes<std::uint32_t>& vertices, const typename Warp::Mask& mask) {
  const std::uint32_t bits = warp.ballot(mask);
  if (bits == 0) return;
  const std::uint32_t place = warp.reserve(pile.size, 0, warp.popcount(bits));
  warp.store(pile.vertices, warp.rank(bits) + place, vertices, mask);
}

/// Paths that come to vertices: those that are shorter are taken, and their vertices are queued, or wait in the pile.
struct Arrivals {
  GraphView graph;
  PathView state;
  QueueView next;
  PileView pile;
  std::uint32_t next_level = 1;
  float bound = 0;                 ///< vertices closer than that are settled in this bucket
  float most = 0;                  ///< the largest distance that counts
  std::uint32_t counted_from = 0;  ///< vertices before are counted on another device

  /// Which distances count and are shorter than what is there. Only what comes closer counts, not what is as close: so
  /// a vertex had its distance before it gave that to another, and parents are a tree also along edges of no length.
  template <class Warp>
  [[nodiscard]] constexpr typename Warp::Mask closer(const Warp& warp, const ArrayView<std::uint64_t>& paths,
                                                     const typename Warp::template Lanes<std::uint32_t>& places,
                                                     const typename Warp::template Lanes<float>& distance,
                                                     const typename Warp::Mask& mask) const {
    const auto before = warp.map(HighDistance{}, warp.load_relaxed(paths, places, mask));
    return mask & (distance < before) & !(warp.same_float(most) < distance);
  }

  /// Of the mask's lanes, those that are still closer.
  template <class Warp>
  constexpr void take(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                      const typename Warp::template Lanes<float>& distance,
                      const typename Warp::template Lanes<std::uint32_t>& parents, const typename Warp::Mask& mask,
                      Tally<Warp>& tally) const {
    const typename Warp::Mask won = warp.improve(state.paths, vertices, distance, parents, mask);
    const typename Warp::Mask near = won & (distance < warp.same_float(bound));
    const typename Warp::Mask queued =
        near & (warp.exchange(state.stamps, vertices, warp.same(next_level), near) != next_level);
    append(warp, graph, next, vertices, queued);
    count(warp, vertices, queued, tally);
    const typename Warp::Mask far = won & !near;
    const typename Warp::Mask new_far = far & (warp.fetch_or(state.piled, vertices, warp.same(1), far) == 0U);
    pile_up(warp, pile, vertices, new_far);
  }

  /// Vertices that were queued.
  template <class Warp>
  constexpr void count(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                       const typename Warp::Mask& queued, Tally<Warp>& tally) const {
    const typename Warp::Mask counted = queued & (vertices >= counted_from);
    tally.claimed = tally.claimed + counted;
    tally.edges = tally.edges + warp.load_constant(graph.word_degrees, vertices / bits_per_word, counted);
  }
};

/// What all relaxations have in common.
struct RelaxStep {
  GraphView graph;
  ArrayView<const float> weights;  ///< beside the neighbours
  QueueView front;
  Arrivals arrivals;
  ArrayView<std::uint64_t> sums;

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return sums; }

  /// Relaxes one edge a lane.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    relax(warp, arrivals.state.paths, 0, vertices, places, mask, tally,
          [&](const auto& target, const auto& distance, const typename Warp::Mask& closer) {
            arrivals.take(warp, target, distance, vertices, closer, tally);
          });
  }

  /// Of the ends of edges, whose paths are in `paths` from `first` on: calls take(places, distances, closer) where any
  /// comes closer.
  template <class Warp, class Places, class Take>
  constexpr void relax(const Warp& warp, const ArrayView<std::uint64_t>& paths, std::uint32_t first,
                       const typename Warp::template Lanes<std::uint32_t>& vertices, const Places& places,
                       const typename Warp::Mask& mask, Tally<Warp>& tally, Take&& take) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask) + first;
    const auto distance = warp.map(HighDistance{}, warp.load_relaxed(arrivals.state.paths, vertices, mask)) +
                          warp.load_constant(weights, places, mask);
    const typename Warp::Mask closer = arrivals.closer(warp, paths, target, distance, mask);
    if (warp.any(closer)) take(target, distance, closer);
  }
};

// From one bucket of distances to the next.

/// The complement of a distance's bits, for Warp::map: the nearer, the greater.
struct Nearness {
  constexpr std::uint32_t operator()(float distance) const { return ~std::bit_cast<std::uint32_t>(distance); }
};

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
      const auto distance =
          warp.map(HighDistance{}, warp.load(state.paths, warp.load(pile.vertices, place, there), there));
      const typename Warp::Mask open = there & !(distance < warp.same_float(settled));
      warp.raise(nearest, 0, warp.map(Nearness{}, distance), open);
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
      const auto distance = warp.map(HighDistance{}, warp.load(state.paths, vertex, there));
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

// The start and the end of a search.

/// No vertex has a path.
struct ClearPathsStep {
  ArrayView<std::uint64_t> paths;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    warp.store(paths, place, warp.same_wide(no_path), there);
  }
};
using ClearPaths = Each<ClearPathsStep>;

/// The source is its own parent, at distance 0, and the first frontier. The first warp's work.
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
    const typename Warp::Mask first = warp.lane() == 0U;
    warp.store(state.paths, vertex, warp.same_wide(name), first);
    append(warp, graph, queue, vertex, first);
  }
};

/// What is written of paths: for every label the distance and the label of the vertex before, or infinity and
/// no_parent.
struct TreeOutput {
  LabelView labels;
  PathView state;
  ArrayView<std::uint32_t> parents;  ///< one a label
  ArrayView<float> distances;        ///< one a label

  /// `name_of(before, reached)` gives the labels of what paths have for the vertices before.
  template <class Warp, class Lanes, class NameOf>
  constexpr void write(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                       const typename Warp::Mask& has_edges, NameOf&& name_of) const {
    const auto path = warp.select(has_edges, warp.load(state.paths, vertex, has_edges), warp.same_wide(no_path));
    const typename Warp::Mask reached = path != warp.same_wide(no_path);
    const auto name = name_of(warp.map(LowHalf{}, path), reached);
    warp.store(parents, label, warp.select(reached, name, warp.same(no_parent)), is_label);
    warp.store(distances, label, warp.map(HighDistance{}, path), is_label);
  }
};

/// Where paths have vertices for those before.
struct NameTreeStep : TreeOutput {
  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    write(warp, label, is_label, vertex, has_edges, [&](const Lanes& before, const typename Warp::Mask& reached) {
      return warp.load_constant(labels.labels, before, reached);
    });
  }
};
using NameTree = LabelWalk<NameTreeStep>;

/// Where they have labels, as in a part (gpu/part_search.hpp).
struct NamePartTreeStep : TreeOutput {
  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    write(warp, label, is_label, vertex, has_edges,
          [](const Lanes& before, const typename Warp::Mask& /*reached*/) { return before; });
  }
};
using NamePartTree = LabelWalk<NamePartTreeStep>;

// Which vertices a sweep is of.

/// A range of vertices.
struct SweepSection {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The most connected vertices are swept first, since most paths lead over them: the first 64th, 16th and quarter, each
/// first without what has been swept before, then whole. Then the others.
inline constexpr std::uint32_t partial_sweeps = 7;
/// And then all, until a sweep improves no more than one in so many vertices, or so often.
inline constexpr std::uint32_t few_of_vertices = 512;
inline constexpr std::uint32_t most_sweeps = 16;

/// Of the first so many vertices, the one after `done` sweeps.
constexpr SweepSection sweep_section(std::uint32_t done, std::uint32_t vertices) {
  if (done >= partial_sweeps) return {0, vertices};
  const std::uint32_t step = done / 2;
  const std::uint32_t end = step < 3 ? vertices >> (6 - 2 * step) : vertices;
  const std::uint32_t swept = step == 0 ? 0 : vertices >> (8 - 2 * step);
  return {done % 2 == 0 ? swept : 0, end};
}

// A sweep.

/// What a sweep looks at.
struct SweepView {
  GraphView graph;
  ArrayView<const float> weights;  ///< beside the neighbours, in each row the lightest first
  PathView state;
  ArrayView<std::uint64_t> tallies;
  std::uint32_t begin = 0;  ///< of the vertices that look
  std::uint32_t end = 0;
  std::uint32_t stamp = 1;  ///< of vertices that come closer
  float base = 0;           ///< of all nearer vertices every edge has been relaxed
  float most = 0;           ///< the largest distance that counts
};

/// Each vertex goes along its row, `Width` lanes side by side, until base + weight is no less than the distance that it
/// has: no neighbour further on can be near enough (PrunedPull has that on processors).
template <std::uint32_t Width>
struct SweepRows {
  SweepView sweep;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    constexpr std::uint32_t rows = warp_lanes / Width;
    Tally<Warp> tally;
    for (std::uint32_t first = sweep.begin + warp.index() * rows; first < sweep.end; first += warp.count() * rows) {
      const auto vertex = warp.lane() / Width + first;
      look(warp, vertex, vertex < sweep.end, tally);
    }
    tally.add_to(warp, sweep.tallies);
  }

 private:
  template <class Warp>
  constexpr void look(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertex,
                      const typename Warp::Mask& is_vertex, Tally<Warp>& tally) const {
    const ArrayView<std::uint64_t>& paths = sweep.state.paths;
    const auto base = warp.same_float(sweep.base);
    const auto before = warp.map(HighDistance{}, warp.load(paths, vertex, is_vertex));
    const typename Warp::Mask open = is_vertex & !(before < base);
    const auto row_end = warp.load_constant(sweep.graph.ends, vertex, open);
    auto place = warp.load_constant(sweep.graph.offsets, vertex, open) + warp.lane() % Width;
    auto best = before;
    auto parent = warp.same(0);
    for (typename Warp::Mask active = open & (place < row_end); warp.any(active); active = active & (place < row_end)) {
      const auto weight = warp.load_constant(sweep.weights, place, active);
      active = active & (base + weight < best);
      tally.examined = tally.examined + active;
      const auto target = warp.load_constant(sweep.graph.neighbours, place, active);
      const auto distance = warp.map(HighDistance{}, warp.load_relaxed(paths, target, active)) + weight;
      const typename Warp::Mask closer = active & (distance < best) & !(warp.same_float(sweep.most) < distance);
      best = warp.select(closer, distance, best);
      parent = warp.select(closer, target, parent);
      place = place + Width;
    }
    const typename Warp::Mask improved = open & (best < before);
    if (!warp.any(improved)) return;
    const typename Warp::Mask won = warp.improve(paths, vertex, best, parent, improved);
    tally.claimed =
        tally.claimed + (won & (warp.exchange(sweep.state.stamps, vertex, warp.same(sweep.stamp), won) != sweep.stamp));
  }
};

/// Puts the vertices with a stamp into the pile, where none of them is.
struct PileStampedStep {
  PathView state;
  PileView pile;
  std::uint32_t stamp = 1;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const typename Warp::Mask stamped = there & (warp.load(state.stamps, place, there) == stamp);
    const auto vertex = warp.map(LowHalf{}, place);
    warp.store(state.piled, vertex, warp.same(1), stamped);
    pile_up(warp, pile, vertex, stamped);
  }
};
using PileStamped = Each<PileStampedStep>;

}  // namespace breadth::gpu
