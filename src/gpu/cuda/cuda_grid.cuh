// A warp on a GPU, with one thread per lane, and all threads of a launch, which follow one program.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <type_traits>

#include "gpu/phases/views.hpp"

namespace breadth::gpu {

// A warp.

/// The operations of a warp for its phase. All 32 lanes call them together: phases branch only on values that are equal
/// in all lanes, and masks say which lanes an operation is for. Lanes<T> is the lane's own value.
class CudaWarp {
 public:
  template <class T>
  using Lanes = T;
  using Mask = bool;
  using Word = std::uint32_t;
  static constexpr Word all = 0xFFFFFFFFU;

  /// A warp of this block, which is one of `blocks` blocks that work together.
  __device__ CudaWarp(Word block, Word blocks) : block_(block), blocks_(blocks) {}

  __device__ Word index() const { return block_ * warps_in_block() + threadIdx.x / warp_lanes; }
  __device__ Word count() const { return blocks_ * warps_in_block(); }
  __device__ Word lane() const { return threadIdx.x % warp_lanes; }
  __device__ std::uint64_t wide_lane() const { return lane(); }
  __device__ Word same(Word value) const { return value; }
  __device__ std::uint64_t same_wide(std::uint64_t value) const { return value; }
  __device__ float same_float(float value) const { return value; }
  __device__ Word bit(Word number) const { return Word{1} << number; }
  __device__ bool bits_of(Word word) const { return (word & bit(lane())) != 0; }

  __device__ Word ballot(bool mask) const { return __ballot_sync(all, mask); }
  __device__ bool any(bool mask) const { return __any_sync(all, mask) != 0; }
  template <class T>
  __device__ T broadcast(T value, Word lane) const {
    return __shfl_sync(all, value, static_cast<int>(lane));
  }
  template <class T>
  __device__ T shuffle(T value, Word lane) const {
    return __shfl_sync(all, value, static_cast<int>(lane));
  }
  __device__ Word sums_before(Word value) const {
    Word sum = value;
    for (Word distance = 1; distance < warp_lanes; distance *= 2) {
      const Word before = __shfl_up_sync(all, sum, distance);
      if (lane() >= distance) sum += before;
    }
    return sum - value;
  }
  __device__ Word lane_of_least(float value, bool mask) const {
    const Word bits = mask ? __float_as_uint(value) : all;
    Word least = bits;
    for (Word distance = warp_lanes / 2; distance > 0; distance /= 2) {
      least = min(least, __shfl_xor_sync(all, least, distance));
    }
    return lowest(ballot(bits == least));
  }
  template <class Function, class... Values>
  __device__ auto map(const Function& function, const Values&... values) const {
    return function(values...);
  }
  template <class T>
  __device__ T select(bool mask, T yes, T no) const {
    return mask ? yes : no;
  }
  __device__ Word popcount(Word bits) const { return static_cast<Word>(__popc(bits)); }
  __device__ Word lowest(Word bits) const { return static_cast<Word>(__ffs(static_cast<int>(bits)) - 1); }
  __device__ Word rank(Word bits) const { return popcount(bits & (bit(lane()) - 1)); }

  template <class T, class Index>
  __device__ auto load(const ArrayView<T>& array, Index index, bool mask) const {
    using Value = std::remove_const_t<T>;
    return mask ? array.data[index] : Value{0};
  }
  /// A plain load, which costs nothing extra. Aligned words are read whole. The value comes from the cache of the
  /// multiprocessor and may be older than other warps' writes since the last barrier: callers take it for a hint, or
  /// check it by an atomic operation.
  template <class T, class Index>
  __device__ T load_relaxed(const ArrayView<T>& array, Index index, bool mask) const {
    return load(array, index, mask);
  }
  /// Loads through the read-only cache, for arrays that do not change while the kernel runs.
  template <class T, class Index>
  __device__ auto load_constant(const ArrayView<T>& array, Index index, bool mask) const {
    using Value = std::remove_const_t<T>;
    return mask ? __ldg(array.data + index) : Value{0};
  }
  template <class T>
  __device__ std::remove_const_t<T> load_one(const ArrayView<T>& array, std::uint64_t index) const {
    return array.data[index];
  }
  template <class T, class Index>
  __device__ void store(const ArrayView<T>& array, Index index, std::type_identity_t<T> value, bool mask) const {
    if (mask) array.data[index] = value;
  }

