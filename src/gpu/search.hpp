// Searches on a device: breadth-first, and for shortest paths.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/policy/search.hpp"
#include "gpu/node_place.hpp"
#include "gpu/phases/views.hpp"

namespace breadth {
class ThreadTeam;
}

namespace breadth::gpu {

// Breadth-first search.

/// An undirected graph of one rank in the memory of the host, vertices by falling degree.
struct HostGraph {
  std::span<const std::uint64_t> offsets;     ///< where each row starts, and the end of the last
  std::span<const std::uint32_t> neighbours;  ///< all rows
  std::span<const float> weights;             ///< of the edges to `neighbours`, for shortest paths only
  std::span<const std::uint32_t> labels;      ///< the label of each vertex
  std::span<const std::uint64_t> connected;   ///< one bit per label: whether it has edges
  std::span<const std::uint32_t> vertices;    ///< the vertices of the labels with edges, in the order of labels
  std::uint32_t label_count = 0;
  RowBounds bounds;
  std::span<const std::uint64_t> ends;  ///< where each row ends, if that is not where the next one starts

  [[nodiscard]] std::span<const std::uint64_t> row_ends() const {
    return ends.empty() && !offsets.empty() ? offsets.subspan(1) : ends;
  }
};

/// The source of a search if its label has no edges, and therefore no vertex.
inline constexpr std::uint32_t no_vertex = ~std::uint32_t{0};

/// The arguments of a breadth-first search.
struct SearchArguments {
  std::uint32_t source = no_vertex;
  DirectionRule direction;
  std::uint64_t max_levels = ~std::uint64_t{0};
};

/// The record of one level.
struct LevelRecord {
  Direction direction = Direction::push;
  std::uint64_t frontier = 0;  ///< vertices in the level's frontier
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;      ///< vertices that got a parent
  std::uint64_t began = 0;        ///< by the device's clock, in nanoseconds, though it may tick in microseconds
  std::uint64_t nanoseconds = 0;  ///< duration by the device's clock
};

/// Indices of the times, in nanoseconds of the device's clock, when parts of a search began.
enum SearchTime : std::uint32_t { search_began, leaves_began, names_began, search_ended, search_times };

/// The state that a search keeps on the device for the next launch and for the host, which reads it in one copy.
template <class State>
struct Saved {
  State state;
  std::uint64_t times[search_times];
};

/// The durations of a search and of its parts besides the levels, by the device's clock.
struct SearchNanoseconds {
  std::uint64_t start = 0;   ///< until the first level: clearing the last search's state
  std::uint64_t leaves = 0;  ///< the pass after the last level
  std::uint64_t names = 0;   ///< writing the labels of parents
  std::uint64_t all = 0;     ///< the whole search, levels included
};

/// The record of a search.
struct SearchRecord {
  std::vector<LevelRecord> levels;
  std::uint64_t leaves_claimed = 0;  ///< vertices claimed by the pass after the last level
  std::uint64_t launches = 0;        ///< launches of the whole program; 0 if the host launches the phases one by one
  SearchNanoseconds nanoseconds;
};

/// How a search is controlled.
struct SearchSettings {
  DeviceControl control = DeviceControl::persistent;
  std::uint32_t record_levels = 4096;  ///< levels in the device's record; the host reads it when it is full. >= 1
  std::uint64_t small_edges = 512;     ///< a push along fewer edges runs on one block, unless the host launches phases
  /// A push along at least this many edges does not queue the vertices that it finds: the next level takes them from
  /// the bitmap of all vertices.
  std::uint64_t many_edges = std::uint64_t{1} << 14U;
};

/// A graph, or a part of one, in the memory of a device, with its search.
class OnDevice {
 public:
  virtual ~OnDevice() = default;
  /// The name of the device.
  [[nodiscard]] virtual std::string device_name() const = 0;
  /// Bytes of the device's memory that the graph, or its part, and the search take.
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// Searches of one graph on a device, one at a time.
class Search : public OnDevice {
 public:
  /// Searches, and leaves the labels of parents, in the order of labels, in the memory of the device. Replaces the last
  /// search. O(vertices + edges + labels).
  virtual SearchRecord run(const SearchArguments& arguments) = 0;
  /// The vertex of a label below the number of labels; no_vertex for a label without edges. A look-up on the device.
  [[nodiscard]] virtual std::uint32_t vertex_of(std::uint32_t label) = 0;
  /// The labels of parents, in the memory of the device until the next search.
  [[nodiscard]] virtual ArrayView<const std::uint32_t> parents() const = 0;
  /// Copies the labels of parents to the host: one per label, with all bits set for no parent.
  virtual void copy_parents(std::span<std::uint32_t> parents) const = 0;
};

/// Simulates a device on the processor, warp by warp with lanes in lock step: for tests, and for use without a GPU.
std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, const SearchSettings& settings,
                                              ThreadTeam& threads);

/// Searches on the first GPU that this process may use. Throws as require_cuda, and OutOfMemory if the graph does not
/// fit.
std::unique_ptr<Search> make_cuda_search(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads);
/// Throws Error if there is no GPU, or if this program was built without CUDA. Allocates nothing on any GPU.
void require_cuda();
/// The GPUs that this process may use, by number, at least one. Throws as require_cuda.
std::vector<GpuId> visible_gpus();

/// A device and the free bytes of its memory.
struct DeviceMemory {
  std::string device;
  std::uint64_t free_bytes = 0;  ///< one rank's share, if several ranks share the device
};
/// The memory of a simulated device: that of the machine.
DeviceMemory simulated_memory();
/// The present memory of this rank's GPU. Makes that GPU the thread's current device. Throws as require_cuda.
DeviceMemory cuda_memory(const NodePlace& place = {});

// Shortest paths.

/// The arguments of a search for shortest paths.
struct PathArguments {
  std::uint32_t source = no_vertex;
  float delta = 0;         ///< the width of a bucket, > 0
  float max_distance = 0;  ///< vertices farther away are not reached
  /// After pushes along this many edges, sweeps over the vertices look for paths, unless all vertices have theirs.
  /// Before that, buckets have the width delta_before_sweeps.
  std::uint64_t pushed_before_sweeps = no_sweeps;
  float delta_before_sweeps = 0;  ///< > 0 if there are sweeps

  static constexpr std::uint64_t no_sweeps = ~std::uint64_t{0};
};

/// The upper bound of a bucket whose nearest vertex has the given distance: nearest + delta, but at least the next
/// larger float.
constexpr float bucket_end(float nearest, float delta) {
  const float sum = nearest + delta;
  const auto next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) + 1);
  return sum < next ? next : sum;
}

/// Searches of one graph for shortest paths, one at a time. Distances are those of ShortestPathSearch
/// (traverse/sssp.hpp).
class Paths : public OnDevice {
 public:
  /// Searches, and leaves distances and the labels of parents, in the order of labels, in the memory of the device.
  /// Replaces the last search.
  virtual SearchRecord run(const PathArguments& arguments) = 0;
  /// Copies distances and parents to the host: one per label, infinity and all bits set for an unreached label.
  virtual void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const = 0;
};

/// As make_simulated_search and make_cuda_search. The graph must have weights.
std::unique_ptr<Paths> make_simulated_paths(const HostGraph& graph, const SearchSettings& settings,
                                            ThreadTeam& threads);
std::unique_ptr<Paths> make_cuda_paths(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads);

}  // namespace breadth::gpu
