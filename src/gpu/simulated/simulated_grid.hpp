// All threads of a launch that follow one program, and a block of their warps, as the processor plays them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "gpu/phases/views.hpp"
#include "gpu/simulated/lockstep_warp.hpp"

namespace breadth::gpu {

// A block of warps.

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

// All threads of a launch.

/// What a program (SearchControl) may ask for. Phases wait for the next `sync`; then each block, from another one on
/// each time, carries out all of them, as far ahead of the others as a block on a GPU can get. A program that reads
/// what is not complete yet is refused: std::logic_error.
class SimulatedGrid {
 public:
  explicit SimulatedGrid(std::uint32_t blocks = simulated_blocks) : blocks_(blocks) {}

  template <class Phase>
  void run(const Phase& phase, std::uint64_t /*warps*/) {
    waiting_.push_back([phase, blocks = blocks_](std::uint32_t block) { run_block(phase, block, blocks); });
  }
  template <class T>
  void clear(const ArrayView<T>& array) {
    waiting_.push_back([array, blocks = blocks_](std::uint32_t block) {
      for (std::uint64_t i = block; i < array.size; i += blocks) array.data[i] = T{0};
    });
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    if constexpr (!std::is_const_v<T>) {
      if (!waiting_.empty()) throw std::logic_error("a program reads before the phases are done");
    }
    return place_in(array, index);
  }
  template <class T>
  void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    place_in(array, index) = value;
  }
  /// The first block, which has the most to do in a small graph, is never the first to run.
  void sync() {
    const std::uint32_t first = blocks_ == 1 ? 0 : 1 + syncs_++ % (blocks_ - 1);
    for (std::uint32_t i = 0; i < blocks_; ++i) {
      for (const auto& phase : waiting_) phase((i + first) % blocks_);
    }
    waiting_.clear();
  }

  [[nodiscard]] SimulatedGrid alone() const { return SimulatedGrid(1); }
  [[nodiscard]] bool works() const { return true; }
  template <class State>
  void join(const ArrayView<State>& place, State& state) {
    store(place, 0, state);
    sync();
    state = load(place, 0);
  }

  [[nodiscard]] std::uint64_t nanoseconds() const {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
  }

 private:
  template <class T>
  static T& place_in(const ArrayView<T>& array, std::uint64_t index) {
    if (index >= array.size) throw std::logic_error("a program reaches outside of an array");
    return array.data[index];
  }

  std::uint32_t blocks_;
  std::uint32_t syncs_ = 0;
  std::vector<std::function<void(std::uint32_t)>> waiting_;  ///< each for one block
};

}  // namespace breadth::gpu
