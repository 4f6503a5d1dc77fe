// Sorting and adding up in the memory of the simulated device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "gpu/phases/array_view.hpp"
#include "gpu/simulated/simulated_device.hpp"

namespace breadth::gpu {

/// What CudaAlgorithms (gpu/cuda/cuda_algorithms.cuh) does on a GPU, by the standard library.
struct SimulatedAlgorithms {
  using Keys = SimulatedDevice::Array<std::uint64_t>;

  /// Sorts the first `count` keys, which are below 2^bits; `spare`, of the same size, is used up.
  static void sort(Keys& keys, Keys& spare, std::uint64_t count, std::uint32_t bits) {
    const std::span sorted = keys.span().first(count);
    if (spare.size() < count) throw std::logic_error("there is no room to sort in");
    for (const std::uint64_t key : sorted) {
      if (bits < 64 && key >> bits != 0) throw std::logic_error("a key has more bits than are sorted by");
    }
    std::sort(sorted.begin(), sorted.end());
  }
  /// Leaves one of each kind of the first `count` keys, which are sorted; how many kinds there are.
  static std::uint64_t unique(Keys& keys, Keys& spare, std::uint64_t count) {
    const std::span sorted = keys.span().first(count);
    const auto end = std::unique_copy(sorted.begin(), sorted.end(), spare.span().begin());
    std::swap(keys, spare);
    return static_cast<std::uint64_t>(end - keys.span().begin());
  }
  /// sums[i]: of the values before i. `sums` may be the values' own place.
  template <class Value, class Sum>
  static void exclusive_sums(const ArrayView<Value>& values, const ArrayView<Sum>& sums) {
    if (sums.size < values.size) throw std::logic_error("there is no room for the sums");
    std::exclusive_scan(values.data, values.data + values.size, sums.data, Sum{0});
  }
};

}  // namespace breadth::gpu
