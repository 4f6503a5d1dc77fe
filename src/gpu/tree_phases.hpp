// The start and the end of a search for shortest paths.
#pragma once

#include <cstdint>

#include "gpu/frontier_queue.hpp"
#include "gpu/name_parents.hpp"
#include "gpu/path_views.hpp"

namespace breadth::gpu {

/// No vertex has a path.
struct ClearPaths {
  ArrayView<std::uint64_t> paths;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    for (std::uint64_t first = std::uint64_t{warp.index()} * warp_lanes; first < paths.size;
         first += std::uint64_t{warp.count()} * warp_lanes) {
      const auto place = warp.wide_lane() + first;
      warp.store(paths, place, warp.same_wide(no_path), place < paths.size);
    }
  }
};

/// The source is its own parent, at distance 0, and the first frontier. The first warp's work.
struct StartPaths {
  GraphView graph;
  PathView state;
  QueueView queue;
  std::uint32_t source = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    if (warp.index() != 0) return;
    const auto vertex = warp.same(source);
    const typename Warp::Mask first = warp.lane() == 0U;
    warp.store(state.paths, vertex, warp.same_wide(source), first);
    append(warp, graph, queue, vertex, first);
  }
};

/// Writes for every label the distance and the label of the vertex before, or infinity and no_parent.
struct NameTreeStep {
  LabelView labels;
  PathView state;
  ArrayView<std::uint32_t> parents;  ///< one a label
  ArrayView<float> distances;        ///< one a label

  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    const auto path = warp.select(has_edges, warp.load(state.paths, vertex, has_edges), warp.same_wide(no_path));
    const typename Warp::Mask reached = path != warp.same_wide(no_path);
    const auto name = warp.load_constant(labels.labels, warp.parent_of(path), reached);
    warp.store(parents, label, warp.select(reached, name, warp.same(no_parent)), is_label);
    warp.store(distances, label, warp.distance_of(path), is_label);
  }
};
using NameTree = LabelWalk<NameTreeStep>;

}  // namespace breadth::gpu
