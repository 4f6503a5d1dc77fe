// Shortest paths between devices: to vertices that others settle, and what these make of them.
#pragma once

#include <cstdint>

#include "gpu/part_paths.hpp"
#include "gpu/phases/array_view.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/phases/row_walk.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/sssp/relax_rows.hpp"

namespace breadth::gpu {

/// Vertices that a part does not settle alone: first hubs, whose replicas all ranks settle together, then its ghosts
/// (gpu/part_search.hpp).
struct DistantView {
  ArrayView<std::uint64_t> paths;           ///< of each the shortest that was found here, above a label
  ArrayView<std::uint32_t> untold;          ///< a bit each: it is shorter than what was told
  ArrayView<const std::uint32_t> vertices;  ///< of the ghosts, as their owners have them
  ArrayView<const std::uint32_t> owners;    ///< of each 32 ghosts
  std::uint32_t hub_bits = 0;               ///< before the first ghost
  std::uint32_t ranks = 1;                  ///< stands for the owner of hubs

  /// Notes the paths of the mask's lanes that are shorter than what is known here.
  template <class Warp>
  constexpr void note(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& places,
                      const typename Warp::template Lanes<float>& distance,
                      const typename Warp::template Lanes<std::uint32_t>& parents,
                      const typename Warp::Mask& mask) const {
    const typename Warp::Mask won = warp.improve(paths, places, distance, parents, mask);
    (void)warp.fetch_or(untold, places / bits_per_word, warp.bit(places % bits_per_word), won);
  }
};

/// Along edges to vertices of this rank and to hubs. A hub does not come closer before all ranks know it, so that all
/// of its replicas do at once, by one parent: else two hubs could have each other for their parents.
struct RelaxPartStep : RelaxStep {
  ArrayView<const std::uint32_t> labels;  ///< of each vertex
  DistantView distant;

  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    relax(warp, arrivals.state.paths, 0, vertices, places, mask, tally,
          [&](const auto& target, const auto& distance, const typename Warp::Mask& closer) {
            const auto parent = warp.load_constant(labels, vertices, closer);
            const typename Warp::Mask hub = closer & (target < distant.hub_bits);
            distant.note(warp, target, distance, parent, hub);
            arrivals.take(warp, target, distance, parent, closer & !hub, tally);
          });
  }
};
template <std::uint32_t Width>
using RelaxPartRows = RowWalk<RelaxPartStep, Width>;
using RelaxPartPieces = PieceWalk<RelaxPartStep>;

/// Along edges to ghosts.
struct RelaxGhostsStep : RelaxPartStep {
  template <class Warp, class Places>
  constexpr void follow(const Warp& warp, const typename Warp::template Lanes<std::uint32_t>& vertices,
                        const Places& places, const typename Warp::Mask& mask, Tally<Warp>& tally) const {
    relax(warp, distant.paths, distant.hub_bits, vertices, places, mask, tally,
          [&](const auto& place, const auto& distance, const typename Warp::Mask& closer) {
            distant.note(warp, place, distance, warp.load_constant(labels, vertices, closer), closer);
          });
  }
};
template <std::uint32_t Width>
using RelaxGhosts = RowWalk<RelaxGhostsStep, Width>;

/// Words of distant vertices, 32 a warp at a time. Calls the step's `look(warp, word, untold, distances)` for each that
/// has any that are untold.
template <class Step>
struct DistantWalk : Step {
  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const DistantView& distant = this->distant;
    const auto words = static_cast<std::uint32_t>(distant.untold.size);
    for (std::uint32_t first = warp.index() * warp_lanes; first < words; first += warp.count() * warp_lanes) {
      const auto word = warp.lane() + first;
      const auto untold = warp.load(distant.untold, word, word < words);
      for (std::uint32_t some = warp.ballot(untold != 0U); some != 0; some &= some - 1) {
        const std::uint32_t lane = warp.lowest(some);
        const std::uint32_t bits = warp.broadcast(untold, lane);
        const auto place = warp.lane() + (first + lane) * bits_per_word;
        const auto path = warp.load(distant.paths, place, warp.bits_of(bits));
        this->look(warp, first + lane, bits, path);
      }
    }
  }
};

/// As FindNearest, among those that are untold.
struct FindNearestDistantStep {
  DistantView distant;
  ArrayView<std::uint32_t> nearest;

