// The assignment of a node's GPUs to ranks, the clock of the host, and errors on a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace breadth::gpu {

/// The UUID of a GPU, by which every process knows it, whatever its number is there.
using GpuId = std::array<unsigned char, 16>;

/// The GPU of a rank.
struct NodePlace {
  std::uint32_t gpu = 0;      ///< its number among those that the rank may use
  std::uint32_t sharing = 1;  ///< ranks of the node that use it, this one included
};

/// The GPU of each rank of a node, in the order of ranks. `visible` has the GPUs that each rank may use. A rank takes
/// the first of the GPUs that the fewest lower ranks have taken. So ranks that may use the same GPUs take them in turn,
/// and a rank that a scheduler has bound to one GPU takes that one. A rank without GPUs gets a default NodePlace.
std::vector<NodePlace> share_gpus(std::span<const std::vector<GpuId>> visible);

/// The clock of the host in nanoseconds, used instead of a device's own.
std::uint64_t host_nanoseconds();

// Errors on a GPU.

/// Throws Error with what was tried and why it failed. Not inline, because nvcc does not compile fmt's headers.
[[noreturn]] void fail_on_gpu(const std::string& what, const std::string& reason);

/// Throws Error for a label that is negative or does not fit into 32 bits, in which ~0 stands for no label.
void require_narrow_label(Label label);

}  // namespace breadth::gpu
