// Searches on GPUs: breadth-first, and for shortest paths with the exchange of paths to hubs between ranks that have a
// GPU each.
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
#include "traverse/sssp/sssp_engine.hpp"

namespace breadth {

/// Copies a result from a device; the record has how often, and how long that took.
template <class Copy>
void copy_result(DeviceRecord& record, Copy&& copy) {
  const Stopwatch stopwatch;
  copy();
  record.copy_seconds += stopwatch.seconds();
  ++record.copies;
}

// Breadth-first search.

/// Searches on options.device.kind, not cpu, a graph as make_gpu_search does, with hubs or without (Pan et al. 2018):
/// each rank its own part, on the device that its place on the node gives it. It looks at no options that are for
/// processors alone (`on_processors` in cli/options), nor at how leaves are visited. Throws, the same on all ranks,
/// Error where `options` want the device to lead, or a transport that there is not, or a rank has no device, and
/// OutOfMemory where a part and its search do not fit into its memory. Collective.
///
/// A level goes along all edges between vertices of a rank, hubs' replicas among them, by a push or a pull, all ranks
/// in the same direction; and pushes along those that lead to vertices of other ranks, who are told once of each such
/// vertex in a search: 8 bytes. Then the masks of hubs are combined.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_ranks_search(const Graph& graph, const BfsOptions& options,
                                                                  const Context& context);

/// Searches on options.device.kind, not cpu, an undirected graph in rows of 32 bits, vertices by degree: else throws
/// Error. It looks at no options that are for processors or several ranks alone; on several ranks it is
/// make_gpu_ranks_search. Throws OutOfMemory where the graph and its search do not fit into the device's memory, Error
/// where there is no such device.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context);

/// The rows of a graph that devices can search; of any other throws Error, which says what they need.
const Adjacency<std::uint32_t>& gpu_rows(const Graph& graph);
/// Where their classes begin, by the whole of their lengths.
gpu::RowBounds row_bounds_of(const Graph& graph, bool leaves_last);

/// What a device wants of such a graph on one rank: views of its rows, which outlive what is made of them. A search
/// that ends at a depth, or that is asked to, visits leaves in its levels.
gpu::HostGraph host_graph(const Graph& graph, bool leaves_last);
/// What it wants for shortest paths.
gpu::HostGraph weighted_host_graph(const Graph& graph);

/// The levels as the device has recorded them: `switch` is what was between one and the one before.
std::vector<LevelStatistics> levels_of(const gpu::SearchRecord& record);
LeafPass leaves_of(const gpu::SearchRecord& record);
DeviceSeconds device_seconds_of(const gpu::SearchRecord& record);

/// The same by the search given, of the same graph.
std::unique_ptr<BreadthFirstSearch::Engine> make_gpu_search(const Graph& graph, const BfsOptions& options,
                                                            const Context& context,
                                                            std::unique_ptr<gpu::Search> on_device);

/// Throws Error unless this rank can search on the device.
void require_device(Device device);
/// Throws Error for a device that is to lead a search of several ranks.
void require_control(std::optional<DeviceControl> asked, int ranks);
/// Throws Error for a transport that would have the MPI library read a GPU's memory, if it does not say that it can, or
/// that takes NCCL, where there is none.
void require_transport(Device device, DeviceTransport transport);

// Shortest paths.

/// Of all paths to a hub that ranks found, the shortest becomes that of all its replicas at once, as HubBounds has it
/// on processors. Memory: 16 bytes a hub. Costs nothing where there are no hubs.
class HubPaths {
 public:
  HubPaths(const Hubs& hubs, Communicator ranks);

  /// A search begins at a vertex, of which `source` is the local id on the rank that owns it, no_local_vertex
  /// elsewhere. Returns its id on this rank: a hub has one on each. Collective: where there are hubs, one number is
  /// reduced.
  LocalVertex start(LocalVertex source);

  /// Of each hub that comes closer by what any rank found, the shortest path, of equal ones that with the least label,
  /// the same on all ranks. Collective: one number of each rank, then 12 bytes for each path or, if that is less, 8 for
  /// each hub.
  std::span<const gpu::Relaxation> share(std::span<const gpu::Relaxation> found);

  /// Bytes that this rank has sent since the last call.
  [[nodiscard]] std::uint64_t take_bytes();

 private:
  void gather(std::span<const gpu::Relaxation> found, std::span<const std::size_t> counts);
  void reduce_all(std::span<const gpu::Relaxation> found);

  const Hubs& hubs_;
  Communicator ranks_;
  std::vector<std::uint64_t> known_;  ///< the path of each hub (gpu/sssp/path_phases.hpp)
  std::vector<std::uint64_t> least_;  ///< of each hub, while they are being shared; gpu::no_path else
  std::vector<gpu::Relaxation> received_;
  std::vector<gpu::Relaxation> closer_;
  std::uint64_t bytes_ = 0;
};

/// Searches on options.device.kind, not cpu, such a graph as make_gpu_ranks_search does, with weights, with hubs or
/// without. It looks at no options that are for processors alone. Throws as make_gpu_ranks_search. Collective.
///
/// Buckets are settled as on one device (gpu/sssp/device_paths.hpp), the same bucket on all ranks. After each level
/// ranks exchange the paths that end in the bucket at vertices of others, 12 bytes each, and at hubs, of
/// which all take the shortest. Paths that end beyond it are sent when their bucket has come, if nothing shorter was
/// found.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_ranks_paths(const Graph& graph, const SsspOptions& options,
                                                                 const Context& context);

/// Searches on options.device.kind, not cpu, such a graph as make_gpu_search searches, with weights: else throws Error.
/// It looks at no options that are for processors alone; on several ranks it is make_gpu_ranks_paths.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context);

/// The width of a bucket that is given, or that suits the graph. Collective.
float bucket_width(const Graph& graph, const SsspOptions& options, const Context& context);
/// Vertices with a distance, on this rank.
std::uint64_t count_reached(const ShortestPathTree& tree);

/// The same by what is given, of the same graph.
std::unique_ptr<ShortestPathSearch::Engine> make_gpu_paths(const Graph& graph, const SsspOptions& options,
                                                           const Context& context,
                                                           std::unique_ptr<gpu::Paths> on_device);

}  // namespace breadth
