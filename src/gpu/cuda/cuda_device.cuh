// A GPU, its memory and its launches.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "gpu/cuda/cuda_devices.cuh"
#include "gpu/cuda/cuda_grid.cuh"
#include "gpu/node_place.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

namespace detail {
inline constexpr int threads_in_block = 512;
/// Threads in a block of a program. At 64 registers per thread, they take all registers of a multiprocessor.
inline constexpr int threads_in_program_block = 1024;

template <class Phase>
__global__ void __launch_bounds__(threads_in_block) run_phase(const Phase phase) {
  phase.work(CudaWarp(blockIdx.x, gridDim.x));
}

/// A program of many phases. All its blocks run on the GPU at the same time.
template <class Program>
__global__ void __launch_bounds__(threads_in_program_block) run_program(const Program program) {
  CudaGrid grid(blockIdx.x, gridDim.x);
  program.run(grid);
}
}  // namespace detail

/// The allocator of arrays: the default pool of the thread's current GPU, which keeps freed memory, or CUDA's allocator
/// itself.
class CudaMemory {
 public:
  /// Uses CUDA's allocator. MPI libraries need this memory, which other processes and libraries can access.
  CudaMemory() = default;
  /// Uses the pool, if the GPU has one.
  static CudaMemory of_pool() {
    CudaMemory memory;
    int pools = 0;
    require_success(cudaGetDevice(&memory.number_), "finding the current device");
    require_success(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, memory.number_),
                    "asking whether it has memory pools");
    if (pools == 0) return memory;
    require_success(cudaDeviceGetDefaultMemPool(&memory.pool_, memory.number_), "asking for its pool");
    std::uint64_t kept = std::numeric_limits<std::uint64_t>::max();
    require_success(cudaMemPoolSetAttribute(memory.pool_, cudaMemPoolAttrReleaseThreshold, &kept),
                    "setting the size of its memory pool");
    return memory;
  }

  /// Allocates memory. If the pool is too fragmented, returns its unused memory to CUDA and tries again.
  [[nodiscard]] void* take(std::size_t bytes) const {
    void* data = nullptr;
    cudaError_t status = try_to_take(&data, bytes);
    if (status == cudaErrorMemoryAllocation && pool_ != nullptr) {
      (void)cudaGetLastError();
      require_success(cudaStreamSynchronize(stream), "a phase");
      require_success(cudaMemPoolTrimTo(pool_, 0), "freeing memory");
      status = try_to_take(&data, bytes);
    }
    require_success(status, "allocating memory");
    return data;
  }
  void give_back(void* data) const {
    if (pool_ == nullptr) {
      (void)cudaFree(data);
      return;
    }
    (void)cudaSetDevice(number_);  // the GPU of the stream
    (void)cudaFreeAsync(data, stream);
  }

  /// Bytes that can be allocated, including the unused memory of the pool.
  [[nodiscard]] std::uint64_t free_bytes() const {
    std::uint64_t held = 0;
    std::uint64_t used = 0;
    if (pool_ != nullptr) {
      require_success(cudaStreamSynchronize(stream), "a phase");  // memory freed before is then available
      require_success(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &held), "asking for its pool");
      require_success(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used), "asking for its pool");
    }
    std::size_t free = 0;
    std::size_t total = 0;
    require_success(cudaMemGetInfo(&free, &total), "asking for its free memory");
    return free + (held - std::min(held, used));
  }

  /// Makes the pool hold this many bytes for later allocations. Returns the number, 0 if there is no pool or not enough
  /// memory.
  [[nodiscard]] std::uint64_t reserve(std::uint64_t bytes) const {
    if (pool_ == nullptr || bytes == 0) return 0;
    void* data = nullptr;
    const cudaError_t status = try_to_take(&data, bytes);
    if (status == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return 0;
    }
    require_success(status, "allocating memory");
    give_back(data);
    require_success(cudaStreamSynchronize(stream), "a phase");
    return bytes;
  }

 private:
  static constexpr cudaStream_t stream = nullptr;  ///< the stream of all operations here

  [[nodiscard]] cudaError_t try_to_take(void** data, std::size_t bytes) const {
    return pool_ != nullptr ? cudaMallocFromPoolAsync(data, bytes, pool_, stream) : cudaMalloc(data, bytes);
  }

  cudaMemPool_t pool_ = nullptr;
  int number_ = 0;  ///< the GPU of the pool
};

/// One of the GPUs that this process may use. All operations are in the order of one stream. Each call makes this GPU
/// the thread's current one.
class CudaDevice {
 public:
  /// An array in the memory of the GPU, which it owns.
  template <class T>
  class Array {
   public:
    Array(std::size_t size, const CudaMemory& memory)
        : data_(size > 0 ? static_cast<T*>(memory.take(size * sizeof(T))) : nullptr, {memory}), size_(size) {}

    [[nodiscard]] ArrayView<T> view() { return {data(), size_}; }
    [[nodiscard]] ArrayView<const T> constant() const { return {data(), size_}; }
    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return size_ * sizeof(T); }

