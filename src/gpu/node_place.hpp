// Which GPU of a node is a rank's.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace breadth::gpu
