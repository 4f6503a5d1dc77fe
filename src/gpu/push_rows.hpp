// A push: from the vertices of the queue along their edges.
#pragma once

#include <cstdint>

#include "gpu/frontier_queue.hpp"
#include "gpu/row_walk.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// What all pushes have in common.
struct PushStep {
  GraphView graph;
  SearchView search;
  QueueView front;
  QueueView next;
  std::uint32_t visit_before = 0;  ///< vertices from there on are left to the last pass

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return search.tallies; }

  /// Follows one edge a lane: who is not visited yet gets the lane's vertex as parent and joins the next frontier. The
  /// bit is looked at first, since nearly all edges lead to visited vertices; of those who set it, one claims.
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto target = warp.load_constant(graph.neighbours, places, mask);
    const auto word = target / bits_per_word;
    const auto bit = warp.bit(target % bits_per_word);
    const typename Warp::Mask wanted = mask & (target < visit_before);
    const typename Warp::Mask fresh = wanted & ((warp.load(search.visited, word, wanted) & bit) == 0U);
    if (!warp.any(fresh)) return;
    const typename Warp::Mask claimed = fresh & ((warp.fetch_or(search.visited, word, bit, fresh) & bit) == 0U);
    warp.store(search.parents, target, vertices, claimed);
    append(warp, graph, next, target, claimed);
    tally.claimed = tally.claimed + claimed;
    tally.edges = tally.edges + warp.load_constant(graph.word_degrees, word, claimed);
  }
};

template <std::uint32_t Width>
using PushRows = RowWalk<PushStep, Width>;
using PushPieces = PieceWalk<PushStep>;

}  // namespace breadth::gpu
