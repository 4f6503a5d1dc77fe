// The first half of kernel 1 on a device: from tuples to rows by label.
#pragma once

#include <cstdint>

#include "gpu/array_view.hpp"
#include "gpu/each.hpp"
#include "gpu/entry_keys.hpp"
#include "gpu/tuples.hpp"

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

/// Appends a key for each end, in rows [keys.first, end), of a tuple that is no self-loop, in any order.
struct AppendEntriesStep {
  TupleView tuples;
  EntryKeys keys;
  std::uint32_t end = 0;
  ArrayView<std::uint64_t> entries;
  ArrayView<std::uint64_t> size;  ///< one: of the entries so far

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto source = warp.load(tuples.sources, place, there);
    const auto target = warp.load(tuples.targets, place, there);
    const typename Warp::Mask proper = there & (source != target);
    append_entry(warp, source, target, proper);
    append_entry(warp, target, source, proper);
  }

 private:
  template <class Warp, class Labels>
  constexpr void append_entry(const Warp& warp, const Labels& row, const Labels& column,
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

/// Of sorted and distinct entries the columns and where rows begin, `base` entries before them.
struct BeginRowsStep {
  ArrayView<const std::uint64_t> entries;
  EntryKeys keys;
  std::uint64_t base = 0;
  ArrayView<std::uint32_t> columns;
  ArrayView<std::uint64_t> begins;  ///< of each label that has entries

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const auto key = warp.load(entries, place, there);
    const typename Warp::Mask follows = there & (place >= 1U);
    const auto row = warp.map(EntryKeys::Row{keys}, key);
    const auto row_before = warp.map(EntryKeys::Row{keys}, warp.load(entries, place - 1U, follows));
    warp.store(columns, place + base, warp.map(EntryKeys::Column{keys}, key), there);
    warp.store(begins, row, place + base, there & !(follows & (row == row_before)));
  }
};
using BeginRows = Each<BeginRowsStep>;

/// Of the same entries the lengths of rows, once all begin.
struct EndRowsStep {
  ArrayView<const std::uint64_t> entries;
  EntryKeys keys;
  std::uint64_t base = 0;
  std::uint64_t last = 0;  ///< entry
  ArrayView<const std::uint64_t> begins;
  ArrayView<std::uint32_t> degrees;  ///< of each label

  template <class Warp, class Places>
  constexpr void at(const Warp& warp, const Places& place, const typename Warp::Mask& there) const {
    const typename Warp::Mask goes_on = there & (place < last);
    const auto row = warp.map(EntryKeys::Row{keys}, warp.load(entries, place, there));
    const auto next_row = warp.map(EntryKeys::Row{keys}, warp.load(entries, place + 1U, goes_on));
    const typename Warp::Mask ends = there & !(goes_on & (row == next_row));
    const auto length = place + (base + 1) - warp.load(begins, row, ends);
    warp.store(degrees, row, warp.map(LowHalf{}, length), ends);
  }
};
using EndRows = Each<EndRowsStep>;

}  // namespace breadth::gpu
