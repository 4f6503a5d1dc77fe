// Searches on GPUs: breadth-first and for shortest paths, on one rank, or on several ranks with a GPU each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/policy/search.hpp"
#include "core/stopwatch.hpp"
#include "gpu/part_search.hpp"
#include "gpu/search.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

/// Copies a result from a device, and counts the copy and its time in the record.
template <class Copy>
void copy_result(DeviceRecord& record, Copy&& copy) {
  const Stopwatch stopwatch;
  copy();
  record.copy_seconds += stopwatch.seconds();
  ++record.copies;
}

// Breadth-first search.

/// Makes the engine on several ranks. The graph must be as for make_gpu_search, with or without hubs (Pan et al. 2018).
/// Each rank searches its own part, on the device of kind options.device.kind, not cpu, that its place on the node
/// determines. Options that are for processors only (`on_processors` in cli/options) have no effect, nor has
/// leaves_last. Throws Error, the same on all ranks, if `options` ask for the device to lead or for a transport that is
/// not available, or if a rank has no device; and OutOfMemory if a part and its search do not fit into a device's
/// memory. Collective.
///
/// A level visits along the edges between vertices of a rank, including replicas of hubs, by a push or a pull, in the
/// same direction on all ranks. It always pushes along edges to vertices of other ranks, and sends each rank one query
/// of 8 bytes for each of these vertices in a search. Then the masks of hubs are combined.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_ranks_search(const Graph& graph, const BfsOptions& options,
                                                                  const Context& context);

/// Makes the engine that searches on a device of kind options.device.kind, not cpu. The graph must be undirected, in
/// plain rows of 32 bits, with vertices in the order of degrees (else Error). Options that are for processors only, or
/// for several ranks only, have no effect. On several ranks it calls make_gpu_ranks_search. Throws OutOfMemory if the
/// graph and its search do not fit into the device's memory, Error if there is no such device.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context);

/// The rows of a graph, if devices can search it. Else throws Error, which says what they need.
const Adjacency<std::uint32_t>& gpu_rows(const Graph& graph);
/// The bounds of the classes of rows, by the whole lengths of rows.
gpu::RowBounds row_bounds_of(const Graph& graph, bool leaves_last);

/// Views of a graph's rows for a device, on one rank. The graph must outlive what is made of them. `leaves_last` must
/// be false for a search that visits leaves in its levels, as one with max_depth does.
gpu::HostGraph host_graph(const Graph& graph, bool leaves_last);
/// Views of a graph's rows and weights for shortest paths on a device.
gpu::HostGraph weighted_host_graph(const Graph& graph);

/// The levels as the device has recorded them. `convert` is the time between the end of the level before and a level.
std::vector<LevelStatistics> levels_of(const gpu::SearchRecord& record);
LeafPass leaves_of(const gpu::SearchRecord& record);
DeviceSeconds device_seconds_of(const gpu::SearchRecord& record);

/// Makes the engine from a search of the same graph on a device.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> on_device);

/// Throws Error unless this rank can search on the device.
void require_device(Device device);
/// Throws Error if the device is asked to lead a search of several ranks.
void require_control(std::optional<DeviceControl> asked, int ranks);
/// Throws Error if the transport needs an MPI library that can read a GPU's memory and the library does not say that it
/// can, or if it needs NCCL and there is none.
void require_transport(Device device, DeviceTransport transport);

// Shortest paths.

/// Keeps the paths to hubs equal on all ranks: of all paths to a hub that ranks found, all replicas take the shortest
/// at once, as with HubBounds on processors. Memory: 16 bytes per hub. Costs nothing without hubs.
class HubPaths {
 public:
  HubPaths(const Hubs& hubs, const Communicator& ranks);

  /// Begins a search. Returns source_on_all_ranks(). Collective.
  LocalVertex start(LocalVertex source);

  /// Returns the shortest path to each hub that comes closer by a path that any rank found, the same on all ranks. Of
  /// equally short paths it is the one whose parent has the least label. Collective: gathers one number from each rank,
  /// then 12 bytes for each path or, if that is less, reduces 8 bytes for each hub.
  std::span<const gpu::Relaxation> share(std::span<const gpu::Relaxation> found);

  /// Bytes that this rank has sent since the last call.
  [[nodiscard]] std::uint64_t take_bytes() { return least_.take_bytes(); }

 private:
  const Hubs& hubs_;
  Communicator ranks_;
  std::vector<std::uint64_t> known_;  ///< the path of each hub (gpu/sssp/path_phases.hpp)
  LeastBounds<gpu::Relaxation> least_;
  std::vector<gpu::Relaxation> closer_;
};

/// Makes the engine on several ranks, on devices of kind options.device.kind, not cpu. The graph must be as for
/// make_gpu_ranks_search, with weights. Options that are for processors only have no effect. Throws what
/// make_gpu_ranks_search throws. Collective.
///
/// Buckets are settled as on one device (gpu/sssp/device_paths.hpp), the same bucket on all ranks. After each level
/// ranks exchange the paths that end in the bucket: those to vertices of other ranks, 12 bytes each, and those to hubs,
/// of which all ranks take the shortest. Paths that end beyond the bucket are sent when their bucket has come, if no
/// shorter one was found.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_ranks_paths(const Graph& graph, const SsspOptions& options,
                                                                 const Context& context);

/// Makes the engine that searches on a device of kind options.device.kind, not cpu. The graph must be as for
/// make_gpu_search (else Error), with weights. Options that are for processors only have no effect. On several ranks it
/// calls make_gpu_ranks_paths.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context);

/// The width of buckets that the options give, or else choose_delta() for the graph. Collective.
float bucket_width(const Graph& graph, const SsspOptions& options, const Context& context);
/// The number of vertices with a distance, on this rank.
std::uint64_t count_reached(const ShortestPathTree& tree);

/// Makes the engine from a search of the same graph on a device.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context,
                                                           std::unique_ptr<gpu::Paths> on_device);

}  // namespace breadth
