// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/find_in_frontier.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <variant>

#include "simd/bit_lanes-inl.h"
#include "simd/find_in_frontier.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

/// The bits of a mask; the first lane has the lowest bit.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

/// The lanes whose global id is in the frontier.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> test_ids(D d, FrontierBits frontier, V global_ids) {
  return test_bits(d, frontier.bits, hn::And(global_ids, hn::Set(d, static_cast<T>(frontier.mask))));
}

/// Whether a word has so few bits that testing them one by one is faster than vectors: beyond the caches, vectors for a
/// word take AVX-512 and AVX2 as long as 6 single bits (benchmarks/results/ablation.md, "Kernel by kernel", test_column
/// at scale 20).
HWY_INLINE bool is_sparse(std::uint64_t word) { return std::popcount(word) <= 6; }

/// Whether masked stores are as fast as other stores. Those of AVX2 are slower, SSE4 has none, and a single lane takes
/// a branch. Where no other thread writes the other lanes, all lanes are read, blended and written instead.
inline constexpr bool masks_well = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_SSE4 && HWY_TARGET != HWY_AVX2;

/// Copies chosen lanes. `whole` means that all lanes exist and no other thread writes them.
template <bool whole, class D, class T = hn::TFromD<D>>
HWY_INLINE void copy_lanes(D d, hn::Mask<D> chosen, const T* from, T* to) {
  if constexpr (whole && !masks_well) {
    hn::StoreU(hn::IfThenElse(chosen, hn::LoadU(d, from), hn::LoadU(d, to)), d, to);
  } else {
    hn::BlendedStore(hn::MaskedLoad(chosen, d, from), chosen, d, to);
  }
}

/// Tests one word of test_column.
template <bool whole, class T>
HWY_INLINE std::uint64_t test_word(const T* global_ids, const T* labels, FrontierBits frontier, std::uint64_t wanted,
                                   T* parents) {
  std::uint64_t found = 0;
  if (is_sparse(wanted)) {
    for (; wanted != 0; wanted &= wanted - 1) {
      const int i = std::countr_zero(wanted);
      if (!frontier.contains(global_ids[i])) continue;
      parents[i] = labels[i];
      found |= std::uint64_t{1} << i;
    }
    return found;
  }
  const VertexLanes<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint64_t all = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
  for (std::size_t i = 0; i < 64; i += lanes) {
    const std::uint64_t wanted_here = (wanted >> i) & all;
    if (wanted_here == 0) continue;
    const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&wanted_here));
    const auto hits = hn::And(mask, test_ids(d, frontier, hn::MaskedLoad(mask, d, global_ids + i)));
    copy_lanes<whole>(d, hits, labels + i, parents + i);
    found |= bits_of(d, hits) << i;
  }
  return found;
}

/// Prefetches the data of a later word: there are three streams, each on its own pages, which is too much for hardware
/// prefetchers.
template <class T>
HWY_INLINE void prefetch_word(const T* global_ids, const T* labels, T* parents) {
  constexpr std::size_t entries_per_line = 64 / sizeof(T);
  for (std::size_t i = 0; i < 64; i += entries_per_line) {
    __builtin_prefetch(global_ids + i);
    __builtin_prefetch(labels + i);
    __builtin_prefetch(parents + i, 1);
  }
}

/// Prefetches the data of a sparse word.
template <class T>
HWY_INLINE void prefetch_wanted(const T* global_ids, const T* labels, std::uint64_t wanted) {
  for (; wanted != 0; wanted &= wanted - 1) {
    __builtin_prefetch(global_ids + std::countr_zero(wanted));
    __builtin_prefetch(labels + std::countr_zero(wanted));
  }
}

/// Tests all words. Columns end with the last vertex, so some entries of the last word may not exist.
template <class T>
void test_column_words(const T* global_ids, const T* labels, FrontierBits frontier, const std::uint64_t* wanted,
                       std::uint64_t* found, std::size_t words, T* parents) {
  for (std::size_t word = 0; word < words; ++word) {
    if (is_sparse(wanted[word])) prefetch_wanted(global_ids + word * 64, labels + word * 64, wanted[word]);
  }
  constexpr std::size_t words_ahead = 8;
  for (std::size_t word = 0; word < words; ++word) {
    if (wanted[word] == 0) continue;
    const std::size_t first = word * 64;
    const std::size_t later = first + words_ahead * 64;
    if (!is_sparse(wanted[word])) prefetch_word(global_ids + later, labels + later, parents + later);
    const bool whole = !masks_well && word + 1 < words;
    found[word] |= whole
                       ? test_word<true>(global_ids + first, labels + first, frontier, wanted[word], parents + first)
                       : test_word<false>(global_ids + first, labels + first, frontier, wanted[word], parents + first);
  }
}

