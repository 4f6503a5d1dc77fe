// Phases that do one thing for each element of a range.
#pragma once

#include <cstdint>

#include "gpu/phases/lanes.hpp"

namespace breadth::gpu {

/// Calls the step's `at(warp, places, there)` for places 0 .. count - 1, 32 a warp at a time; `there` says which lanes
/// have a place below `count`.
template <class Step>
struct Each : Step {
  std::uint64_t count = 0;

  template <class Warp>
  constexpr void work(const Warp& warp) const {
    const std::uint64_t stride = std::uint64_t{warp.count()} * warp_lanes;
    for (std::uint64_t first = std::uint64_t{warp.index()} * warp_lanes; first < count; first += stride) {
      const auto place = warp.wide_lane() + first;
      this->at(warp, place, place < count);
    }
  }
};

/// Warps that have 32 elements each.
constexpr std::uint64_t warps_for(std::uint64_t elements) { return (elements + warp_lanes - 1) / warp_lanes; }

/// The lower 32 bits of a number, for Warp::map.
struct LowHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value); }
};

/// The upper ones.
struct HighHalf {
  constexpr std::uint32_t operator()(std::uint64_t value) const { return static_cast<std::uint32_t>(value >> 32U); }
};

}  // namespace breadth::gpu