   private:
    struct GiveBack {
      CudaMemory memory;
      void operator()(T* data) const { memory.give_back(data); }
    };
    std::unique_ptr<T, GiveBack> data_;
    std::size_t size_;
  };

  /// An array in pinned memory of the host, which the GPU copies by itself.
  template <class T>
  class HostArray {
   public:
    explicit HostArray(std::size_t size) : size_(size) {
      void* data = nullptr;
      if (size > 0) require_success(cudaMallocHost(&data, size * sizeof(T)), "allocating host memory for copies");
      data_.reset(static_cast<T*>(data));
    }
    [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }

   private:
    struct Free {
      void operator()(T* data) const { (void)cudaFreeHost(data); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_;
  };

  /// The first GPU, for a process that is the only rank. Memory comes from a pool. Throws Error if there is no GPU.
  CudaDevice() : CudaDevice(NodePlace()) { memory_ = CudaMemory::of_pool(); }
  /// The GPU of this rank, one of several. Throws Error if there is no GPU.
  explicit CudaDevice(const NodePlace& place) : number_(static_cast<int>(place.gpu)) {
    if (place.gpu >= count_gpus()) fail_on_gpu("looking for a GPU", "there are too few for the ranks of this node");
    choose();
    require_success(cudaGetDeviceProperties(&properties_, number_), "asking for its properties");
  }

  [[nodiscard]] std::string name() const { return properties_.name; }
  [[nodiscard]] std::uint64_t free_bytes() const {
    choose();
    return memory_.free_bytes();
  }
  /// Reserves memory, so that later allocations do not wait for the driver. Returns the bytes that are now held.
  std::uint64_t reserve(std::uint64_t bytes) const {
    choose();
    return memory_.reserve(bytes);
  }
  template <class T>
  [[nodiscard]] Array<T> allocate(std::size_t size) const {
    choose();
    return Array<T>(size, memory_);
  }
  template <class T>
  [[nodiscard]] HostArray<T> host_array(std::size_t size) const {
    choose();
    return HostArray<T>(size);
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
  /// Copies an array to the host, after all previous launches.
  template <class T>
  void copy_out(const ArrayView<const T>& array, std::span<T> values) const {
    if (array.size == 0) return;
    choose();
    require_success(cudaMemcpy(values.data(), array.data, array.size * sizeof(T), cudaMemcpyDeviceToHost), "a phase");
  }
  /// Reads one element, after all previous launches.
  template <class T>
  [[nodiscard]] std::remove_const_t<T> read(const ArrayView<T>& array, std::uint64_t index) const {
    std::remove_const_t<T> value;
    copy_out(ArrayView<const T>{array.data + index, 1}, std::span(&value, 1));
    return value;
  }
  template <class T>
  void write(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    copy_in(std::span(&value, 1), array.part(index, 1));
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

  /// Launches a phase with `warps` warps, or as many as run at the same time if those are fewer.
  template <class Phase>
  void launch(const Phase& phase, std::uint64_t warps) const {
    choose();
    const auto kernel = detail::run_phase<Phase>;
    constexpr std::uint64_t warps_in_block = detail::threads_in_block / warp_lanes;
    const std::uint64_t most = blocks_at_once(kernel, detail::threads_in_block);
    const std::uint64_t blocks = std::clamp<std::uint64_t>((warps + warps_in_block - 1) / warps_in_block, 1, most);
    kernel<<<static_cast<unsigned>(blocks), detail::threads_in_block>>>(phase);
    require_success(cudaGetLastError(), "a launch");
  }

  /// Runs a whole program in one launch, on as many blocks as run at the same time, because they wait for each other.
  template <class Program>
  void run(const Program& program) const {
    if (properties_.cooperativeLaunch == 0) {
      fail_on_gpu("a search in one launch on the GPU",
                  "its blocks cannot wait for each other; use --device-control host");
    }
    choose();
    const auto kernel = detail::run_program<Program>;
    const std::uint64_t blocks = blocks_at_once(kernel, detail::threads_in_program_block);
    Program copy = program;
    void* arguments[] = {&copy};
    require_success(
        cudaLaunchCooperativeKernel(kernel, static_cast<unsigned>(blocks), detail::threads_in_program_block, arguments),
        "a launch");
  }

 private:
  void choose() const { require_success(cudaSetDevice(number_), "selecting a device"); }

  /// The number of blocks of a kernel that the GPU can run at the same time.
  template <class Argument>
  [[nodiscard]] std::uint64_t blocks_at_once(void (*kernel)(Argument), int threads) const {
    int at_once = 0;
    require_success(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, threads, 0), "planning a launch");
    return static_cast<std::uint64_t>(at_once) * static_cast<std::uint64_t>(properties_.multiProcessorCount);
  }

  int number_;
  CudaMemory memory_;
  cudaDeviceProp properties_{};
};

}  // namespace breadth::gpu
