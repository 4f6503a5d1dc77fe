// All threads of a launch on a GPU, as they follow one program.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/cuda_warp.cuh"
#include "gpu/phases/array_view.hpp"

namespace breadth::gpu {

/// What a program (SearchControl) may ask for. Each thread has its own, and all ask for the same in the same order.
class CudaGrid {
 public:
  __device__ constexpr CudaGrid(std::uint32_t* shared, std::uint32_t block, std::uint32_t blocks)
      : shared_(shared), block_(block), blocks_(blocks) {}

  template <class Phase>
  __device__ void run(const Phase& phase, std::uint64_t /*warps*/) const {
    const CudaWarp warp(shared_, block_, blocks_);
    if constexpr (requires { phase.shared_words(); }) {
      phase.prepare(warp);
      __syncthreads();
    }
    phase.work(warp);
  }

  template <class T>
  __device__ void clear(const ArrayView<T>& array) const {
    const std::uint64_t threads = std::uint64_t{blocks_} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{block_} * blockDim.x + threadIdx.x; i < array.size; i += threads)
      array.data[i] = T{0};
  }
  template <class T>
  __device__ std::remove_const_t<T> load(const ArrayView<T>& array, std::uint64_t index) const {
    return array.data[index];
  }
  template <class T>
  __device__ void store(const ArrayView<T>& array, std::uint64_t index, const T& value) const {
    if (block_ == 0 && threadIdx.x == 0) array.data[index] = value;
  }

  /// A block alone waits for its own threads only.
  __device__ void sync() const {
    if (blocks_ == 1) {
      __syncthreads();
    } else {
      cooperative_groups::this_grid().sync();
    }
  }

  /// The first block without the others, who find that they have nothing to do and go to `join`.
  __device__ CudaGrid alone() const { return {shared_, block_, 1}; }
  __device__ bool works() const { return block_ == 0; }
  /// All go on with what the first block has.
  template <class State>
  __device__ void join(const ArrayView<State>& place, State& state) const {
    store(place, 0, state);
    sync();
    state = load(place, 0);
  }

  __device__ std::uint64_t nanoseconds() const {
    std::uint64_t time = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  }

 private:
  std::uint32_t* shared_;
  std::uint32_t block_;
  std::uint32_t blocks_;
};

}  // namespace breadth::gpu
