// A simulated device whose warps are interleaved at any access to memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <source_location>
#include <type_traits>

#include "gpu/node_place.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/simulated/simulated_device.hpp"
#include "gpu/simulated/simulated_grid.hpp"
#include "interleaving.hpp"

namespace breadth::gpu {

/// Enough for every kind of meeting: warps of one block, warps of a block that runs alone, and warps of two other
/// blocks.
inline constexpr std::uint32_t interleaved_blocks = 3;
inline constexpr std::uint32_t interleaved_warps_in_block = 2;

/// The grid that a program (SearchControl) uses, as CudaGrid (gpu/cuda/cuda_grid.cuh) on a GPU. Each warp has its own
/// grid object, and follows the program by itself.
class InterleavedGrid {
 public:
  using Place = std::source_location;

  /// A grid of `blocks` blocks.
  InterleavedGrid(Interleaving::Warp& warp, std::uint32_t blocks) : warp_(warp), blocks_(blocks) {}

  template <class Phase>
  void run(const Phase& phase, std::uint64_t /*warps*/) const {
    phase.work(LockStepWarp({.index = index(), .count = blocks_ * interleaved_warps_in_block}, &warp_));
  }
  template <class T>
  void clear(const ArrayView<T>& array) const {
    warp_.before_access();
    for (std::uint64_t i = index(); i < array.size; i += std::uint64_t{blocks_} * interleaved_warps_in_block) {
      array.data[i] = T{0};
    }
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    warp_.before_access();
    return program_place(array, index);
  }
  template <class T>
  void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    warp_.before_access();
    if (warp_.block() == 0 && warp_.index_in_block() == 0) program_place(array, index) = value;
  }
  void sync(const Place& place = Place::current()) const {
    if (blocks_ == 1) {
      warp_.wait_for_block(place);
    } else {
      warp_.wait_for_grid(place);
    }
  }

  [[nodiscard]] InterleavedGrid alone() const { return {warp_, 1}; }
  [[nodiscard]] bool works() const { return warp_.block() == 0; }
  template <class State>
  void join(const ArrayView<State>& where, State& state, const Place& place = Place::current()) const {
    store(where, 0, state);
    sync(place);
    state = load(where, 0);
  }

  [[nodiscard]] std::uint64_t nanoseconds() const { return host_nanoseconds(); }

 private:
  [[nodiscard]] std::uint32_t index() const {
    return warp_.block() * interleaved_warps_in_block + warp_.index_in_block();
  }

  Interleaving::Warp& warp_;
  std::uint32_t blocks_;
};

/// A SimulatedDevice whose launches interleave warps, each launch with a new seed.
class InterleavedDevice : public SimulatedDevice {
 public:
  explicit InterleavedDevice(std::uint64_t seed) : seed_(seed) {}

  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    const std::uint64_t wanted = (warps + interleaved_warps_in_block - 1) / interleaved_warps_in_block;
    const auto blocks = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, interleaved_blocks));
    interleave(blocks, [&](const InterleavedGrid& grid) { grid.run(phase, warps); });
  }
  template <class Program>
  void run(const Program& program) const {
    interleave(interleaved_blocks, [&](InterleavedGrid& grid) { program.run(grid); });
  }

 private:
  template <class Body>
  void interleave(std::uint32_t blocks, const Body& body) const {
    Interleaving warps(blocks, interleaved_warps_in_block, seed_++);
    warps.run([&](Interleaving::Warp& warp) {
      InterleavedGrid grid(warp, blocks);
      body(grid);
    });
  }

  mutable std::uint64_t seed_;  ///< for the next launch
};

}  // namespace breadth::gpu
