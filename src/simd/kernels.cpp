// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/kernels.hpp"

#include <array>
#include <bit>

#include "simd/bit_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

// Push levels: finding the unvisited neighbours.

/// Copies the unvisited neighbours without a branch, and without vectors where they do not pay.
template <class T>
HWY_INLINE std::size_t copy(const T* neighbours, std::size_t count, const std::uint64_t* visited, T* unvisited) {
  const VertexLanes<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  std::size_t i = 0;
  for (; compresses_well && i + lanes <= count; i += lanes) {
    const auto vertices = hn::LoadU(d, neighbours + i);
    const auto wanted = hn::Not(test_bits(d, visited, vertices));
    hn::StoreU(hn::Compress(vertices, wanted), d, unvisited + found);
    found += hn::CountTrue(d, wanted);
  }
  for (; i < count; ++i) {
    unvisited[found] = neighbours[i];
    found += has_bit(visited, neighbours[i]) ? 0U : 1U;
  }
  return found;
}

/// First collects the unvisited neighbours, then sets their bits and parents one by one, because two of a vector may
/// share a word.
template <class T>
std::size_t claim(const T* neighbours, std::size_t count, T label, std::uint64_t* visited, T* parents, T* claimed) {
  const std::size_t found = copy(neighbours, count, visited, claimed);
  constexpr std::size_t ahead = 96;
  for (std::size_t k = 0; k < found; ++k) {
    if (k + ahead < found) __builtin_prefetch(parents + claimed[k + ahead], 1);
    visited[claimed[k] / 64] |= std::uint64_t{1} << (claimed[k] % 64);
    parents[claimed[k]] = label;
  }
  return found;
}

constexpr auto& claim_narrow = claim<std::uint32_t>;
constexpr auto& claim_wide = claim<std::uint64_t>;
constexpr auto& copy_narrow = copy<std::uint32_t>;
constexpr auto& copy_wide = copy<std::uint64_t>;

// Rows split by owner.

/// Splits one by one where vectors do not pay, and for numbers of 64 bits, because g++ 12 may read the mask of eight
/// lanes, spilled as a byte, as eight bytes.
template <class T>
std::size_t split(const T* global_ids, std::size_t count, T above, T local_mask, T* own, T* others) {
  std::size_t owned = 0;
  std::size_t i = 0;
  if constexpr (compresses_well && sizeof(T) == sizeof(std::uint32_t)) {
    const VertexLanes<T> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto mask = hn::Set(d, local_mask);
    for (; i + lanes <= count; i += lanes) {
      const auto global_id = hn::LoadU(d, global_ids + i);
      const auto local = hn::And(global_id, mask);
      const auto is_own = hn::Eq(hn::AndNot(mask, global_id), hn::Set(d, above));
      hn::StoreU(hn::Compress(local, is_own), d, own + owned);
      hn::StoreU(hn::CompressNot(global_id, is_own), d, others + (i - owned));
      owned += hn::CountTrue(d, is_own);
    }
  }
  for (; i < count; ++i) {
    own[owned] = global_ids[i] & local_mask;
    others[i - owned] = global_ids[i];
    owned += (global_ids[i] & ~local_mask) == above ? 1U : 0U;
  }
  return owned;
}

constexpr auto& split_narrow = split<std::uint32_t>;
constexpr auto& split_wide = split<std::uint64_t>;

// Sweeps: relaxing the lightest edges of many vertices at once.

/// Processes as many vertices as D has lanes, from `first` on.
template <class D>
HWY_INLINE void pull_lanes(D d, std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t first,
                           const float* by_global_id, float* distances, std::uint32_t* parents,
                           PulledVertices& pulled) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto base = hn::Set(d, bounds.base);
  const auto before = hn::Min(hn::LoadU(d, distances + first), hn::Set(d, bounds.limit));
  auto best = before;
  auto open = hn::Gt(before, hn::Set(d, bounds.settled));
  auto parent = hn::Zero(du);
  for (const WeightedColumn& column : columns) {
    const auto weights = hn::LoadU(d, column.weights + first);
    open = hn::And(open, hn::Lt(hn::Add(base, weights), best));
    if (hn::AllFalse(d, open)) break;
    pulled.edges_examined += hn::CountTrue(d, open);
    const auto global_ids = hn::BitCast(di, hn::LoadU(du, column.global_ids + first));
    const auto candidate = hn::Add(hn::GatherIndex(d, by_global_id, global_ids), weights);
    const auto shorter = hn::And(open, hn::Lt(candidate, best));
    if (hn::AllFalse(d, shorter)) continue;
    best = hn::IfThenElse(shorter, candidate, best);
    parent = hn::IfThenElse(hn::RebindMask(du, shorter), hn::LoadU(du, column.labels + first), parent);
  }
  const auto numbers = hn::Iota(du, static_cast<std::uint32_t>(first));
  const auto improved = hn::Lt(best, before);
  if (!hn::AllFalse(d, improved)) {
    const auto improved_numbers = hn::RebindMask(du, improved);
    hn::BlendedStore(best, improved, d, distances + first);
    hn::BlendedStore(parent, improved_numbers, du, parents + first);
    pulled.improved_count += hn::CompressStore(numbers, improved_numbers, du, pulled.improved + pulled.improved_count);
  }
  if (!hn::AllFalse(d, open)) {
    pulled.unfinished_count +=
        hn::CompressStore(numbers, hn::RebindMask(du, open), du, pulled.unfinished + pulled.unfinished_count);
  }
}

