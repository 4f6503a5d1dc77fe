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

/// What a device's memory depends on.
struct DeviceGraphSize {
  std::uint64_t vertices = 0;  ///< with edges
  std::uint64_t entries = 0;   ///< of all rows: two an edge
  std::uint64_t labels = 0;
  std::uint64_t long_rows = 0;  ///< of more than piece_edges
  std::uint64_t pieces = 0;     ///< of these, all together
};
DeviceGraphSize size_of(const HostGraph& graph);

/// 4 bytes an entry of the rows, 20 a vertex for the graph and 12 for the search, and 4 a label: what all arrays of a
/// DeviceSearch with room for so many levels' records take together, to the byte.
MemoryPlan plan_memory(const DeviceGraphSize& size, std::uint32_t record_levels = SearchSettings().record_levels);

/// Throws OutOfMemory with the figures where the plan does not fit into so many free bytes of a device.
void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device);

}  // namespace breadth::gpu
