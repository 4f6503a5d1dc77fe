// A device that the processor simulates, with sorting and prefix sums in its memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/memory/buffer.hpp"
#include "core/memory/memory.hpp"
#include "gpu/node_place.hpp"
#include "gpu/phases/views.hpp"
#include "gpu/simulated/simulated_grid.hpp"

namespace breadth::gpu {

/// The memory of a simulated device, which counts the allocated bytes.
class SimulatedMemory {
 public:
  explicit SimulatedMemory(std::uint64_t bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t free_bytes() const { return bytes_ - taken_; }
  /// The most bytes that were allocated at a time.
  [[nodiscard]] std::uint64_t max_taken() const { return max_taken_; }

  /// Counts this many bytes as allocated until the returned pointer is destroyed.
  [[nodiscard]] static std::shared_ptr<void> take(const std::shared_ptr<SimulatedMemory>& memory, std::uint64_t bytes) {
    if (bytes > memory->free_bytes()) fail_on_gpu("allocating memory on the GPU", "too little is free");
    memory->taken_ += bytes;
    memory->max_taken_ = std::max(memory->max_taken_, memory->taken_);
    return {nullptr, [memory, bytes](void*) { memory->taken_ -= bytes; }};
  }

 private:
  std::uint64_t bytes_;
  std::uint64_t taken_ = 0;
  std::uint64_t max_taken_ = 0;
};

/// The counterpart of CudaDevice (gpu/cuda/cuda_device.cuh) on the processor. Runs phases block by block, from the
/// middle on, and in a block warp by warp.
class SimulatedDevice {
 public:
  template <class T>
  class Array {
   public:
    Array(std::size_t size, const std::shared_ptr<SimulatedMemory>& memory)
        : values_(size), taken_(SimulatedMemory::take(memory, size * sizeof(T))) {}
    [[nodiscard]] ArrayView<T> view() { return {values_.data(), values_.size()}; }
    [[nodiscard]] ArrayView<const T> constant() const { return {values_.data(), values_.size()}; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return values_.size() * sizeof(T); }
    [[nodiscard]] std::span<T> span() { return values_.span(); }
    [[nodiscard]] std::span<const T> span() const { return values_.span(); }

   private:
    Buffer<T> values_;
    std::shared_ptr<void> taken_;
  };

  /// An array in the memory of the host, for copies to and from a device.
  template <class T>
  class HostArray {
   public:
    explicit HostArray(std::size_t size) : values_(size) {}
    [[nodiscard]] std::span<T> span() { return values_.span(); }

   private:
    Buffer<T> values_;
  };

  /// Copies of a device share its memory.
  SimulatedDevice() : SimulatedDevice(std::make_shared<SimulatedMemory>(available_memory_bytes())) {}
  explicit SimulatedDevice(std::shared_ptr<SimulatedMemory> memory) : memory_(std::move(memory)) {}

  [[nodiscard]] std::string name() const { return "a simulated GPU"; }
  [[nodiscard]] std::uint64_t free_bytes() const { return memory_->free_bytes(); }
  /// Reserves nothing, and returns `bytes`.
  [[nodiscard]] std::uint64_t reserve(std::uint64_t bytes) const { return bytes; }

  template <class T>
  [[nodiscard]] Array<T> allocate(std::size_t size) const {
    return Array<T>(size, memory_);
  }
  template <class T>
  [[nodiscard]] HostArray<T> host_array(std::size_t size) const {
    return HostArray<T>(size);
  }
  template <class T>
  void copy_in(std::span<const T> values, const ArrayView<T>& array) const {
    if (values.size() > array.size) throw std::logic_error("a copy reaches outside of an array");
    std::copy(values.begin(), values.end(), array.data);
  }
  template <class T>
  void copy(const ArrayView<const T>& from, const ArrayView<T>& to) const {
    copy_in(std::span(from.data, from.size), to);
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

  /// Launches a phase with `warps` warps, or as many as the device has if those are fewer.
  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    constexpr std::uint64_t in_block = simulated_warps_in_block;
    const auto blocks =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>((warps + in_block - 1) / in_block, 1, simulated_blocks));
    for (std::uint32_t i = 0; i < blocks; ++i) run_block(phase, (i + blocks / 2) % blocks, blocks);
  }
  /// Runs a whole program in one launch.
  template <class Program>
  void run(const Program& program) const {
    SimulatedGrid grid;
    program.run(grid);
  }

 private:
  std::shared_ptr<SimulatedMemory> memory_;
};

/// The counterpart of CudaAlgorithms (gpu/cuda/cuda_algorithms.cuh) by the standard library.
struct SimulatedAlgorithms {
  using Keys = SimulatedDevice::Array<std::uint64_t>;

  /// Sorts the first `count` keys, which are below 2^bits. Overwrites `spare`, which has the same size.
  static void sort(Keys& keys, Keys& spare, std::uint64_t count, std::uint32_t bits) {
    const std::span sorted = keys.span().first(count);
    if (spare.size() < count) throw std::logic_error("there is no room to sort in");
    for (const std::uint64_t key : sorted) {
      if (bits < 64 && key >> bits != 0) throw std::logic_error("a key has more bits than are sorted by");
    }
    std::sort(sorted.begin(), sorted.end());
  }
  /// Removes duplicates from the first `count` keys, which are sorted. Returns the number of distinct keys.
  static std::uint64_t unique(Keys& keys, Keys& spare, std::uint64_t count) {
    const std::span sorted = keys.span().first(count);
    const auto end = std::unique_copy(sorted.begin(), sorted.end(), spare.span().begin());
    std::swap(keys, spare);
    return static_cast<std::uint64_t>(end - keys.span().begin());
  }
  /// Writes the exclusive prefix sums: sums[i] is the sum of the values before i. `sums` may be the array of the
  /// values.
  template <class Value, class Sum>
  static void exclusive_sums(const ArrayView<Value>& values, const ArrayView<Sum>& sums) {
    if (sums.size < values.size) throw std::logic_error("there is no room for the sums");
    std::exclusive_scan(values.data, values.data + values.size, sums.data, Sum{0});
  }
};

}  // namespace breadth::gpu
