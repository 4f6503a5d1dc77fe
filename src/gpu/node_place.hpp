// Which GPU of a node is a rank's.
#pragma once

#include <cstdint>

namespace breadth::gpu {

/// Which rank this is of those on its node, and how many these are: they share the node's devices by turns.
struct NodePlace {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
};

}  // namespace breadth::gpu
