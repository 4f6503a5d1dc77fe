// What a graph and its search take of a device's memory, before anything is taken.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/search.hpp"

namespace breadth::gpu {

/// Bytes of device memory.
struct MemoryPlan {
  std::uint64_t graph = 0;   ///< rows, columns and labels, which stay as they are
  std::uint64_t search = 0;  ///< bitmaps, parents, queues and the result
  [[nodiscard]] std::uint64_t bytes() const noexcept { return graph + search; }
};

/// 4 bytes an entry of the rows, 20 a vertex for the graph and 12 for the search, and 4 a label: what all arrays of a
/// DeviceSearch take together, to the byte.
MemoryPlan plan_memory(const HostGraph& graph);

/// Pieces that rows before bounds.pieces are cut into, all together.
std::uint64_t count_pieces(const HostGraph& graph);

/// Throws OutOfMemory with the figures where the plan does not fit into so many free bytes of a device.
void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device);

}  // namespace breadth::gpu
