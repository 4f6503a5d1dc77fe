// The start of kernel 1 on a device: what tuples say of labels.
#pragma once

#include <cstdint>

#include "core/degree_bins.hpp"
#include "gpu/build/entry_keys.hpp"
#include "gpu/phases/array_view.hpp"
#include "gpu/phases/each.hpp"
#include "gpu/tuples/tuples.hpp"

namespace breadth::gpu {

/// Raises `largest` to the largest label.
struct FindLargestLabelStep {
  TupleView tuples;
  ArrayView<std::uint32_t> largest;  ///< one

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    warp.raise(largest, 0, warp.load(tuples.sources, place, there), there);
    warp.raise(largest, 0, warp.load(tuples.targets, place, there), there);
  }
};
using FindLargestLabel = Each<FindLargestLabelStep>;

/// Counts each label's ends of tuples that are no self-loops.
struct CountEndsStep {
  TupleView tuples;
  ArrayView<std::uint32_t> counts;  ///< of each label

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto source = warp.load(tuples.sources, place, there);
    const auto target = warp.load(tuples.targets, place, there);
    const typename Warp::Mask proper = there & (source != target);
    warp.count_up(counts, source, proper);
    warp.count_up(counts, target, proper);
  }
};
using CountEnds = Each<CountEndsStep>;

/// A key for each label, by which labels with edges come first, by falling bin of their degree and then by label.
/// Counts them.
struct BinLabelsStep {
  ArrayView<const std::uint32_t> counts;  ///< of each label
  std::uint32_t label_bits = 0;
  ArrayView<std::uint64_t> keys;
  ArrayView<std::uint64_t> vertices;  ///< one: the labels with edges

  /// Bits of a bin.
  static constexpr std::uint32_t bin_bits = bits_below(DegreeBins::count);

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto degree = warp.load(counts, place, there);
    warp.store(keys, place, warp.map(BinKey{label_bits}, degree, place), there);
    const typename Warp::template Lanes<std::uint64_t> connected = degree != 0U;
    warp.add(vertices, 0, connected);
  }

 private:
  struct BinKey {
    std::uint32_t label_bits;
    constexpr std::uint64_t operator()(std::uint32_t degree, std::uint64_t label) const {
      return (DegreeBins::count - 1 - DegreeBins::bin_of(degree)) << label_bits | label;
    }
  };
};
using BinLabels = Each<BinLabelsStep>;

/// What sorting has said of labels: which is each vertex's, which vertex each one is, and how many ends the vertex has.
struct NameVerticesStep {
  ArrayView<const std::uint64_t> keys;
  ArrayView<const std::uint32_t> counts;  ///< of each label
  std::uint32_t label_bits = 0;
  ArrayView<std::uint32_t> labels;     ///< of each vertex
  ArrayView<std::uint32_t> vertex_of;  ///< each label that has edges
  ArrayView<std::uint32_t> ends;       ///< of each vertex

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto label = warp.map(EntryKeys::Column{{.column_bits = label_bits}}, warp.load(keys, place, there));
    warp.store(labels, place, label, there);
    warp.store(vertex_of, label, warp.map(LowHalf{}, place), there);
    warp.store(ends, place, warp.load(counts, label, there), there);
  }
};
using NameVertices = Each<NameVerticesStep>;

}  // namespace breadth::gpu
