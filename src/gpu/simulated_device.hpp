// A device that the processor plays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "core/buffer.hpp"
#include "core/memory.hpp"
#include "gpu/array_view.hpp"
#include "gpu/simulated_block.hpp"
#include "gpu/simulated_grid.hpp"

namespace breadth::gpu {

/// Runs phases block by block, from the middle on, and in a block warp by warp. What CudaDevice (gpu/cuda_device.cuh)
/// does on a GPU.
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
  void copy_out(const ArrayView<const T>& array, std::span<T> values) const {
    std::copy(array.data, array.data + array.size, values.begin());
  }
  template <class T>
  [[nodiscard]] std::remove_const_t<T> read(const ArrayView<T>& array, std::uint64_t index) const {
    return array.data[index];
  }
  template <class T>
  void write(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    array.data[index] = value;
  }
  template <class T>
  void clear(const ArrayView<T>& array) const {
    std::fill(array.data, array.data + array.size, T{0});
  }
  void wait() const {}

  /// As many warps as there is work for, or as there are.
  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    constexpr std::uint64_t in_block = simulated_warps_in_block;
    const auto blocks =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>((warps + in_block - 1) / in_block, 1, simulated_blocks));
    for (std::uint32_t i = 0; i < blocks; ++i) run_block(phase, (i + blocks / 2) % blocks, blocks);
  }
  /// A whole program in one launch.
  template <class Program>
  void run(const Program& program) const {
    SimulatedGrid grid;
    program.run(grid);
  }

 private:
  std::uint32_t shared_words_;
};

}  // namespace breadth::gpu