  template <class Warp, class Paths>
  constexpr void look(const Warp& warp, std::uint32_t /*word*/, std::uint32_t untold, const Paths& paths) const {
    warp.raise(nearest, 0, warp.nearness(warp.distance_of(paths)), warp.bits_of(untold));
  }
};
using FindNearestDistant = DistantWalk<FindNearestDistantStep>;

/// Those that are untold and nearer than the bound.
struct TellStep {
  DistantView distant;
  float bound = 0;
  ArrayView<std::uint64_t> places;  ///< of each rank, and of hubs

  /// Their bits in a word.
  template <class Warp, class Paths>
  [[nodiscard]] constexpr std::uint32_t near(const Warp& warp, std::uint32_t untold, const Paths& paths) const {
    return warp.ballot(warp.bits_of(untold) & (warp.distance_of(paths) < warp.same_float(bound)));
  }
  /// Where as many relaxations as there are such bits go at the owner's place.
  template <class Warp>
  [[nodiscard]] constexpr std::uint64_t reserve(const Warp& warp, std::uint32_t word, std::uint32_t bits) const {
    const std::uint32_t hub_words = distant.hub_bits / bits_per_word;
    const std::uint32_t owner = word < hub_words ? distant.ranks : warp.load_one(distant.owners, word - hub_words);
    return warp.reserve(places, owner, warp.popcount(bits));
  }
};

/// How many relaxations there are for each rank, and for hubs.
struct CountRelaxationsStep : TellStep {
  template <class Warp, class Paths>
  constexpr void look(const Warp& warp, std::uint32_t word, std::uint32_t untold, const Paths& paths) const {
    const std::uint32_t bits = near(warp, untold, paths);
    if (bits != 0) (void)reserve(warp, word, bits);
  }
};
using CountRelaxations = DistantWalk<CountRelaxationsStep>;

/// Writes them, each rank's where its place is, and takes them for told.
struct WriteRelaxationsStep : TellStep {
  ArrayView<Relaxation> relaxations;

  template <class Warp, class Paths>
  constexpr void look(const Warp& warp, std::uint32_t word, std::uint32_t untold, const Paths& paths) const {
    const std::uint32_t bits = near(warp, untold, paths);
    if (bits == 0) return;
    const typename Warp::template Lanes<std::uint64_t> rank = warp.rank(bits);
    const typename Warp::Mask told = warp.bits_of(bits);
    const auto place = warp.lane() + word * bits_per_word;
    auto vertex = place;
    if (word >= distant.hub_bits / bits_per_word) {
      vertex = warp.load_constant(distant.vertices, place - distant.hub_bits, told);
    }
    warp.store(relaxations, rank + reserve(warp, word, bits), warp.map(Join{}, vertex, paths), told);
    warp.store(distant.untold, warp.same(word), warp.same(untold - bits), warp.lane() == 0U);
  }

 private:
  struct Join {
    constexpr Relaxation operator()(std::uint32_t vertex, std::uint64_t path) const {
      return {vertex, LowHalf{}(path), HighHalf{}(path)};
    }
  };
};
using WriteRelaxations = DistantWalk<WriteRelaxationsStep>;

/// Relaxes what other ranks tell of this one's vertices, or all ranks of hubs. Several may tell of the same.
struct TakeRelaxationsStep {
  ArrayView<const Relaxation> relaxations;
  Arrivals arrivals;
  ArrayView<std::uint64_t> tallies;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto relaxation = warp.load(relaxations, place, there);
    const auto vertex = warp.map(Vertex{}, relaxation);
    const auto path = warp.map(Path{}, relaxation);
    const auto distance = warp.distance_of(path);
    const typename Warp::Mask closer = arrivals.closer(warp, arrivals.state.paths, vertex, distance, there);
    if (!warp.any(closer)) return;
    Tally<Warp> tally;
    arrivals.take(warp, vertex, distance, warp.parent_of(path), closer, tally);
    tally.add_to(warp, tallies);
  }

 private:
  struct Vertex {
    constexpr std::uint32_t operator()(const Relaxation& relaxation) const { return relaxation.vertex; }
  };
  struct Path {
    constexpr std::uint64_t operator()(const Relaxation& relaxation) const { return relaxation.path(); }
  };
};
using TakeRelaxations = Each<TakeRelaxationsStep>;

}  // namespace breadth::gpu