/// Prefetches the distances of the neighbours in the first column for as many vertices as D has lanes; nearly all of
/// the vertices read them.
template <class D>
HWY_INLINE void prefetch_lanes(D d, const WeightedColumn& column, std::size_t first, const float* by_global_id) {
  for (std::size_t i = first; i < first + hn::Lanes(d); ++i) __builtin_prefetch(by_global_id + column.global_ids[i]);
}

void pull(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin, std::size_t end,
          const float* by_global_id, float* distances, std::uint32_t* parents, PulledVertices& pulled) {
  const hn::CappedTag<float, max_lanes> all;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(all);
  constexpr std::size_t ahead = 64;  // vertices
  for (; begin + lanes <= end; begin += lanes) {
    if (!columns.empty() && begin + ahead + lanes <= end) {
      prefetch_lanes(all, columns.front(), begin + ahead, by_global_id);
    }
    pull_lanes(all, columns, bounds, begin, by_global_id, distances, parents, pulled);
  }
  for (; begin < end; ++begin) pull_lanes(one, columns, bounds, begin, by_global_id, distances, parents, pulled);
}

// Packing the bits of a bitmap at the places that are unset in another bitmap.

#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2 && !defined(HWY_DISABLE_BMI2_FMA)
/// Moves the bits of a word at the places of a mask together.
HWY_INLINE std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) { return _pext_u64(word, mask); }
/// The inverse: moves the low bits of a word to the places of a mask.
HWY_INLINE std::uint64_t scatter_bits(std::uint64_t word, std::uint64_t mask) { return _pdep_u64(word, mask); }
#else
/// For each of six steps i, the bits of a word that move by 2^i to bring the bits of a mask together (Warren, Hacker's
/// Delight, section 7-4).
HWY_INLINE std::array<std::uint64_t, 6> moves(std::uint64_t mask) {
  std::array<std::uint64_t, 6> all;
  std::uint64_t gaps = ~mask << 1U;  // to the right of each bit
  for (unsigned i = 0; i < all.size(); ++i) {
    std::uint64_t odd = gaps;  // for each bit, whether its number of gaps is odd
    for (unsigned shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
    all[i] = odd & mask;
    mask = (mask ^ all[i]) | (all[i] >> (1U << i));
    gaps &= ~odd;
  }
  return all;
}
HWY_INLINE std::uint64_t gather_bits(std::uint64_t word, std::uint64_t mask) {
  const std::array<std::uint64_t, 6> all = moves(mask);
  word &= mask;
  for (unsigned i = 0; i < all.size(); ++i) {
    const std::uint64_t moved = word & all[i];
    word = (word ^ moved) | (moved >> (1U << i));
  }
  return word;
}
HWY_INLINE std::uint64_t scatter_bits(std::uint64_t word, std::uint64_t mask) {
  const std::array<std::uint64_t, 6> all = moves(mask);
  for (unsigned i = all.size(); i-- > 0;) {
    const std::uint64_t moved = word << (1U << i);
    word = (word & ~all[i]) | (moved & all[i]);
  }
  return word & mask;
}
#endif

void pack(const std::uint64_t* bits, const std::uint64_t* known, std::size_t words, std::uint64_t* packed) {
  std::uint64_t held = 0;
  unsigned held_bits = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t unset = ~known[i];
    const std::uint64_t more = gather_bits(bits[i], unset);
    held |= more << held_bits;
    held_bits += static_cast<unsigned>(std::popcount(unset));
    if (held_bits < 64) continue;
    *packed++ = held;
    held_bits -= 64;
    const auto left = static_cast<unsigned>(std::popcount(unset)) - held_bits;  // the bits that still fitted into the
                                                                                // full word
    held = left == 64 ? 0 : more >> left;
  }
  if (held_bits > 0) *packed = held;
}

