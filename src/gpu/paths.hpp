// Shortest paths on a device.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/search.hpp"

namespace breadth::gpu {

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
class Paths {
 public:
  virtual ~Paths() = default;
  /// Forgets the last search, searches, and leaves distances and the labels of parents in the order of labels in the
  /// memory of the device.
  virtual SearchRecord run(const PathOrders& orders) = 0;
  /// Copies these to the host: one a label, infinity and all bits set for none.
  virtual void copy_tree(std::span<std::uint32_t> parents, std::span<float> distances) const = 0;

  [[nodiscard]] virtual std::string device_name() const = 0;
  /// Bytes of its memory that graph and search take.
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// As make_simulated_search and make_cuda_search; the graph has weights.
std::unique_ptr<Paths> make_simulated_paths(const HostGraph& graph, const SearchSettings& settings,
                                            ThreadTeam& threads);
std::unique_ptr<Paths> make_cuda_paths(const HostGraph& graph, const SearchSettings& settings, ThreadTeam& threads);

}  // namespace breadth::gpu
