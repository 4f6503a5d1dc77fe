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

/// Bits of a mask, the first lane's lowest.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of(D d, M mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

/// The lanes whose global id the frontier has.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> test_ids(D d, FrontierBits frontier, V global_ids) {
  return test_bits(d, frontier.bits, hn::And(global_ids, hn::Set(d, static_cast<T>(frontier.mask))));
}

/// Whether a word has so few bits that a vector is not worth filling: beyond the caches a word of vectors takes AVX-512
/// and AVX2 as long as 6 bits one by one (benchmarks/results/ablation.md, "Kernel by kernel", test_column at scale 20).
HWY_INLINE bool is_sparse(std::uint64_t word) { return std::popcount(word) <= 6; }

/// Whether stores of chosen lanes take no longer than others. AVX2's do, SSE4 has none, and one lane takes a branch for
/// it: where nobody else writes to the other lanes, all are read, blended and written instead.
inline constexpr bool masks_well = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_SSE4 && HWY_TARGET != HWY_AVX2;

/// Copies chosen lanes. `whole` tells that all lanes are there, and nobody else's.
template <bool whole, class D, class T = hn::TFromD<D>>
HWY_INLINE void copy_lanes(D d, hn::Mask<D> chosen, const T* from, T* to) {
  if constexpr (whole && !masks_well) {
    hn::StoreU(hn::IfThenElse(chosen, hn::LoadU(d, from), hn::LoadU(d, to)), d, to);
  } else {
    hn::BlendedStore(hn::MaskedLoad(chosen, d, from), chosen, d, to);
  }
}

/// One word of test_column.
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

/// What the word after the next few needs: three streams, each on its own pages, are more than processors foresee.
template <class T>
HWY_INLINE void prefetch_word(const T* global_ids, const T* labels, T* parents) {
  constexpr std::size_t entries_per_line = 64 / sizeof(T);
  for (std::size_t i = 0; i < 64; i += entries_per_line) {
    __builtin_prefetch(global_ids + i);
    __builtin_prefetch(labels + i);
    __builtin_prefetch(parents + i, 1);
  }
}

/// What a word of few bits needs.
template <class T>
HWY_INLINE void prefetch_wanted(const T* global_ids, const T* labels, std::uint64_t wanted) {
  for (; wanted != 0; wanted &= wanted - 1) {
    __builtin_prefetch(global_ids + std::countr_zero(wanted));
    __builtin_prefetch(labels + std::countr_zero(wanted));
  }
}

/// Of the last word some entries may not be there: columns end where vertices do.
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

/// The same; lanes of empty groups all read the first word, which is near.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> test_ids(D d, SummarizedBits frontier, V global_ids) {
  const auto groups = hn::Shr(global_ids, hn::Set(d, static_cast<T>(frontier.group_log2)));
  const auto possible = test_bits(d, frontier.summary, groups);
  if (hn::AllFalse(d, possible)) return possible;
  return hn::And(possible, test_bits(d, frontier.bits, hn::IfThenElseZero(possible, global_ids)));
}

/// Where in [next, end) the first neighbour in the frontier is; `end` if none: a vector of consecutive ones at a time,
/// eight at the most: more are gathered no faster on Zen 4, and rows end in the middle of them.
template <class T, class Bits>
HWY_INLINE std::size_t find_in_row(const T* neighbours, std::size_t next, std::size_t end, Bits frontier) {
  const hn::CappedTag<T, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; next + lanes <= end; next += lanes) {
    const auto hit = hn::FindFirstTrue(d, test_ids(d, frontier, hn::LoadU(d, neighbours + next)));
    if (hit >= 0) return next + static_cast<std::size_t>(hit);
  }
  if (lanes <= 4) {  // where vectors are no wider, masked loads read whole ones, beyond the row
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

/// Searches rows side by side for some rounds, where that is asked for, one neighbour of each a round; what is found or
/// ends makes room. What is left is searched row by row: each round reads a line of every row, and they are too many
/// for the caches (benchmarks/results/bfs.md, "Rows that are long"). With AVX2 all rows are: five times a round chosen
/// lanes come together, which takes eight of them longer than four (SSE4).
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
    if (row + ahead < count) {  // what most rows need: two lines
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
RowSearch<Neighbour>::RowSearch(std::size_t most_rows) {
  for (auto* array : {&vertices_, &nexts_, &ends_, &found_vertices_, &found_neighbours_}) {
    array->resize(most_rows + most_lanes);
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
