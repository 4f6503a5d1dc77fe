// A GPU, its memory and its launches.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "gpu/array_view.hpp"
#include "gpu/cuda_devices.cuh"
#include "gpu/cuda_grid.cuh"
#include "gpu/cuda_warp.cuh"
#include "gpu/gpu_error.hpp"
#include "gpu/node_place.hpp"
#include "gpu/views.hpp"

namespace breadth::gpu {

namespace detail {
inline constexpr int threads_in_block = 512;
/// Memory that a block's warps share lets few blocks run at once, so each has as many warps as there may be.
inline constexpr int threads_in_prepared_block = 1024;

/// A phase without shared memory.
template <class Phase>
__global__ void __launch_bounds__(threads_in_block) run_phase(const Phase phase) {
  phase.work(CudaWarp(nullptr, blockIdx.x, gridDim.x));
}

/// A phase whose blocks prepare memory that their warps share.
template <class Phase>
__global__ void __launch_bounds__(threads_in_prepared_block) run_prepared_phase(const Phase phase) {
  extern __shared__ std::uint32_t shared[];
  const CudaWarp warp(shared, blockIdx.x, gridDim.x);
  phase.prepare(warp);
  __syncthreads();
  phase.work(warp);
}

/// A program of many phases, whose blocks are all on the GPU at the same time.
template <class Program>
__global__ void __launch_bounds__(threads_in_prepared_block) run_program(const Program program) {
  extern __shared__ std::uint32_t shared[];
  CudaGrid grid(shared, blockIdx.x, gridDim.x);
  program.run(grid);
}
}  // namespace detail

/// One of the GPUs that this process may use. Everything is in the order of one stream. Whatever GPU the thread has
/// chosen before, this one is chosen from each call on.
class CudaDevice {
 public:
  /// Elements in the memory of the GPU. Owns them.
  template <class T>
  class Array {
   public:
    explicit Array(std::size_t size) : size_(size) {
      if (size > 0) require_success(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()), "taking memory");
    }
    Array(Array&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Array& operator=(Array&& other) noexcept {
      std::swap(data_, other.data_);
      std::swap(size_, other.size_);
      return *this;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { (void)cudaFree(data_); }

    [[nodiscard]] ArrayView<T> view() { return {data_, size_}; }
    [[nodiscard]] ArrayView<const T> constant() const { return {data_, size_}; }
    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return size_ * sizeof(T); }

   private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
  };

  /// Elements in the memory of the host, which stays where it is, so that the GPU copies it by itself.
  template <class T>
  class HostArray {
   public:
    explicit HostArray(std::size_t size) : size_(size) {
      if (size > 0) {
        require_success(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)), "taking memory for copies");
      }
    }
    HostArray(HostArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    HostArray(const HostArray&) = delete;
    HostArray& operator=(const HostArray&) = delete;
    HostArray& operator=(HostArray&&) = delete;
    ~HostArray() { (void)cudaFreeHost(data_); }

    [[nodiscard]] std::span<T> span() { return {data_, size_}; }

   private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
  };

  /// The one that is this rank's. Throws Error where there is none.
  explicit CudaDevice(const NodePlace& place = {}) : number_(static_cast<int>(place.gpu)) {
    if (place.gpu >= count_gpus()) fail_on_gpu("looking for a GPU", "there are too few");
    choose();
    require_success(cudaGetDeviceProperties(&properties_, number_), "asking for its properties");
  }

  [[nodiscard]] std::string name() const { return properties_.name; }
  [[nodiscard]] std::uint64_t free_bytes() const {
    choose();
    std::size_t free = 0;
    std::size_t total = 0;
    require_success(cudaMemGetInfo(&free, &total), "asking for its memory");
    return free;
  }
  /// As much as a block may have, at the most for the 2^20 most connected vertices: nearly all look-ups are for those.
  [[nodiscard]] std::uint32_t shared_words() const {
    constexpr std::size_t most_words = (std::size_t{1} << 20U) / bits_per_word;
    return static_cast<std::uint32_t>(std::min(most_words, properties_.sharedMemPerBlockOptin / sizeof(std::uint32_t)));
  }

