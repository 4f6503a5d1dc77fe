// The second half of kernel 1 on a device: from rows by label to rows of vertices by falling degree.
#pragma once

#include <cstdint>

#include "core/degree_bins.hpp"
#include "gpu/array_view.hpp"
#include "gpu/each.hpp"
#include "gpu/entry_keys.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

/// A key for each label, by which labels with edges come first, by falling bin of their degree and then by label.
/// Counts them.
struct BinLabelsStep {
  ArrayView<const std::uint32_t> degrees;
  std::uint32_t label_bits = 0;
  ArrayView<std::uint64_t> keys;
  ArrayView<std::uint64_t> vertices;  ///< one: the labels with edges

  /// Bits of a bin.
  static constexpr std::uint32_t bin_bits = bits_below(DegreeBins::count);

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto degree = warp.load(degrees, place, there);
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

/// What sorting has said of labels: which is each vertex's, which vertex each one is, and how long the vertex's row is.
struct NameVerticesStep {
  ArrayView<const std::uint64_t> keys;
  ArrayView<const std::uint32_t> degrees;  ///< of each label
  std::uint32_t label_bits = 0;
  ArrayView<std::uint32_t> labels;          ///< of each vertex
  ArrayView<std::uint32_t> vertex_of;       ///< each label that has edges
  ArrayView<std::uint32_t> vertex_degrees;  ///< of each vertex

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto label = warp.map(EntryKeys::Column{{.column_bits = label_bits}}, warp.load(keys, place, there));
    warp.store(labels, place, label, there);
    warp.store(vertex_of, label, warp.map(LowHalf{}, place), there);
    warp.store(vertex_degrees, place, warp.load(degrees, label, there), there);
  }
};
using NameVertices = Each<NameVerticesStep>;

/// Writes the entries of the rows of vertices [keys.first, end), renamed, in the places that the rows will have. Which
/// row an entry is of, a warp looks up once for each of its stretches, and lanes go on from there: no row is empty, so
/// that 32 entries are of 32 rows at the most.
struct RenameRows {
  ArrayView<const std::uint64_t> offsets;    ///< of each vertex, and the end
  ArrayView<const std::uint32_t> labels;     ///< of each vertex
  ArrayView<const std::uint64_t> begins;     ///< of each label's row
  ArrayView<const std::uint32_t> columns;    ///< of these rows: labels
  ArrayView<const std::uint32_t> vertex_of;  ///< each label
  EntryKeys keys;
  std::uint32_t end = 0;
  ArrayView<std::uint64_t> entries;

  /// Entries that a warp takes together.
  static constexpr std::uint64_t stretch = 1024;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint64_t base = warp.load_one(offsets, keys.first);
    const std::uint64_t last = warp.load_one(offsets, end);
    for (std::uint64_t begin = base + warp.index() * stretch; begin < last; begin += warp.count() * stretch) {
      std::uint32_t row = row_with(warp, begin);
      for (std::uint64_t first = begin; first < last && first < begin + stretch; first += warp_lanes) {
        row = rename(warp, first, last, row, base);
      }
    }
  }

 private:
  /// The row that has this entry.
  template <class Warp>
  constexpr std::uint32_t row_with(const Warp& warp, std::uint64_t entry) const {
    std::uint32_t row = keys.first;
    for (std::uint32_t after = end; row + 1 < after;) {
      const std::uint32_t middle = row + (after - row) / 2;
      if (warp.load_one(offsets, middle) <= entry) {
        row = middle;
      } else {
        after = middle;
      }
    }
    return row;
  }

  /// 32 entries, the first of them in `first_row` or the one after it. The row of the last.
  template <class Warp>
  constexpr std::uint32_t rename(const Warp& warp, std::uint64_t first, std::uint64_t last, std::uint32_t first_row,
                                 std::uint64_t base) const {
    const auto place = warp.wide_lane() + first;
    const typename Warp::Mask there = place < last;
    auto row = warp.same(first_row);
    for (std::uint32_t step = warp_lanes; step > 0; step /= 2) {
      const auto later = row + step;
      const typename Warp::Mask is_row = later < end;
      const typename Warp::Mask begun = is_row & !(place < warp.load(offsets, later, is_row));
      row = warp.select(begun, later, row);
    }
    const auto label = warp.load(labels, row, there);
    const auto column_place = warp.load(begins, label, there) + (place - warp.load(offsets, row, there));
    const auto neighbour = warp.load(vertex_of, warp.load(columns, column_place, there), there);
    warp.store(entries, place - base, warp.map(EntryKeys::Key{keys}, row, neighbour), there);
    return warp.broadcast(row, warp_lanes - 1);
  }
};

/// Of sorted entries the neighbours, `base` entries before them.
struct TakeNeighboursStep {
  ArrayView<const std::uint64_t> entries;
  EntryKeys keys;
  std::uint64_t base = 0;
  ArrayView<std::uint32_t> neighbours;

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto key = warp.load(entries, place, there);
    warp.store(neighbours, place + base, warp.map(EntryKeys::Column{keys}, key), there);
  }
};
using TakeNeighbours = Each<TakeNeighboursStep>;

}  // namespace breadth::gpu
