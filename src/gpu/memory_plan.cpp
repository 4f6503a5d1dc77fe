#include "gpu/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "gpu/bfs/device_search.hpp"
#include "gpu/check/tree_checker.hpp"
#include "gpu/edges.hpp"
#include "gpu/part_search.hpp"
#include "gpu/phases/device_graph.hpp"
#include "gpu/ranks/device_part.hpp"
#include "gpu/ranks/device_part_paths.hpp"
#include "gpu/sssp/device_paths.hpp"

namespace breadth::gpu {

namespace {
constexpr std::uint64_t offset_bytes = 8;

/// Bytes of an entry in a slab: its key, a second key to sort into, and the temporary memory of sorting.
constexpr std::uint64_t slab_entry_bytes = 17;
/// Bytes left for small tables and for the memory lost between arrays, each of which begins on a page of 2 MiB.
constexpr std::uint64_t reserve_bytes = std::uint64_t{1} << 25;

/// Bytes of the block of an edge list that is read in blocks.
std::uint64_t min_block(std::uint64_t edge_list) {
  return std::min(edge_list, edge_bytes(default_block_tuples, false));
}

/// The end of a message, which says what to do if `needed` bytes do not fit. Empty if that would not help either.
std::string way_out(std::uint64_t edge_list, std::uint64_t block, std::uint64_t needed, std::uint64_t free_bytes) {
  if (block >= edge_list || needed > free_bytes + (edge_list - block)) return {};
  return fmt::format("; with --device-edges streamed only {} of the edge list are in its memory at a time",
                     bytes_text(block));
}

/// A device that allocates nothing, and counts the bytes that would be allocated.
class CountingDevice {
 public:
  CountingDevice() = default;
  CountingDevice(const CountingDevice&) = delete;
  CountingDevice& operator=(const CountingDevice&) = delete;

  template <class T>
  class Array {};
  template <class T>
  class HostArray {};

