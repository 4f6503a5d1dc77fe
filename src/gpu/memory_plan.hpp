// Plans of the device memory for graphs, searches and the benchmark, made before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "core/policy/search.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Bytes of an id, a label or a word of bits.
inline constexpr std::uint64_t word_bytes = 4;

/// Bytes of device memory.
struct MemoryPlan {
  std::uint64_t graph = 0;   ///< rows, columns and labels, which searches do not change
  std::uint64_t search = 0;  ///< bitmaps, parents, queues and the result
  [[nodiscard]] std::uint64_t bytes() const noexcept { return graph + search; }
};

/// The numbers that the memory of a graph on a device depends on.
struct DeviceGraphSize {
  std::uint64_t vertices = 0;  ///< with edges
  std::uint64_t entries = 0;   ///< of all rows: two per edge
  std::uint64_t labels = 0;
  std::uint64_t long_rows = 0;  ///< rows of more than piece_edges
  std::uint64_t pieces = 0;     ///< pieces of all long rows together
  bool weighted = false;        ///< for shortest paths
  bool own_ends = false;        ///< rows have ends of their own
};
DeviceGraphSize size_of(const HostGraph& graph);

/// Bytes of a graph in which this many labels have edges. As in all plans of searches, the code that allocates the
/// memory counts the bytes.
std::uint64_t graph_bytes(const DeviceGraphSize& size, std::uint64_t connected_labels);

/// The memory of a graph and its DeviceSearch with room for the records of this many levels, to the byte. 4 bytes per
/// entry of the rows, 20 per vertex for the graph and 12 for the search, and 4 per label.
MemoryPlan plan_memory(const DeviceGraphSize& size, std::uint32_t record_levels = SearchSettings().record_levels);

/// The same for a DevicePaths: 4 bytes more per entry; for the search, 32 per vertex and 8 per label.
MemoryPlan plan_paths_memory(const DeviceGraphSize& size, std::uint32_t record_levels = SearchSettings().record_levels);

/// The numbers that the memory of a part of a graph depends on, besides its rows (gpu/part_search.hpp).
struct PartSize {
  std::uint64_t connected_labels = 0;  ///< labels of this rank's block that have edges, without other ranks' hubs
  std::uint64_t ghosts = 0;            ///< with the padding between ranks
  std::uint64_t incoming = 0;          ///< most queries that other ranks may send to it in one search
  std::uint64_t hub_bits = 0;          ///< bits for hubs in the bitmaps
  std::uint64_t ranks = 1;
  DeviceTransport transport = DeviceTransport::staged;
};
/// The same for a DevicePartSearch. In addition to a search of a graph of this size: 8 bytes per vertex for the ends of
/// rows, 8 and a few bits per ghost, and 8 for each ghost or incoming query, whichever are more, or for both if the
/// transport is direct.
MemoryPlan plan_part_memory(const DeviceGraphSize& size, const PartSize& part);
/// The same for a DevicePartPaths: 8 bytes per hub or ghost for its shortest path, and 12 for the message about it.
MemoryPlan plan_part_paths_memory(const DeviceGraphSize& size, const PartSize& part);

/// Bytes of an edge list: 8 per tuple, 12 with weights.
std::uint64_t edge_bytes(std::uint64_t tuples, bool weighted);

/// Tuples of the edge list that the host holds at a time on their way to a device: edge_bytes() of them.
inline constexpr std::uint64_t max_staged_tuples = std::uint64_t{1} << 22;
inline constexpr std::uint64_t min_slab_entries = std::uint64_t{1} << 26;
/// Bytes that kernel 1 takes at its peak besides the edge list: 24 bytes per label, 4 per end, and a slab. `ends` are
/// the ends of tuples other than self-loops, with duplicates. Rows are sorted in slabs of slab_entries, or in one slab
/// of all entries if those are fewer; larger slabs are faster.
std::uint64_t construction_bytes(std::uint64_t labels, std::uint64_t ends,
                                 std::uint64_t slab_entries = min_slab_entries);
/// The part of construction_bytes() that is in use once the vertices, at most as many as labels, are in order.
std::uint64_t row_bytes(std::uint64_t vertices, std::uint64_t ends, std::uint64_t slab_entries = min_slab_entries);
/// Bytes to reserve before kernel 1: its need if all rows are one slab, but at most the free bytes without those for
/// small tables.
std::uint64_t bytes_to_reserve(std::uint64_t labels, std::uint64_t ends, std::uint64_t free_bytes);
/// Whether the free bytes are enough for `bytes` and for small tables.
bool has_room(std::uint64_t bytes, std::uint64_t free_bytes);
/// The number of entries that a device can sort with this many free bytes.
std::uint64_t slab_entries_in(std::uint64_t free_bytes);

/// Bytes of a check of trees besides the edge list and the result: 16 bytes and a bit per label, or two bits with
/// distances.
std::uint64_t tree_check_bytes(std::uint64_t labels, bool with_distances = false);
/// Bytes of a check to which the result is copied first: 4 more bytes per label, 8 with distances.
std::uint64_t result_check_bytes(std::uint64_t labels, bool with_distances);

/// Bytes of device memory of a benchmark run that stays on the device.
struct RunPlan {
  std::uint64_t edges = 0;         ///< the edge list, during the whole run
  std::uint64_t block = 0;         ///< the part of the edge list in memory at a time, if it is read in blocks
  std::uint64_t construction = 0;  ///< kernel 1 besides the edge list, the graph included
  MemoryPlan searches;             ///< the graph and its search
  std::uint64_t validation = 0;    ///< validation besides edge list, graph and search
  [[nodiscard]] std::uint64_t peak() const noexcept;
};
/// Throws OutOfMemory with the figures if the run does not fit into the free bytes of a device. If the edge list is too
/// large, the message says what to do.
void require_run_memory(const RunPlan& plan, std::uint64_t free_bytes, const std::string& device);
/// Throws OutOfMemory if the edge list does not fit.
void require_edge_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device);
/// Throws OutOfMemory if kernel 1 does not fit besides this many bytes of the edge list.
void require_construction_memory(std::uint64_t bytes, std::uint64_t edge_list, std::uint64_t free_bytes,
                                 const std::string& device);
/// Throws OutOfMemory if the check of trees does not fit.
void require_check_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device);
/// Throws OutOfMemory if a row of this many entries does not fit into a slab.
void require_slab(std::uint64_t row_entries, std::uint64_t slab_entries, const std::string& device);

/// Throws OutOfMemory with the figures if the plan does not fit into the free bytes of a device.
void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device);

}  // namespace breadth::gpu
