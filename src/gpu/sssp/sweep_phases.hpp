// Sweeps of shortest paths on a device: which vertices look along their rows for shorter paths, and how.
#pragma once

#include <cstdint>

#include "gpu/phases/lanes.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/sssp/path_phases.hpp"

namespace breadth::gpu {

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
    const auto before = warp.distance_of(warp.load(paths, vertex, is_vertex));
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
      const auto distance = warp.distance_of(warp.load_relaxed(paths, target, active)) + weight;
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