  template <class T>
  [[nodiscard]] Array<T> allocate(std::size_t size) const {
    choose();
    return Array<T>(size);
  }
  template <class T>
  [[nodiscard]] HostArray<T> host_array(std::size_t size) const {
    choose();
    return HostArray<T>(size);
  }
  template <class T>
  [[nodiscard]] Array<T> copy_of(std::span<const T> values) const {
    choose();
    Array<T> copy(values.size());
    if (values.empty()) return copy;
    require_success(cudaMemcpy(copy.data(), values.data(), copy.bytes(), cudaMemcpyHostToDevice), "copying to memory");
    return copy;
  }
  template <class T>
  void copy_in(std::span<const T> values, const ArrayView<T>& array) const {
    if (values.empty()) return;
    choose();
    require_success(cudaMemcpy(array.data, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
                    "copying to memory");
  }
  template <class T>
  void copy(const ArrayView<const T>& from, const ArrayView<T>& to) const {
    if (from.size == 0) return;
    choose();
    require_success(cudaMemcpyAsync(to.data, from.data, from.size * sizeof(T), cudaMemcpyDeviceToDevice), "a copy");
  }
  /// After everything that was launched before.
  template <class T>
  void copy_out(const ArrayView<const T>& array, std::span<T> values) const {
    if (array.size == 0) return;
    choose();
    require_success(cudaMemcpy(values.data(), array.data, array.size * sizeof(T), cudaMemcpyDeviceToHost), "a phase");
  }
  /// One element, after everything that was launched before.
  template <class T>
  [[nodiscard]] std::remove_const_t<T> read(const ArrayView<T>& array, std::uint64_t index) const {
    choose();
    std::remove_const_t<T> value;
    require_success(cudaMemcpy(&value, array.data + index, sizeof(T), cudaMemcpyDeviceToHost), "a phase");
    return value;
  }
  template <class T>
  void write(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    choose();
    require_success(cudaMemcpy(array.data + index, &value, sizeof(T), cudaMemcpyHostToDevice), "copying to memory");
  }
  template <class T>
  void clear(const ArrayView<T>& array) const {
    if (array.size == 0) return;
    choose();
    require_success(cudaMemsetAsync(array.data, 0, array.size * sizeof(T)), "clearing memory");
  }
  void wait() const {
    choose();
    require_success(cudaDeviceSynchronize(), "a phase");
  }

  /// As many warps as there is work for, or as run at the same time.
  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    choose();
    if constexpr (requires { phase.shared_words(); }) {
      launch_kernel(detail::run_prepared_phase<Phase>, phase, detail::threads_in_prepared_block,
                    phase.shared_words() * sizeof(std::uint32_t), warps);
    } else {
      launch_kernel(detail::run_phase<Phase>, phase, detail::threads_in_block, 0, warps);
    }
  }

  /// A whole program in one launch, on as many blocks as run at the same time, since they wait for each other.
  template <class Program>
  void run(const Program& program) const {
    if (properties_.cooperativeLaunch == 0) {
      fail_on_gpu("a program of its own on the GPU",
                  "its blocks cannot wait for each other; --device-control host can do without");
    }
    choose();
    const auto kernel = detail::run_program<Program>;
    const std::size_t shared_bytes = program.shared_words() * sizeof(std::uint32_t);
    const std::uint64_t blocks = blocks_at_once(kernel, detail::threads_in_prepared_block, shared_bytes);
    Program copy = program;
    void* arguments[] = {&copy};
    require_success(cudaLaunchCooperativeKernel(kernel, static_cast<unsigned>(blocks),
                                                detail::threads_in_prepared_block, arguments, shared_bytes),
                    "a launch");
  }

 private:
  void choose() const { require_success(cudaSetDevice(number_), "choosing one"); }

  template <class Phase>
  void launch_kernel(void (*kernel)(Phase), const Phase& phase, int threads, std::size_t shared_bytes,
                     std::uint64_t warps) const {
    const std::uint64_t most = blocks_at_once(kernel, threads, shared_bytes);
    const std::uint64_t warps_in_block = static_cast<unsigned>(threads) / warp_lanes;
    const std::uint64_t blocks = std::clamp<std::uint64_t>((warps + warps_in_block - 1) / warps_in_block, 1, most);
    kernel<<<static_cast<unsigned>(blocks), threads, shared_bytes>>>(phase);
    require_success(cudaGetLastError(), "a launch");
  }

  /// Blocks of a kernel that the GPU has room for at the same time; the kernel may take so much shared memory then.
  template <class Argument>
  [[nodiscard]] std::uint64_t blocks_at_once(void (*kernel)(Argument), int threads, std::size_t shared_bytes) const {
    if (shared_bytes > 0) {
      const auto bytes = static_cast<int>(shared_bytes);
      require_success(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                      "taking shared memory");
    }
    int at_once = 0;
    require_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, threads, shared_bytes),
                    "planning a launch");
    return static_cast<std::uint64_t>(at_once) * static_cast<std::uint64_t>(properties_.multiProcessorCount);
  }

  int number_;
  cudaDeviceProp properties_{};
};

}  // namespace breadth::gpu
