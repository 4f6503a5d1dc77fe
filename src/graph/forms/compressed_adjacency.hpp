// Who is whose neighbour, in few bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "simd/compressed_row.hpp"

namespace breadth {

/// Rows whose neighbours are compressed (simd/compressed_row.hpp): numbers that tell how connected a vertex is
/// (PositionCode::order) rise along a row in small steps. No weights. A row is read in pieces, as positions; what an
/// Adjacency shows in place is here decompressed to the reader's stack.
template <class OneNeighbour>
class CompressedAdjacency {
 public:
  using Neighbour = OneNeighbour;
  using Code = RowCode<Neighbour>;

  CompressedAdjacency() = default;
  /// `offsets` tells where the row of each vertex begins in `bytes`, and the last ends; after which there are
  /// Code::slack_bytes more.
  CompressedAdjacency(const PositionCode& code, Buffer<std::uint32_t> degrees, Buffer<EdgeOffset> offsets,
                      Buffer<std::uint8_t> bytes, std::uint64_t entries)
      : code_{code.rank_bits(), code.local_bits()},
        degrees_(std::move(degrees)),
        offsets_(std::move(offsets)),
        bytes_(std::move(bytes)),
        entries_(entries) {}

  /// Neighbours in all rows.
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }
  /// Neighbours in the rows of these vertices. O(vertices).
  [[nodiscard]] std::uint64_t entries(IndexRange vertices) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = vertices.begin; i < vertices.end; ++i) sum += degrees_[i];
    return sum;
  }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return degrees_[vertex.index()]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return degrees_.size() * sizeof(std::uint32_t) + offsets_.size() * sizeof(EdgeOffset) + bytes_.size();
  }

  /// What the row holds, for those who read it compressed.
  [[nodiscard]] const std::uint8_t* row_bytes(LocalVertex vertex) const noexcept {
    return bytes_.data() + offsets_[vertex.index()];
  }
  [[nodiscard]] RotatedBits code() const noexcept { return code_; }

  /// Calls body(positions) for the neighbours at places [begin, end) of a row, in one or several stretches.
  template <class Body>
  void for_each_stretch(LocalVertex vertex, IndexRange places, Body&& body) const {
    std::array<Neighbour, Code::piece> positions;
    const std::size_t count = degree(vertex);
    for (std::size_t place = places.begin; place < places.end;) {
      const std::size_t piece = place / Code::piece;
      const std::size_t first = piece * Code::piece;
      const std::size_t end = std::min(first + Code::piece, places.end);
      decompress_piece(row_bytes(vertex), count, piece, code_, positions.data());
      body(std::span<const Neighbour>(positions).subspan(place - first, end - place));
      place = end;
    }
  }

  /// Asks for what will be read to find the row, and later for the row. Not left to the compiler to inline: g++ drops
  /// calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch_index(LocalVertex vertex) const {
    __builtin_prefetch(offsets_.data() + vertex.index());
    __builtin_prefetch(degrees_.data() + vertex.index());
  }
  [[gnu::always_inline]] void prefetch_row(LocalVertex vertex) const { __builtin_prefetch(row_bytes(vertex)); }

 private:
  RotatedBits code_;
  Buffer<std::uint32_t> degrees_;
  Buffer<EdgeOffset> offsets_;
  Buffer<std::uint8_t> bytes_;
  std::uint64_t entries_ = 0;
};

}  // namespace breadth
