// What a graph and its search take of a device's memory, before anything is taken.
#pragma once

#include <cstdint>
#include <string>

#include "core/policy/search.hpp"
#include "gpu/search.hpp"

namespace breadth::gpu {

/// Of an id, a label or a word of bits.
inline constexpr std::uint64_t word_bytes = 4;

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
  bool weighted = false;        ///< for shortest paths
  bool own_ends = false;        ///< rows have ends of their own
};
DeviceGraphSize size_of(const HostGraph& graph);

/// What a graph takes of which so many labels have edges: counted by the code that takes it, as all plans of searches.
std::uint64_t graph_bytes(const DeviceGraphSize& size, std::uint64_t connected_labels);

/// A graph and its DeviceSearch with room for so many levels' records, to the byte: 4 bytes an entry of the rows, 20 a
/// vertex for the graph and 12 for the search, and 4 a label.
MemoryPlan plan_memory(const DeviceGraphSize& size, std::uint32_t record_levels = SearchSettings().record_levels);

/// The same of a DevicePaths: 4 bytes more an entry, and of a search 32 a vertex and 8 a label.
MemoryPlan plan_paths_memory(const DeviceGraphSize& size, std::uint32_t record_levels = SearchSettings().record_levels);

/// What a part of a graph depends on beside its rows (gpu/part_search.hpp).
struct PartSize {
  std::uint64_t connected_labels = 0;  ///< of this rank's block, those that have edges: not other ranks' hubs
  std::uint64_t ghosts = 0;            ///< padding between ranks counted
  std::uint64_t incoming = 0;          ///< queries that other ranks may have for it in one search
  std::uint64_t hub_bits = 0;          ///< of the bitmaps, those for hubs
  std::uint64_t ranks = 1;
  DeviceTransport transport = DeviceTransport::staged;
};
/// The same of a DevicePartSearch: beside what a search of so large a graph takes, 8 bytes a vertex for the ends of
/// rows, 8 and a few bits a ghost, and 8 for each ghost or query that comes, whichever are more, or for both if the
/// transport is direct.
MemoryPlan plan_part_memory(const DeviceGraphSize& size, const PartSize& part);
/// The same of a DevicePartPaths: 8 bytes a hub or ghost for its shortest path, and 12 for the message about it.
MemoryPlan plan_part_paths_memory(const DeviceGraphSize& size, const PartSize& part);

/// Of so many tuples: 8 a tuple, 12 with its weight.
std::uint64_t edge_bytes(std::uint64_t tuples, bool weighted);

/// Tuples of the edge list that the host has at a time on their way to a device: edge_bytes() of them.
inline constexpr std::uint64_t most_staged_tuples = std::uint64_t{1} << 22;
inline constexpr std::uint64_t least_slab_entries = std::uint64_t{1} << 26;
/// Bytes that kernel 1 takes beside the edge list, from an edge list with so many ends of tuples that are no
/// self-loops, duplicates counted: at its peak, where rows are sorted in slabs of so many entries, or of all if
/// those are fewer; larger slabs are quicker. 24 bytes a label, 4 an end, and a slab.
std::uint64_t construction_bytes(std::uint64_t labels, std::uint64_t ends,
                                 std::uint64_t slab_entries = least_slab_entries);
/// What of that is taken when the vertices, at most as many as labels, are in order.
std::uint64_t row_bytes(std::uint64_t vertices, std::uint64_t ends, std::uint64_t slab_entries = least_slab_entries);
/// What is worth having at hand before kernel 1: as much as it takes if all rows are one slab, at most what is free but
/// for small tables.
std::uint64_t bytes_to_reserve(std::uint64_t labels, std::uint64_t ends, std::uint64_t free_bytes);
/// Whether so many bytes can be taken of those that are free and leave what small tables want.
bool has_room(std::uint64_t bytes, std::uint64_t free_bytes);
/// How many entries a device can sort in so many free bytes.
std::uint64_t slab_entries_in(std::uint64_t free_bytes);

/// What checking trees takes beside the edge list and what was found: 16 bytes a label and a bit, or two with
/// distances.
std::uint64_t tree_check_bytes(std::uint64_t labels, bool with_distances = false);
/// And with what was found, where that is brought there to be checked: 4 bytes a label, 8 with distances.
std::uint64_t result_check_bytes(std::uint64_t labels, bool with_distances);

/// Bytes of device memory that a run of the benchmark takes which stays on the device.
struct RunPlan {
  std::uint64_t edges = 0;         ///< as long as it runs
  std::uint64_t block = 0;         ///< what of these has to be there, where the edge list comes in blocks
  std::uint64_t construction = 0;  ///< of kernel 1 beside them, the graph in it
  MemoryPlan searches;             ///< the graph and its search
  std::uint64_t validation = 0;    ///< beside these
  [[nodiscard]] std::uint64_t peak() const noexcept;
};
/// Throws OutOfMemory with the figures, and with the way out where the edge list is what is too much, where it does not
/// fit into so many free bytes of a device,
void require_run_memory(const RunPlan& plan, std::uint64_t free_bytes, const std::string& device);
/// where the edge list does not fit,
void require_edge_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device);
/// or kernel 1 does not beside so much of it,
void require_construction_memory(std::uint64_t bytes, std::uint64_t edge_list, std::uint64_t free_bytes,
                                 const std::string& device);
/// or checking trees does not,
void require_check_memory(std::uint64_t bytes, std::uint64_t free_bytes, const std::string& device);
/// or a row of so many entries does not fit into a slab.
void require_slab(std::uint64_t row_entries, std::uint64_t slab_entries, const std::string& device);

/// Throws OutOfMemory with the figures where the plan does not fit into so many free bytes of a device.
void require_memory(const MemoryPlan& plan, std::uint64_t free_bytes, const std::string& device);

}  // namespace breadth::gpu
