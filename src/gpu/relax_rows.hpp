// Relaxations: from the vertices of the queue along their edges.
#pragma once

#include <cstdint>

#include "gpu/frontier_queue.hpp"
#include "gpu/path_views.hpp"
#include "gpu/row_walk.hpp"

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

/// What all relaxations have in common.
struct RelaxStep {
  GraphView graph;
  ArrayView<const float> weights;  ///< beside the neighbours
  PathView state;
  QueueView front;
  QueueView next;
  PileView pile;
  ArrayView<std::uint64_t> sums;
  std::uint32_t next_level = 1;
  float bound = 0;  ///< vertices closer than that are settled in this bucket
  float most = 0;   ///< the largest distance that counts

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return sums; }

  /// Relaxes one edge a lane. Only what comes closer counts, not what is as close: so a vertex had its distance before
  /// it gave that to another, and parents are a tree also along edges of no length.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    const auto weight = warp.load_constant(weights, places, mask);
    const auto distance = warp.distance_of(warp.load(state.paths, vertices, mask)) + weight;
    const auto before = warp.distance_of(warp.load(state.paths, target, mask));
    const typename Warp::Mask closer = mask & (distance < before) & !(warp.same_float(most) < distance);
    if (!warp.any(closer)) return;
    const typename Warp::Mask won = warp.improve(state.paths, target, distance, vertices, closer);
    const typename Warp::Mask near = won & (distance < warp.same_float(bound));
    const typename Warp::Mask queued =
        near & (warp.exchange(state.stamps, target, warp.same(next_level), near) != next_level);
    append(warp, graph, next, target, queued);
    tally.claimed = tally.claimed + queued;
    tally.edges = tally.edges + warp.load_constant(graph.word_degrees, target / bits_per_word, queued);
    const typename Warp::Mask far = won & !near;
    const typename Warp::Mask new_far = far & (warp.fetch_or(state.piled, target, warp.same(1), far) == 0U);
    pile_up(warp, pile, target, new_far);
  }
};

template <std::uint32_t Width>
using RelaxRows = RowWalk<RelaxStep, Width>;
using RelaxPieces = PieceWalk<RelaxStep>;

}  // namespace breadth::gpu