/// The lanes whose global id is in the frontier. Lanes of empty groups all read the first word, which is near.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> test_ids(D d, SummarizedBits frontier, V global_ids) {
  const auto groups = hn::Shr(global_ids, hn::Set(d, static_cast<T>(frontier.group_log2)));
  const auto possible = test_bits(d, frontier.summary, groups);
  if (hn::AllFalse(d, possible)) return possible;
  return hn::And(possible, test_bits(d, frontier.bits, hn::IfThenElseZero(possible, global_ids)));
}

/// The place in [next, end) of the first neighbour in the frontier; `end` if there is none. Tests a vector of
/// consecutive neighbours at a time, at most eight: gathers of more are no faster on Zen 4, and more rows end inside a
/// vector.
template <class T, class Bits>
HWY_INLINE std::size_t find_in_row(const T* neighbours, std::size_t next, std::size_t end, Bits frontier) {
  const hn::CappedTag<T, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; next + lanes <= end; next += lanes) {
    const auto hit = hn::FindFirstTrue(d, test_ids(d, frontier, hn::LoadU(d, neighbours + next)));
    if (hit >= 0) return next + static_cast<std::size_t>(hit);
  }
  if (lanes <= 4) {  // here masked loads would read whole vectors, beyond the row
    while (next < end && !frontier.contains(neighbours[next])) ++next;
    return next;
  }
  if (next == end) return end;
  const auto mask = hn::FirstN(d, end - next);
  const auto hits = hn::And(mask, test_ids(d, frontier, hn::MaskedLoad(mask, d, neighbours + next)));
  const auto hit = hn::FindFirstTrue(d, hits);
  return hit >= 0 ? next + static_cast<std::size_t>(hit) : end;
}

/// Searches one row.
template <class T, class Bits>
HWY_INLINE std::uint64_t search_row(const typename RowSearch<T>::Arrays& rows, std::size_t row, Bits frontier,
                                    std::size_t& found) {
  const std::size_t begin = rows.nexts[row];
  const std::size_t end = rows.ends[row];
  const std::size_t place = find_in_row(rows.neighbours, begin, end, frontier);
  if (place == end) return end - begin;
  rows.found_vertices[found] = rows.vertices[row];
  rows.found_neighbours[found] = rows.neighbours[place];
  ++found;
  return place + 1 - begin;
}

/// Searches all rows. If `side_by_side`, first goes through some rounds in which each row tests one neighbour in its
/// lane, and rows that end or have a hit leave. The remaining rows are searched one by one, because each round reads a
/// line of every row, and all rows together do not fit the caches (benchmarks/results/bfs.md, "Rows that are long").
/// With AVX2 all rows are searched one by one: a round compresses lanes five times, which takes AVX2 longer for eight
/// lanes than SSE4 for four.
template <class T, class Bits>
std::uint64_t search_rows(const typename RowSearch<T>::Arrays& rows, std::size_t count, bool side_by_side,
                          Bits frontier, std::size_t& found) {
  const VertexLanes<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, T{1});
  const int rounds = HWY_TARGET != HWY_AVX2 && side_by_side ? 8 : 0;
  std::uint64_t looked_at = 0;
  found = 0;
  for (int round = 0; count >= lanes && round < rounds; ++round) {
    looked_at += count;
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; i += lanes) {
      const auto mask = hn::FirstN(d, count - i);
      const auto vertices = hn::LoadU(d, rows.vertices + i);
      const auto nexts = hn::IfThenElseZero(mask, hn::LoadU(d, rows.nexts + i));
      const auto ends = hn::LoadU(d, rows.ends + i);
      const auto neighbours =
          hn::GatherIndex(d, rows.neighbours, hn::BitCast(hn::RebindToSigned<decltype(d)>(), nexts));
      const auto hits = hn::And(mask, test_ids(d, frontier, neighbours));
      hn::StoreU(hn::Compress(vertices, hits), d, rows.found_vertices + found);
      hn::StoreU(hn::Compress(neighbours, hits), d, rows.found_neighbours + found);
      found += hn::CountTrue(d, hits);

      const auto following = hn::Add(nexts, one);
      const auto open = hn::And(hn::AndNot(hits, mask), hn::Lt(following, ends));
      hn::StoreU(hn::Compress(vertices, open), d, rows.vertices + left);
      hn::StoreU(hn::Compress(following, open), d, rows.nexts + left);
      hn::StoreU(hn::Compress(ends, open), d, rows.ends + left);
      left += hn::CountTrue(d, open);
    }
    count = left;
  }
  constexpr std::size_t ahead = 16;
  constexpr std::size_t entries_per_line = 64 / sizeof(T);
  for (std::size_t row = 0; row < count; ++row) {
    if (row + ahead < count) {  // two lines, which suffice for most rows
      const T* const next = rows.neighbours + rows.nexts[row + ahead];
      __builtin_prefetch(next);
      __builtin_prefetch(std::min(next + entries_per_line, rows.neighbours + rows.ends[row + ahead]));
    }
    looked_at += search_row<T>(rows, row, frontier, found);
  }
  return looked_at;
}

