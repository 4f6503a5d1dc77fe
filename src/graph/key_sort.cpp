// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/key_sort.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "graph/key_sort.hpp"
#include "simd/instruction_set.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

/// Up to version 1.0.3 Highway wants to sort eight keys of 128 bits in one vector if they fit, and cannot.
bool sorts_wide_keys() {
  constexpr std::size_t most_bytes = 64;
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>()) <= most_bytes;
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(sorts_wide_keys);

namespace {

/// Highway's sort ends the program where it may use no vectors.
template <class Key>
void sort(const hwy::Sorter& sorter, std::span<Key> keys, bool on_vectors) {
  if (keys.size() < 2) return;
  if (on_vectors && instruction_set() != InstructionSet::scalar) {
    sorter(keys.data(), keys.size(), hwy::SortAscending());
  } else {
    std::sort(keys.begin(), keys.end());
  }
}

}  // namespace

void sort_keys(const hwy::Sorter& sorter, std::span<std::uint32_t> keys) { sort(sorter, keys, true); }

void sort_keys(const hwy::Sorter& sorter, std::span<hwy::uint128_t> keys) {
  sort(sorter, keys, HWY_DYNAMIC_DISPATCH(sorts_wide_keys)());
}

}  // namespace breadth
#endif
