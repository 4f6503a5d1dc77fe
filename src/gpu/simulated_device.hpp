// A device that the processor plays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "core/memory.hpp"
#include "gpu/array_view.hpp"
#include "gpu/lockstep_warp.hpp"

namespace breadth::gpu {

/// Runs phases block by block, from the middle on, and in a block warp by warp: few warps,
/// so that each has to come back for more. What CudaDevice (gpu/cuda_device.cuh) does on a GPU.
class SimulatedDevice {
 public:
  template <class T>
  class Array {
   public:
    explicit Array(std::size_t size) : values_(size) {}
    [[nodiscard]] ArrayView<T> view() { return {values_.data(), values_.size()}; }
    [[nodiscard]] ArrayView<const T> constant() const { return {values_.data(), values_.size()}; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return values_.size() * sizeof(T); }
    [[nodiscard]] std::span<T> span() { return values_.span(); }
    [[nodiscard]] std::span<const T> span() const { return values_.span(); }

   private:
    Buffer<T> values_;
  };

  /// Of the memory that a block shares, as many words as a search may use.
  explicit SimulatedDevice(std::uint32_t shared_words) : shared_words_(shared_words) {}

  [[nodiscard]] std::string name() const { return "a simulated GPU"; }
  [[nodiscard]] std::uint64_t free_bytes() const { return available_memory_bytes(); }
  [[nodiscard]] std::uint32_t shared_words() const { return shared_words_; }

  template <class T>
  [[nodiscard]] Array<T> allocate(std::size_t size) const {
    return Array<T>(size);
  }
  template <class T>
  [[nodiscard]] Array<T> copy_of(std::span<const T> values) const {
    Array<T> copy(values.size());
    std::copy(values.begin(), values.end(), copy.span().begin());
    return copy;
  }
  template <class T>
  void copy_out(const Array<T>& array, std::span<T> values) const {
    std::copy(array.span().begin(), array.span().end(), values.begin());
  }
  template <class T>
  void clear(Array<T>& array) const {
    std::fill(array.span().begin(), array.span().end(), T{0});
  }
  void wait() const {}

  /// As many warps as there is work for, or as there are.
  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    const auto blocks = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>((warps + warps_in_block - 1) / warps_in_block, 1, most_blocks));
    for (std::uint32_t i = 0; i < blocks; ++i) run_block(phase, (i + blocks / 2) % blocks, blocks);
  }

 private:
  static constexpr std::uint32_t warps_in_block = 4;
  static constexpr std::uint32_t most_blocks = 7;

  template <class Phase>
  static void run_block(const Phase& phase, std::uint32_t block, std::uint32_t blocks) {
    std::vector<std::uint32_t> shared;
    const auto each_warp = [&](auto&& body) {
      for (std::uint32_t i = 0; i < warps_in_block; ++i) {
        body(LockStepWarp({.index = block * warps_in_block + i,
                           .count = blocks * warps_in_block,
                           .in_block = i,
                           .block = warps_in_block},
                          shared));
      }
    };
    if constexpr (requires { phase.shared_words(); }) {
      shared.assign(phase.shared_words(), 0);
      each_warp([&](const LockStepWarp& warp) { phase.prepare(warp); });
    }
    each_warp([&](const LockStepWarp& warp) { phase.work(warp); });
  }

  std::uint32_t shared_words_;
};

}  // namespace breadth::gpu
