// Which GPU of a node is a rank's, the clock of its host, and what goes wrong on a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace breadth::gpu {

/// What a GPU is known by to every process (its UUID), whatever number it has there.
using GpuId = std::array<unsigned char, 16>;

/// The GPU of a rank.
struct NodePlace {
  std::uint32_t gpu = 0;      ///< its number among those that the rank may use
  std::uint32_t sharing = 1;  ///< ranks of the node that have it, this one among them
};

/// For each rank of a node, in their order, which GPU it takes of those that it may use: the first of those that the
/// fewest ranks before have taken. Ranks that may use the same ones so take them by turns, and each of those that a
/// scheduler has bound to one GPU takes that. A rank that may use none gets the first place.
std::vector<NodePlace> share_gpus(std::span<const std::vector<GpuId>> visible);

/// The clock of the host, which stands in for a device's own.
std::uint64_t host_nanoseconds();

// What goes wrong on a GPU.

/// Throws Error: what was tried, and why it failed. Not inline, since nvcc does not compile fmt's headers.
[[noreturn]] void fail_on_gpu(const std::string& what, const std::string& reason);

/// Throws Error for a label that is negative, or of which 32 bits are not enough beside the one for none.
void require_narrow_label(Label label);

}  // namespace breadth::gpu
