// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/split_row.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/bit_lanes-inl.h"
#include "simd/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

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

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

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

}  // namespace breadth
#endif
