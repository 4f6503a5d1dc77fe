// Relaxations: from the vertices of the queue along their edges.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/row_walk.hpp"
#include "gpu/sssp/path_views.hpp"

namespace breadth::gpu {

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
    const auto before = warp.distance_of(warp.load_relaxed(paths, places, mask));
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
    const auto distance = warp.distance_of(warp.load_relaxed(arrivals.state.paths, vertices, mask)) +
                          warp.load_constant(weights, places, mask);
    const typename Warp::Mask closer = arrivals.closer(warp, paths, target, distance, mask);
    if (warp.any(closer)) take(target, distance, closer);
  }
};

template <std::uint32_t Width>
using RelaxRows = RowWalk<RelaxStep, Width>;
using RelaxPieces = PieceWalk<RelaxStep>;

}  // namespace breadth::gpu
