// Vector look-ups in bitmaps: included once for each instruction set by the sources that Highway dispatches.
#if defined(BREADTH_SIMD_BIT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BREADTH_SIMD_BIT_LANES
#undef BREADTH_SIMD_BIT_LANES
#else
#define BREADTH_SIMD_BIT_LANES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "simd/frontier.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
static_assert(std::endian::native == std::endian::little, "bitmaps of 64-bit words are read in pieces");

/// A vector of vertex numbers.
template <class T>
using VertexLanes = hn::CappedTag<T, max_lanes>;

/// Whether hn::Compress pays. Without instructions for it, in SSE4 and AVX2, it takes longer than a loop over the lanes
/// (benchmarks/results/ablation.md, "Kernel by kernel").
inline constexpr bool compresses_well = HWY_TARGET != HWY_SSE4 && HWY_TARGET != HWY_AVX2;

/// The lanes whose number is in the bitmap.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> test_bits(D d, const std::uint64_t* bitmap, V numbers) {
  constexpr int bits_log2 = sizeof(T) == 4 ? 5 : 6;
  const auto index = hn::BitCast(hn::RebindToSigned<D>(), hn::ShiftRight<bits_log2>(numbers));
  const auto words = hn::GatherIndex(d, reinterpret_cast<const T*>(bitmap), index);
  const auto bit = hn::Shl(hn::Set(d, T{1}), hn::And(numbers, hn::Set(d, T{sizeof(T) * 8 - 1})));
  return hn::TestBit(words, bit);
}

/// Whether one number is in the bitmap, for the rest that does not fill a vector.
template <class T>
HWY_INLINE bool has_bit(const std::uint64_t* bitmap, T number) {
  return ((bitmap[number / 64] >> (number % 64)) & 1U) != 0;
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
