// Between devices: ghosts that a frontier leads to, the queries that tell their owners, and what these make of them.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"
#include "gpu/phases/claim.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/phases/row_walk.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// The ghosts of a part (gpu/part_search.hpp) in a search. A parent counts only where its ghost is reached.
struct GhostView {
  ArrayView<std::uint32_t> reached;         ///< a bit a ghost: a frontier led to it
  ArrayView<std::uint32_t> told;            ///< those whose owner knows
  ArrayView<std::uint32_t> parents;         ///< the vertex here that led to it first
  ArrayView<const std::uint32_t> vertices;  ///< as the owner has them
  ArrayView<const std::uint32_t> owners;    ///< of each 32 ghosts
};

/// From the queue's vertices to ghosts. A ghost is reached once in a search, however many edges lead to it: its owner
/// need not be told again (Pan et al. 2018, section V-B, remove duplicates).
struct PushGhostsStep {
  GraphView graph;  ///< whose rows lead to ghosts
  GhostView ghosts;
  QueueView front;
  ArrayView<std::uint64_t> sums;

  [[nodiscard]] constexpr const ArrayView<std::uint64_t>& tallies() const { return sums; }

  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    tally.examined = tally.examined + mask;
    const auto ghost = warp.load_constant(graph.neighbours, places, mask);
    warp.store(ghosts.parents, ghost, vertices, set_bits(warp, ghosts.reached, ghost, mask));
  }
};
template <std::uint32_t Width>
using PushGhosts = RowWalk<PushGhostsStep, Width>;

/// Words of ghosts, 32 a warp at a time. Calls the step's `note(warp, word, owner, bits)` for each that has ghosts
/// which are reached and whose owner has not been told, and then `leave(warp, words, reached, there)`.
template <class Step>
struct UntoldWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const GhostView& ghosts = this->ghosts;
    const auto words = static_cast<std::uint32_t>(ghosts.reached.size);
    for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const typename Warp::Mask there = word < words;
      const auto reached = warp.load(ghosts.reached, word, there);
      const auto untold = reached - warp.load(ghosts.told, word, there);  // a part of it
      const auto owner = warp.load_constant(ghosts.owners, word, there);
      for (std::uint32_t some = warp.ballot(untold != 0U); some != 0; some &= some - 1) {
        const std::uint32_t lane = warp.lowest(some);
        this->note(warp, first + lane, warp.broadcast(owner, lane), warp.broadcast(untold, lane));
      }
      this->leave(warp, word, reached, there);
    }
  }
};

/// How many queries there are for each rank.
struct CountQueriesStep {
  GhostView ghosts;
  ArrayView<std::uint64_t> counts;  ///< of each rank

  template <class Warp>
  constexpr void note(const Warp& warp, std::uint32_t /*word*/, std::uint32_t owner, std::uint32_t bits) const {
    (void)warp.reserve(counts, owner, warp.popcount(bits));
  }
  template <class Warp, class Words>
  constexpr void leave(const Warp& /*warp*/, const Words& /*word*/, const Words& /*reached*/,
                       const typename Warp::Mask& /*there*/) const {}
};
using CountQueries = UntoldWalk<CountQueriesStep>;

/// Writes them, each rank's where its place is, and takes the ghosts for told.
struct WriteQueriesStep {
  GhostView ghosts;
  ArrayView<std::uint64_t> places;        ///< of each rank's next query
  ArrayView<const std::uint32_t> labels;  ///< of the vertices here
  ArrayView<std::uint64_t> queries;       ///< as Query has them

  template <class Warp>
  constexpr void note(const Warp& warp, std::uint32_t word, std::uint32_t owner, std::uint32_t bits) const {
    const std::uint64_t place = warp.reserve(places, owner, warp.popcount(bits));
    const typename Warp::template Lanes<std::uint64_t> rank = warp.rank(bits);
    const typename Warp::Mask wanted = warp.bits_of(bits);
    const auto ghost = warp.lane() + word * bits_per_word;
    const auto label = warp.load_constant(labels, warp.load(ghosts.parents, ghost, wanted), wanted);
    const auto vertex = warp.load_constant(ghosts.vertices, ghost, wanted);
    warp.store(queries, rank + place, warp.map(Join{}, vertex, label), wanted);
  }
  template <class Warp, class Words>
  constexpr void leave(const Warp& warp, const Words& word, const Words& reached,
                       const typename Warp::Mask& there) const {
    warp.store(ghosts.told, word, reached, there);
  }

 private:
  struct Join {
    constexpr std::uint64_t operator()(std::uint32_t vertex, std::uint32_t label) const {
      return std::uint64_t{label} << 32U | vertex;
    }
  };
};
using WriteQueries = UntoldWalk<WriteQueriesStep>;

/// Visits the vertices that queries of other ranks ask for, unless they are visited. Several may ask for the same.
struct AnswerQueriesStep {
  ArrayView<const std::uint64_t> queries;
  GraphView graph;
  SearchView search;
  ArrayView<std::uint32_t> named;  ///< a bit a vertex: its parent is a label
  QueueView next;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto query = warp.load(queries, place, there);
    const auto vertex = warp.map(LowHalf{}, query);
    Tally<Warp> tally;
    const auto claimed = claim(warp, graph, search, next, vertex, warp.map(HighHalf{}, query), there, tally);
    if (!warp.any(claimed)) return;
    (void)warp.fetch_or(named, vertex / bits_per_word, warp.bit(vertex % bits_per_word), claimed);
    tally.add_to(warp, search.tallies);
  }
};
using AnswerQueries = Each<AnswerQueriesStep>;

}  // namespace breadth::gpu