void unpack(const std::uint64_t* packed, std::uint64_t* known, std::size_t words) {
  unsigned used_bits = 0;  // of *packed
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t unset = ~known[i];
    if (unset == 0) continue;  // there may be nothing left to read
    const auto count = static_cast<unsigned>(std::popcount(unset));
    std::uint64_t more = *packed >> used_bits;
    if (used_bits + count > 64) more |= packed[1] << (64 - used_bits);
    known[i] |= scatter_bits(more, unset);
    used_bits += count;
    packed += used_bits / 64;
    used_bits %= 64;
  }
}

std::size_t unset(const std::uint64_t* bitmap, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words; ++i) count += static_cast<std::size_t>(std::popcount(~bitmap[i]));
  return count;
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(claim_narrow);
HWY_EXPORT(claim_wide);
HWY_EXPORT(copy_narrow);
HWY_EXPORT(copy_wide);

template <>
std::size_t claim_unvisited(std::span<const std::uint32_t> neighbours, std::uint32_t label, std::uint64_t* visited,
                            std::uint32_t* parents, std::uint32_t* claimed) {
  return HWY_DYNAMIC_DISPATCH(claim_narrow)(neighbours.data(), neighbours.size(), label, visited, parents, claimed);
}

template <>
std::size_t claim_unvisited(std::span<const std::uint64_t> neighbours, std::uint64_t label, std::uint64_t* visited,
                            std::uint64_t* parents, std::uint64_t* claimed) {
  return HWY_DYNAMIC_DISPATCH(claim_wide)(neighbours.data(), neighbours.size(), label, visited, parents, claimed);
}

template <>
std::size_t copy_unvisited(std::span<const std::uint32_t> neighbours, const std::uint64_t* visited,
                           std::uint32_t* unvisited) {
  return HWY_DYNAMIC_DISPATCH(copy_narrow)(neighbours.data(), neighbours.size(), visited, unvisited);
}

template <>
std::size_t copy_unvisited(std::span<const std::uint64_t> neighbours, const std::uint64_t* visited,
                           std::uint64_t* unvisited) {
  return HWY_DYNAMIC_DISPATCH(copy_wide)(neighbours.data(), neighbours.size(), visited, unvisited);
}

HWY_EXPORT(split_narrow);
HWY_EXPORT(split_wide);

template <>
std::size_t split_row(std::span<const std::uint32_t> global_ids, OwnIds<std::uint32_t> which, std::uint32_t* own,
                      std::uint32_t* others) {
  return HWY_DYNAMIC_DISPATCH(split_narrow)(global_ids.data(), global_ids.size(), which.above, which.local_mask, own,
                                            others);
}

template <>
std::size_t split_row(std::span<const std::uint64_t> global_ids, OwnIds<std::uint64_t> which, std::uint64_t* own,
                      std::uint64_t* others) {
  return HWY_DYNAMIC_DISPATCH(split_wide)(global_ids.data(), global_ids.size(), which.above, which.local_mask, own,
                                          others);
}

HWY_EXPORT(pull);

void pull_from_columns(std::span<const WeightedColumn> columns, const SweepBounds& bounds, std::size_t begin,
                       std::size_t end, const float* by_global_id, float* distances, std::uint32_t* parents,
                       PulledVertices& pulled) {
  HWY_DYNAMIC_DISPATCH(pull)(columns, bounds, begin, end, by_global_id, distances, parents, pulled);
}

HWY_EXPORT(pack);
HWY_EXPORT(unpack);
HWY_EXPORT(unset);

std::size_t count_unset(std::span<const std::uint64_t> bitmap) {
  return HWY_DYNAMIC_DISPATCH(unset)(bitmap.data(), bitmap.size());
}

void pack_unset(std::span<const std::uint64_t> bits, std::span<const std::uint64_t> known, std::uint64_t* packed) {
  HWY_DYNAMIC_DISPATCH(pack)(bits.data(), known.data(), known.size(), packed);
}

void unpack_unset(const std::uint64_t* packed, std::span<std::uint64_t> known) {
  HWY_DYNAMIC_DISPATCH(unpack)(packed, known.data(), known.size());
}

}  // namespace breadth
#endif
