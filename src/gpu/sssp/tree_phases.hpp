// The start and the end of a search for shortest paths.
#pragma once

#include <cstdint>

#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/name_parents.hpp"
#include "gpu/sssp/path_views.hpp"

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
    const auto name = name_of(warp.parent_of(path), reached);
    warp.store(parents, label, warp.select(reached, name, warp.same(no_parent)), is_label);
    warp.store(distances, label, warp.distance_of(path), is_label);
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

/// Where they have labels, as in a part (gpu/part_paths.hpp).
struct NamePartTreeStep : TreeOutput {
  template <class Warp, class Lanes>
  constexpr void name(const Warp& warp, const Lanes& label, const typename Warp::Mask& is_label, const Lanes& vertex,
                      const typename Warp::Mask& has_edges) const {
    write(warp, label, is_label, vertex, has_edges,
          [](const Lanes& before, const typename Warp::Mask& /*reached*/) { return before; });
  }
};
using NamePartTree = LabelWalk<NamePartTreeStep>;

}  // namespace breadth::gpu
