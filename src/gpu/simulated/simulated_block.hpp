// A block of warps that the processor plays.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/simulated/lockstep_warp.hpp"

namespace breadth::gpu {

/// Few, so that each has to come back for more.
inline constexpr std::uint32_t simulated_warps_in_block = 4;
inline constexpr std::uint32_t simulated_blocks = 7;

/// Runs a phase's warps of one block, one of `blocks`, one after the other.
template <class Phase>
void run_block(const Phase& phase, std::uint32_t block, std::uint32_t blocks) {
  constexpr std::uint32_t warps = simulated_warps_in_block;
  std::vector<std::uint32_t> shared;
  const auto each_warp = [&](auto&& body) {
    for (std::uint32_t i = 0; i < warps; ++i) {
      body(LockStepWarp({.index = block * warps + i, .count = blocks * warps, .in_block = i, .block = warps}, shared));
    }
  };
  if constexpr (requires { phase.shared_words(); }) {
    shared.assign(phase.shared_words(), 0);
    each_warp([&](const LockStepWarp& warp) { phase.prepare(warp); });
  }
  each_warp([&](const LockStepWarp& warp) { phase.work(warp); });
}

}  // namespace breadth::gpu
