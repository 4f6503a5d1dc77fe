// One source for all vector widths: Highway compiles it for each instruction set and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "graph/build/streamed_copy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdint>

#include "graph/build/streamed_copy.hpp"

HWY_BEFORE_NAMESPACE();
namespace breadth::HWY_NAMESPACE {

void copy(const std::uint8_t* HWY_RESTRICT from, std::uint8_t* HWY_RESTRICT to, std::size_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint8_t, 64> vector;
  for (std::size_t i = 0; i < bytes; i += hn::Lanes(vector)) {
    hn::Stream(hn::Load(vector, from + i), vector, to + i);
  }
}

}  // namespace breadth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace breadth {

HWY_EXPORT(copy);

void copy_streamed(const void* from, void* to, std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy)(static_cast<const std::uint8_t*>(from), static_cast<std::uint8_t*>(to), bytes);
}

}  // namespace breadth
#endif
