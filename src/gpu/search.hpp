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
  std::span<const float> weights;             ///< beside these, for shortest paths only
  std::span<const std::uint32_t> labels;      ///< of each vertex
  std::span<const std::uint64_t> connected;   ///< a bit a label: whether it has edges
  std::span<const std::uint32_t> vertices;    ///< of the labels that have edges, in the order of labels
  std::uint32_t label_count = 0;
  RowBounds bounds;
  std::span<const std::uint64_t> ends;  ///< where each row ends, if that is not where the next one starts

  [[nodiscard]] std::span<const std::uint64_t> row_ends() const {
    return ends.empty() && !offsets.empty() ? offsets.subspan(1) : ends;
  }
};

/// What stands for the source where that has no edges, and so is no vertex here.
inline constexpr std::uint32_t no_vertex = ~std::uint32_t{0};

/// What a search is asked for.
struct SearchOrders {
  std::uint32_t source = no_vertex;
  DirectionRule direction;
  std::uint64_t most_levels = ~std::uint64_t{0};
};

/// What one level did.
struct LevelRecord {
  Direction direction = Direction::push;
  std::uint64_t frontier = 0;  ///< vertices that it started from
  std::uint64_t edges_examined = 0;
  std::uint64_t claimed = 0;      ///< vertices that got a parent
  std::uint64_t began = 0;        ///< by the device's own clock, in nanoseconds, though it may tick in microseconds
  std::uint64_t nanoseconds = 0;  ///< that it took, by the same
};

/// What a device's clock had, in nanoseconds, when parts of a search began.
enum SearchTime : std::uint32_t { search_began, leaves_began, names_began, search_ended, search_times };

/// What a search keeps on the device for the next launch and for the host, which fetches it as one.
template <class State>
struct Saved {
  State state;
  std::uint64_t times[search_times];
};

/// What parts of a search took beside its levels, by the device's clock.
struct SearchNanoseconds {
  std::uint64_t start = 0;   ///< until the first level: clearing what the last search left
  std::uint64_t leaves = 0;  ///< the pass after the last level
  std::uint64_t names = 0;   ///< writing the labels of parents
  std::uint64_t all = 0;     ///< the whole search, its levels among it
};

/// What a search did.
struct SearchRecord {
  std::vector<LevelRecord> levels;
  std::uint64_t leaves_claimed = 0;  ///< by the pass after the last level
  std::uint64_t launches = 0;        ///< of the whole program; 0 where the host launches phases one by one
  SearchNanoseconds nanoseconds;
};

/// How a search is led.
struct SearchSettings {
  DeviceControl control = DeviceControl::persistent;
  std::uint32_t record_levels = 4096;  ///< that fit into the device's record; every so many, the host fetches it. >= 1
  std::uint64_t small_edges = 512;     ///< pushes along fewer edges are one block's; not where the host leads
  /// A push along as many edges does not queue what it finds: by the bits of all vertices the next level knows it too.
  std::uint64_t many_edges = std::uint64_t{1} << 14U;
};

/// What is on a device to search there.
class OnDevice {
 public:
  virtual ~OnDevice() = default;
  /// What the device is called.
  [[nodiscard]] virtual std::string device_name() const = 0;
  /// Bytes of its memory that a graph, or a part of one, and its search take.
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// Searches of one graph on a device, one at a time.
class Search : public OnDevice {
 public:
  /// Forgets the last search, searches, and leaves the labels of parents in the order of labels in the memory of the
  /// device. O(vertices + edges + labels).
  virtual SearchRecord run(const SearchOrders& orders) = 0;
  /// The vertex of a label, which is below their number: no_vertex for one without edges. A look-up on the device.
  [[nodiscard]] virtual std::uint32_t vertex_of(std::uint32_t label) = 0;
  /// These labels, in the memory of the device until the next search.
  [[nodiscard]] virtual ArrayView<const std::uint32_t> parents() const = 0;
  /// Copies these to the host: one a label, all bits set for none.
  virtual void copy_parents(std::span<std::uint32_t> parents) const = 0;
};

/// On the processor, warps one after the other, lanes in lock step: for tests, and to try without a GPU.
std::unique_ptr<Search> make_simulated_search(const HostGraph& graph, const SearchSettings& settings,
                                              ThreadTeam& threads);

/// On the first GPU that this process may use. Throws as require_cuda, and OutOfMemory where the graph does not fit.
std::unique_ptr<Search> make_cuda_search(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads);
/// Throws Error where there is no GPU, or this program was built without CUDA. Takes nothing of any GPU.
void require_cuda();
/// The GPUs that this process may use, by number, at least one. Throws as require_cuda.
std::vector<GpuId> visible_gpus();

/// A device and the bytes of its memory.
struct DeviceMemory {
  std::string device;
  std::uint64_t free_bytes = 0;  ///< for a rank, where several share it
};
/// Of a simulated device, which is the memory of the machine.
DeviceMemory simulated_memory();
/// Of this rank's GPU as it is now, which is chosen for the thread. Throws as require_cuda.
DeviceMemory cuda_memory(const NodePlace& place = {});

// Shortest paths.

/// What a search is asked for.
struct PathOrders {
  std::uint32_t source = no_vertex;
  float delta = 0;          ///< the width of a bucket, > 0
  float most_distance = 0;  ///< vertices farther away are not reached
  /// Once so many edges were pushed along, vertices look for paths, unless all have theirs; until then buckets have a
  /// width of their own.
  std::uint64_t pushed_before_sweeps = no_sweeps;
  float delta_before_sweeps = 0;  ///< > 0 where there are any

  static constexpr std::uint64_t no_sweeps = ~std::uint64_t{0};
};

/// The bound of the bucket whose nearest vertex is so far away: delta more, at least the next larger distance.
constexpr float beyond(float nearest, float delta) {
  const float sum = nearest + delta;
  const auto next = std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) + 1);
  return sum < next ? next : sum;
}

/// Searches of one graph for shortest paths, one at a time; distances as ShortestPathSearch (traverse/sssp.hpp)
/// has them.
class Paths : public OnDevice {
 public:
  /// Forgets the last search, searches, and leaves distances and the labels of parents in the order of labels in the
  /// memory of the device.
  virtual SearchRecord run(const PathOrders& orders) = 0;
  /// Copies these to the host: one a label, infinity and all bits set for none.
  virtual void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const = 0;
};

/// As make_simulated_search and make_cuda_search; the graph has weights.
std::unique_ptr<Paths> make_simulated_paths(const HostGraph& graph, const SearchSettings& settings,
                                            ThreadTeam& threads);
std::unique_ptr<Paths> make_cuda_paths(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads);

}  // namespace breadth::gpu