template <class T>
std::uint64_t search_rows_in(const typename RowSearch<T>::Arrays& rows, std::size_t count, bool side_by_side,
                             const Frontier& frontier, std::size_t& found) {
  return std::visit([&](auto bits) HWY_ATTR { return search_rows<T>(rows, count, side_by_side, bits, found); },
                    frontier);
}

constexpr auto& test_column_narrow = test_column_words<std::uint32_t>;
constexpr auto& test_column_wide = test_column_words<std::uint64_t>;
constexpr auto& search_rows_narrow = search_rows_in<std::uint32_t>;
constexpr auto& search_rows_wide = search_rows_in<std::uint64_t>;

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(test_column_narrow);
HWY_EXPORT(test_column_wide);
HWY_EXPORT(search_rows_narrow);
HWY_EXPORT(search_rows_wide);

template <>
void test_column(const std::uint32_t* global_ids, const std::uint32_t* labels, FrontierBits frontier,
                 std::span<const std::uint64_t> wanted, std::span<std::uint64_t> found, std::uint32_t* parents) {
  HWY_DYNAMIC_DISPATCH(test_column_narrow)
  (global_ids, labels, frontier, wanted.data(), found.data(), wanted.size(), parents);
}

template <>
void test_column(const std::uint64_t* global_ids, const std::uint64_t* labels, FrontierBits frontier,
                 std::span<const std::uint64_t> wanted, std::span<std::uint64_t> found, std::uint64_t* parents) {
  HWY_DYNAMIC_DISPATCH(test_column_wide)
  (global_ids, labels, frontier, wanted.data(), found.data(), wanted.size(), parents);
}

template <class Neighbour>
RowSearch<Neighbour>::RowSearch(std::size_t max_rows) {
  for (auto* array : {&vertices_, &nexts_, &ends_, &found_vertices_, &found_neighbours_}) {
    array->resize(max_rows + max_lanes);
  }
}

template <class Neighbour>
std::uint64_t RowSearch<Neighbour>::run(const Frontier& frontier) {
  const Arrays arrays{neighbours_,  vertices_.data(),       nexts_.data(),
                      ends_.data(), found_vertices_.data(), found_neighbours_.data()};
  std::uint64_t looked_at = 0;
  if constexpr (sizeof(Neighbour) == 4) {
    looked_at = HWY_DYNAMIC_DISPATCH(search_rows_narrow)(arrays, rows_, end_soon_, frontier, found_);
  } else {
    looked_at = HWY_DYNAMIC_DISPATCH(search_rows_wide)(arrays, rows_, end_soon_, frontier, found_);
  }
  constexpr std::uint64_t few = 4;
  if (rows_ > 0) end_soon_ = looked_at <= few * rows_;
  return looked_at;
}

template class RowSearch<std::uint32_t>;
template class RowSearch<std::uint64_t>;

}  // namespace breadth
#endif
