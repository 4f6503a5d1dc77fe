// Assigns vertices to threads by regions of labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// Assigns vertices to a few threads, on one rank, in graphs whose neighbours have near labels, such as grids, meshes
/// and roads. Labels are cut into regions of about equally many vertices, and the regions are dealt out to threads in
/// turn. Hardly an edge then leads to another thread's vertex, so that cache lines stay with one processor and are
/// written without atomic instructions.
class Regions {
 public:
  /// With more threads than this there are no regions: the vertices at some distance from the source lie in few
  /// regions, and a thread without any of them would have nothing to do.
  static constexpr int max_threads = 4;

  /// Returns nothing for one thread, for more than max_threads, or if more than one edge in 32 leads to another
  /// thread's vertex, of a sample of up to 2^16 edges. O(vertices / 64).
  template <class Rows>
  static std::optional<Regions> of(const Rows& rows, const Partition& partition, int threads) {
    if (threads == 1 || threads > max_threads || partition.local_count() == 0) return std::nullopt;
    const Regions regions(partition.offset_of_local(), threads);
    return regions.has_few_crossings(rows, partition.local_count()) ? std::optional(regions) : std::nullopt;
  }

  /// The thread that a local id belongs to.
  [[nodiscard]] int owner(std::size_t vertex) const noexcept { return owners_[vertex / together]; }

 private:
  static constexpr std::size_t regions_per_thread = 8;
  /// Consecutive vertices that get one owner, by the label of the first. Their labels are near each other in any order
  /// of vertices (graph/partition.hpp).
  static constexpr std::size_t together = 64;

  Regions(std::span<const std::uint32_t> labels, int threads) : owners_((labels.size() + together - 1) / together) {
    const std::vector<std::uint32_t> ends =
        ends_of_regions(labels, regions_per_thread * static_cast<std::size_t>(threads));
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      const auto region = std::upper_bound(ends.begin(), ends.end(), labels[i * together]) - ends.begin();
      owners_[i] = static_cast<std::uint8_t>(region % threads);
    }
  }

  /// Returns labels that cut the vertices into regions of about equally many.
  static std::vector<std::uint32_t> ends_of_regions(std::span<const std::uint32_t> labels, std::size_t regions) {
    constexpr std::size_t enough = std::size_t{1} << 12;
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < labels.size(); i += labels.size() / enough + 1) some.push_back(labels[i]);
    std::sort(some.begin(), some.end());
    std::vector<std::uint32_t> ends;
    for (std::size_t region = 1; region < regions; ++region) ends.push_back(some[some.size() * region / regions]);
    return ends;
  }

  template <class Rows>
  [[nodiscard]] bool has_few_crossings(const Rows& rows, std::size_t vertices) const {
    constexpr std::size_t max_rows = 4096;
    constexpr std::size_t most_of_a_row = 16;
    constexpr std::size_t edges_per_crossing = 32;
    std::size_t edges = 0;
    std::size_t crossings = 0;
    for (std::size_t i = 0; i < vertices; i += vertices / max_rows + 1) {
      const LocalVertex vertex{static_cast<std::uint32_t>(i)};
      rows.for_each_span(vertex, {0, std::min(rows.degree(vertex), most_of_a_row)}, [&](const auto& some) {
        edges += some.size();
        for (const auto neighbour : some) crossings += owner(neighbour) != owner(i) ? 1U : 0U;
      });
    }
    return crossings * edges_per_crossing <= edges;
  }

  std::vector<std::uint8_t> owners_;  ///< of each 64 vertices
};

}  // namespace breadth
