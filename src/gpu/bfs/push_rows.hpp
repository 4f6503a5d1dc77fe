// A push: from the vertices of the queue along their edges.
#pragma once

#include <cstdint>

#include "gpu/phases/claim.hpp"
#include "gpu/phases/row_walk.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

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

}  // namespace breadth::gpu
