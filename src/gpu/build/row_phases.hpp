// The rows of kernel 1 on a device: entries under the names of vertices, sorted, and taken apart.
#pragma once

#include <array>
#include <cstdint>

#include "gpu/build/entry_keys.hpp"
#include "gpu/phases/array_view.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/row_bounds.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// Appends a key for each end, in rows [keys.first, end), of a tuple that is no self-loop, in any order.
struct AppendEntriesStep {
  TupleView tuples;
  ArrayView<const std::uint32_t> vertex_of;  ///< each label
  EntryKeys keys;
  std::uint32_t end = 0;
  ArrayView<std::uint64_t> entries;
  ArrayView<std::uint64_t> size;  ///< one: of the entries so far

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto source = warp.load(tuples.sources, place, there);
    const auto target = warp.load(tuples.targets, place, there);
    const typename Warp::Mask proper = there & (source != target);
    const auto source_vertex = warp.load(vertex_of, source, proper);
    const auto target_vertex = warp.load(vertex_of, target, proper);
    append_entry(warp, source_vertex, target_vertex, proper);
    append_entry(warp, target_vertex, source_vertex, proper);
  }

 private:
  template <class Warp, class Vertices>
  constexpr void append_entry(const Warp& warp, const Vertices& row, const Vertices& column,
                              const typename Warp::Mask& proper) const {
    const typename Warp::Mask wanted = proper & (row >= keys.first) & (row < end);
    const std::uint32_t bits = warp.ballot(wanted);
    if (bits == 0) return;
    const typename Warp::template Lanes<std::uint64_t> rank = warp.rank(bits);
    const std::uint64_t place = warp.reserve(size, 0, warp.popcount(bits));
    warp.store(entries, rank + place, warp.map(EntryKeys::Key{keys}, row, column), wanted);
  }
};
using AppendEntries = Each<AppendEntriesStep>;

/// Of sorted and distinct entries the neighbours, and where rows begin, `base` entries before them.
struct TakeRowsStep {
  ArrayView<const std::uint64_t> entries;
  EntryKeys keys;
  std::uint64_t base = 0;
  ArrayView<std::uint32_t> neighbours;
  ArrayView<std::uint64_t> offsets;  ///< of each vertex

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto key = warp.load(entries, place, there);
    const typename Warp::Mask follows = there & (place >= 1U);
    const auto row = warp.map(EntryKeys::Row{keys}, key);
    const auto row_before = warp.map(EntryKeys::Row{keys}, warp.load(entries, place - 1U, follows));
    warp.store(neighbours, place + base, warp.map(EntryKeys::Column{keys}, key), there);
    warp.store(offsets, row, place + base, there & !(follows & (row == row_before)));
  }
};
using TakeRows = Each<TakeRowsStep>;

/// Raises, for each of class_edges, the number of vertices up to the last one that has more edges.
struct BoundClassesStep {
  ArrayView<const std::uint64_t> offsets;
  ArrayView<std::uint32_t> bounds;  ///< one for each of class_edges

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto edges = warp.load(offsets, place + 1U, there) - warp.load(offsets, place, there);
    const auto number = warp.map(LowHalf{}, place + 1U);
    for (std::uint32_t i = 0; i < class_edges.size(); ++i) {
      const typename Warp::Mask longer = there & !(edges < std::uint64_t{class_edges[i]} + 1);
      if (warp.any(longer)) warp.raise(bounds, i, number, longer);
    }
  }
};
using BoundClasses = Each<BoundClassesStep>;

}  // namespace breadth::gpu
