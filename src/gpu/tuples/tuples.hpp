// Tuples of an edge list in the memory of a device.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"

namespace breadth::gpu {

/// Labels of 32 bits, below 2^32 - 1. All arrays are equally long, but that there may be no weights.
struct TupleView {
  ArrayView<std::uint32_t> sources;
  ArrayView<std::uint32_t> targets;
  ArrayView<float> weights;

  [[nodiscard]] constexpr std::uint64_t size() const { return sources.size; }
};

}  // namespace breadth::gpu