  __device__ Word fetch_or(const ArrayView<Word>& words, Word index, Word bits, bool mask) const {
    return mask ? atomicOr(words.data + index, bits) : 0;
  }
  __device__ Word fetch_add(const ArrayView<Word>& words, Word index, Word count, bool mask) const {
    return mask ? atomicAdd(words.data + index, count) : 0;
  }
  __device__ void count_up(const ArrayView<Word>& words, Word index, bool mask) const {
    if (mask) atomicAdd(words.data + index, Word{1});
  }
  __device__ Word exchange(const ArrayView<Word>& words, Word index, Word value, bool mask) const {
    return mask ? atomicExch(words.data + index, value) : 0;
  }
  __device__ void raise(const ArrayView<Word>& words, Word index, Word value, bool mask) const {
    Word most = mask ? value : 0;
    for (Word distance = warp_lanes / 2; distance > 0; distance /= 2) {
      most = max(most, __shfl_down_sync(all, most, distance));
    }
    // The element only rises, so that even an old value of it is a lower bound.
    if (lane() == 0 && most > words.data[index]) atomicMax(words.data + index, most);
  }

  __device__ bool improve(const ArrayView<std::uint64_t>& paths, Word index, float distance, Word parent,
                          bool mask) const {
    if (!mask) return false;
    auto* place = reinterpret_cast<unsigned long long*>(paths.data + index);
    const unsigned long long bits = __float_as_uint(distance);
    const unsigned long long path = bits << 32U | parent;
    unsigned long long there = *place;
    while (bits < there >> 32U) {
      const unsigned long long seen = atomicCAS(place, there, path);
      if (seen == there) return true;
      there = seen;
    }
    return false;
  }

  __device__ Word reserve(const ArrayView<Word>& sizes, Word index, Word count) const {
    Word before = 0;
    if (lane() == 0) before = atomicAdd(sizes.data + index, count);
    return broadcast(before, 0);
  }
  __device__ std::uint64_t reserve(const ArrayView<std::uint64_t>& sizes, Word index, Word count) const {
    unsigned long long before = 0;
    if (lane() == 0) {
      before =
          atomicAdd(reinterpret_cast<unsigned long long*>(sizes.data + index), static_cast<unsigned long long>(count));
    }
    return broadcast(before, 0);
  }
  __device__ void add(const ArrayView<std::uint64_t>& sums, Word index, std::uint64_t value) const {
    for (Word distance = warp_lanes / 2; distance > 0; distance /= 2) {
      value += __shfl_down_sync(all, value, distance);
    }
    if (lane() != 0 || value == 0) return;
    atomicAdd(reinterpret_cast<unsigned long long*>(sums.data + index), static_cast<unsigned long long>(value));
  }

 private:
  __device__ static Word warps_in_block() { return blockDim.x / warp_lanes; }

  Word block_;
  Word blocks_;
};

// All threads of a launch.

/// The operations of a grid for its program (SearchControl). Each thread has its own CudaGrid. All threads call the
/// same operations in the same order.
class CudaGrid {
 public:
  __device__ constexpr CudaGrid(std::uint32_t block, std::uint32_t blocks) : block_(block), blocks_(blocks) {}

  template <class Phase>
  __device__ void run(const Phase& phase, std::uint64_t /*warps*/) const {
    phase.work(CudaWarp(block_, blocks_));
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

  /// Waits for all threads. A block that runs alone waits for its own threads only.
  __device__ void sync() const {
    if (blocks_ == 1) {
      __syncthreads();
    } else {
      cooperative_groups::this_grid().sync();
    }
  }

  /// The first block alone. For the other blocks works() is false, so that they go to `join`.
  __device__ CudaGrid alone() const { return {block_, 1}; }
  __device__ bool works() const { return block_ == 0; }
  /// All blocks continue with the state of the first block.
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
  std::uint32_t block_;
  std::uint32_t blocks_;
};

}  // namespace breadth::gpu