  template <class T>
  [[nodiscard]] Array<T> allocate(std::uint64_t size) const {
    bytes_ += size * sizeof(T);
    return {};
  }
  template <class T>
  [[nodiscard]] HostArray<T> host_array(std::uint64_t) const {
    return {};
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  mutable std::uint64_t bytes_ = 0;
};

/// Bytes that arrays take when they are made with these arguments.
template <class Arrays, class... Arguments>
std::uint64_t bytes_of(const Arguments&... arguments) {
  const CountingDevice device;
  [[maybe_unused]] const Arrays arrays{device, arguments...};
  return device.bytes();
}

/// The plan of a part: its rows with their tables, and its search.
template <template <class, template <class, class> class> class Arrays>
MemoryPlan plan_of(const DeviceGraphSize& size, const PartSize& part) {
  return {.graph = graph_bytes(size, part.connected_labels) + bytes_of<GhostArrays<CountingDevice>>(part),
          .search = stays_on_devices(part.transport) ? bytes_of<Arrays<CountingDevice, DirectMessages>>(size, part)
                                                     : bytes_of<Arrays<CountingDevice, StagedMessages>>(size, part)};
}
}  // namespace

DeviceGraphSize size_of(const HostGraph& graph) {
  DeviceGraphSize size{.vertices = graph.bounds.vertices,
                       .entries = graph.neighbours.size(),
                       .labels = graph.label_count,
                       .long_rows = graph.bounds.long_rows,
                       .weighted = !graph.weights.empty(),
                       .own_ends = !graph.ends.empty()};
  const std::span<const std::uint64_t> ends = graph.row_ends();
  for (std::uint32_t vertex = 0; vertex < graph.bounds.long_rows; ++vertex) {
    size.pieces += (ends[vertex] - graph.offsets[vertex] + piece_edges - 1) / piece_edges;
  }
  return size;
}

std::uint64_t graph_bytes(const DeviceGraphSize& size, std::uint64_t connected_labels) {
  const CountingDevice device;
  (void)take_graph_arrays(device, size, connected_labels);
  return device.bytes();
}

MemoryPlan plan_memory(const DeviceGraphSize& size, std::uint32_t record_levels) {
  return {.graph = graph_bytes(size, size.vertices),
          .search = bytes_of<SearchArrays<CountingDevice>>(size, record_levels)};
}

MemoryPlan plan_paths_memory(const DeviceGraphSize& size, std::uint32_t record_levels) {
  return {.graph = graph_bytes(size, size.vertices),
          .search = bytes_of<PathArrays<CountingDevice>>(size, record_levels)};
}

MemoryPlan plan_part_memory(const DeviceGraphSize& size, const PartSize& part) {
  return plan_of<PartSearchArrays>(size, part);
}

MemoryPlan plan_part_paths_memory(const DeviceGraphSize& size, const PartSize& part) {
  return plan_of<PartPathArrays>(size, part);
}

PartSize size_of(const HostPart& part) {
  return {.connected_labels = part.rows.vertices.size(),
          .ghosts = part.ghost_vertices.size(),
          .incoming = part.incoming,
          .hub_bits = part.hub_bits,
          .ranks = part.ranks,
          .transport = part.transport};
}
MemoryPlan plan_memory(const HostPart& part) { return plan_part_memory(size_of(part.rows), size_of(part)); }
MemoryPlan plan_paths_memory(const HostPart& part) { return plan_part_paths_memory(size_of(part.rows), size_of(part)); }

std::uint64_t edge_bytes(std::uint64_t tuples, bool weighted) { return tuples * word_bytes * (weighted ? 3 : 2); }

std::uint64_t construction_bytes(std::uint64_t labels, std::uint64_t ends, std::uint64_t slab_entries) {
  const std::uint64_t vertices = std::min(labels, ends);
  const std::uint64_t counts = word_bytes * labels;
  // vertices of labels; labels of vertices, the ends before each vertex, and temporarily the ends of each
  const std::uint64_t order = word_bytes * (labels + vertices) + offset_bytes * (vertices + 1);
  const std::uint64_t ordering = (slab_entry_bytes * labels) + word_bytes * (vertices + 1);
  return counts + order + std::max(ordering, row_bytes(vertices, ends, slab_entries)) + reserve_bytes;
}

std::uint64_t bytes_to_reserve(std::uint64_t labels, std::uint64_t ends, std::uint64_t free_bytes) {
  return std::min(construction_bytes(labels, ends, ends), free_bytes - std::min(free_bytes, reserve_bytes));
}

std::uint64_t row_bytes(std::uint64_t vertices, std::uint64_t ends, std::uint64_t slab_entries) {
  const std::uint64_t slab = slab_entry_bytes * std::min(ends, slab_entries);
  // Columns and tables are made when the slab is freed. Rows are moved to an array of their size if there is room.
  const std::uint64_t later = word_bytes * 3 * (vertices + 1);
  return offset_bytes * (vertices + 1) + word_bytes * ends + std::max(slab, later);
}

std::uint64_t tree_check_bytes(std::uint64_t labels, bool with_distances) {
  return bytes_of<TreeChecker<CountingDevice>>(labels, with_distances);
}

std::uint64_t result_check_bytes(std::uint64_t labels, bool with_distances) {
  return tree_check_bytes(labels, with_distances) + word_bytes * (with_distances ? 2 : 1) * labels;
}

bool has_room(std::uint64_t bytes, std::uint64_t free_bytes) { return bytes + reserve_bytes <= free_bytes; }

std::uint64_t slab_entries_in(std::uint64_t free_bytes) {
  return (free_bytes - std::min(free_bytes, reserve_bytes)) / slab_entry_bytes;
}

std::uint64_t RunPlan::peak() const noexcept { return edges + std::max(construction, searches.bytes() + validation); }

void require_run_memory(const RunPlan& plan, std::uint64_t free_bytes, const std::string& device) {
  if (plan.peak() <= free_bytes) return;
  fail<OutOfMemory>(
      "the edge list ({}) together with kernel 1 ({}), or with the graph ({}), its search ({}) and validation "
      "({}), does not fit into the memory of {}, of which {} are free{}",
      bytes_text(plan.edges), bytes_text(plan.construction), bytes_text(plan.searches.graph),
      bytes_text(plan.searches.search), bytes_text(plan.validation), device, bytes_text(free_bytes),
      way_out(plan.edges, plan.block, plan.peak(), free_bytes));
}

void require_edge_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device) {
  if (bytes <= free_bytes) return;
  fail<OutOfMemory>("the edge list ({}) does not fit into the memory of {}, of which {} are free{}", bytes_text(bytes),
                    device, bytes_text(free_bytes), way_out(bytes, min_block(bytes), bytes, free_bytes));
}

void require_construction_memory(std::uint64_t bytes, std::uint64_t edge_list, std::uint64_t free_bytes,
                                 const std::string& device) {
  if (bytes <= free_bytes) return;
  fail<OutOfMemory>(
      "building the graph ({} in addition to the edge list, {}) does not fit into the memory of {}, of which {} are "
      "free{}",
      bytes_text(bytes), bytes_text(edge_list), device, bytes_text(free_bytes),
      way_out(edge_list, min_block(edge_list), bytes, free_bytes));
}

void require_check_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device) {
  if (bytes <= free_bytes) return;
  fail<OutOfMemory>("checking a tree ({}) does not fit into the memory of {}, of which {} are free", bytes_text(bytes),
                    device, bytes_text(free_bytes));
}

void require_slab(std::uint64_t row_entries, std::uint64_t slab_entries, const std::string& device) {
  if (row_entries <= slab_entries) return;
  fail<OutOfMemory>("a vertex has {} edges; in the memory of {} only {} can be sorted at once", row_entries, device,
                    slab_entries);
}

void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device) {
  if (plan.bytes() <= free_bytes) return;
  fail<OutOfMemory>("the graph ({}) and its search ({}) do not fit into the memory of {}, of which {} are free",
                    bytes_text(plan.graph), bytes_text(plan.search), device, bytes_text(free_bytes));
}

}  // namespace breadth::gpu
