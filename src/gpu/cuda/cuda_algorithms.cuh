// Sorting and prefix sums in the memory of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <utility>

#include "gpu/cuda/cub_version.cuh"
#include "gpu/cuda/cuda_device.cuh"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Algorithms of CUB, each with temporary memory of its own.
struct CudaAlgorithms {
  using Keys = CudaDevice::Array<std::uint64_t>;

  /// Addition in the width of the sums. Not private, because it is part of a kernel's name.
  struct Add {
    template <class A, class B>
    __host__ __device__ auto operator()(A a, B b) const {
      return a + b;
    }
  };

  static void sort(Keys& keys, Keys& spare, std::uint64_t count, std::uint32_t bits) {
    cub::DoubleBuffer<std::uint64_t> both(keys.data(), spare.data());
    run("sorting", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(memory, bytes, both, count, 0, static_cast<int>(bits));
    });
    if (both.Current() != keys.data()) std::swap(keys, spare);
  }
  static std::uint64_t unique(Keys& keys, Keys& spare, std::uint64_t count) {
    CudaDevice::Array<std::uint64_t> kinds(1, CudaMemory::of_pool());
    run("dropping duplicates", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::Unique(memory, bytes, keys.data(), spare.data(), kinds.data(), count);
    });
    std::swap(keys, spare);
    std::uint64_t found = 0;
    require_success(cudaMemcpy(&found, kinds.data(), sizeof(found), cudaMemcpyDeviceToHost), "dropping duplicates");
    return found;
  }
  template <class Value, class Sum>
  static void exclusive_sums(const ArrayView<Value>& values, const ArrayView<Sum>& sums) {
    run("a sum", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(memory, bytes, values.data, sums.data, Add{}, Sum{0}, values.size);
    });
  }

 private:
  /// Asks an algorithm for the size of its temporary memory, and runs it with that memory.
  template <class Algorithm>
  static void run(const char* what, Algorithm&& algorithm) {
    std::size_t bytes = 0;
    require_success(algorithm(nullptr, bytes), what);
    CudaDevice::Array<std::uint8_t> memory(bytes > 0 ? bytes : 1, CudaMemory::of_pool());
    require_success(algorithm(static_cast<void*>(memory.data()), bytes), what);
  }
};

}  // namespace breadth::gpu
