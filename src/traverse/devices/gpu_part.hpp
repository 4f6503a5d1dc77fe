// A rank's part of a graph in the form in which devices search it together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/thread_team.hpp"
#include "gpu/part_search.hpp"
#include "graph/graph.hpp"

namespace breadth {

/// Numbers for those vertices of other ranks that a rank's rows lead to: rank after rank, each rank's in the order of
/// their local ids and from a multiple of 32 on.
class Ghosts {
 public:
  /// Of these rows' neighbours, as positions. A bit and a half for each position that there is, and 4 bytes a ghost.
  /// Throws Error where 32 bits are not enough for all.
  Ghosts(std::span<const std::uint32_t> neighbours, const Partition& partition, ThreadTeam& threads);

  [[nodiscard]] std::uint32_t number(std::uint64_t position) const {
    const std::size_t word = position / bits_per_word;
    const std::uint64_t before = present_.words()[word] & (bit_in_word(position) - 1);
    return first_in_word_[word] + static_cast<std::uint32_t>(std::popcount(before));
  }
  /// Of each number the local id on the rank that owns it, of each 32 that rank.
  [[nodiscard]] std::span<const std::uint32_t> vertices() const { return vertices_.span(); }
  [[nodiscard]] std::span<const std::uint32_t> owners() const { return owners_; }
  /// How many there are of each rank.
  [[nodiscard]] std::span<const std::size_t> counts() const { return counts_; }

 private:
  void number_all(const PositionCode& code, std::size_t ranks);

  Bitmap present_;                       ///< by position
  Buffer<std::uint32_t> first_in_word_;  ///< of each word of these, the number of its first
  Buffer<std::uint32_t> vertices_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::size_t> counts_;
};

/// What of edges a search wants: that they are there, or their weights too, which are their lengths.
enum class PartEdges { alone, with_lengths };

/// Rows that name vertices of this rank by their local ids, and behind them ghosts by their numbers. Takes as much
/// memory as the graph's neighbours, with lengths twice that, and 12 bytes a vertex, until it has been copied to a
/// device.
class GpuPart {
 public:
  /// Of plain rows of 32 bits. O(edges), of which each is looked at four times.
  GpuPart(const Graph& graph, PartEdges edges, ThreadTeam& threads);

  [[nodiscard]] const Ghosts& ghosts() const { return ghosts_; }
  /// Edges from vertices to vertices here, each way counted.
  [[nodiscard]] std::uint64_t own_entries() const { return own_entries_; }
  /// `incoming`: what other ranks count of this one's vertices among their ghosts. The graph and this outlive it.
  [[nodiscard]] gpu::HostPart view(const Graph& graph, std::uint64_t incoming) const;

 private:
  void lay_out(const Graph& graph, ThreadTeam& threads);

  Ghosts ghosts_;
  Buffer<std::uint64_t> ends_;  ///< of each row's neighbours here
  Buffer<std::uint32_t> neighbours_;
  Buffer<float> lengths_;
  Buffer<std::uint32_t> labels_;
  std::uint64_t own_entries_ = 0;
  gpu::RowBounds bounds_;
};

}  // namespace breadth
