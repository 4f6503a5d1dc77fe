#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/label_gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "simd/label_gather.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Table entries are met in a few dozen rising streams (graph/degree_order.hpp), which only the indices tell: every
/// fourth of those to come is enough to have each line on its way.
void gather(const std::uint32_t* indices, std::size_t count, const std::uint32_t* table, std::uint32_t last,
            std::uint32_t* values) {
  constexpr std::size_t ahead = 512;
  constexpr std::size_t every = 4;
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> signed_d;
  const std::size_t lanes = hn::Lanes(d);
  const auto cap = hn::Set(d, last);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t k = i + ahead; k < std::min(i + ahead + lanes, count); k += every) {
      __builtin_prefetch(table + std::min(indices[k], last));
    }
    const auto index = hn::Min(hn::LoadU(d, indices + i), cap);
    hn::StoreU(hn::GatherIndex(d, table, hn::BitCast(signed_d, index)), d, values + i);
  }
  for (; i < count; ++i) values[i] = table[std::min(indices[i], last)];
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(gather);

void gather_capped(std::span<const std::uint32_t> indices, const std::uint32_t* table, std::uint32_t last,
                   std::uint32_t* values) {
  HWY_DYNAMIC_DISPATCH(gather)(indices.data(), indices.size(), table, last, values);
}

}  // namespace breadth
#endif
