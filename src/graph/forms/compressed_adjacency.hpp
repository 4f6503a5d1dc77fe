// Who is whose neighbour, in few bytes: compressed rows as kernel 1 writes them, and as searches read them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "simd/compressed_row.hpp"

namespace breadth {

// Rows of bytes.

/// Collects rows of rising numbers until they are taken; its own memory is used again.
template <class Number>
class CompressedRowsWriter {
 public:
  /// Appends a row of at least one number. Returns how many bytes it takes.
  std::size_t append(std::span<const Number> row) {
    const std::size_t needed = size_ + RowCode<Number>::most_bytes(row.size());
    if (bytes_.size() < needed) bytes_.resize(2 * needed);
    const std::size_t length = RowCode<Number>::compress(row, bytes_.data() + size_);
    size_ += length;
    return length;
  }

  /// The rows, with as many bytes behind them as a reader may touch. Starts over.
  Buffer<std::uint8_t> take() {
    Buffer<std::uint8_t> rows(size_ + RowCode<Number>::slack_bytes);
    std::copy_n(bytes_.begin(), size_, rows.begin());
    size_ = 0;
    return rows;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0;
};

/// Reads such rows from the first on.
template <class Number>
class CompressedRowsReader {
 public:
  explicit CompressedRowsReader(std::span<const std::uint8_t> rows) : next_(rows.data()) {}

  /// The next row, which has so many numbers. `to` has room for RowCode::group - 1 more.
  void read(std::size_t count, Number* to) {
    const std::uint8_t* const row = next_;
    for (std::size_t piece = 0; piece < RowCode<Number>::pieces(count); ++piece) {
      next_ = decompress_piece(row, count, piece, {}, to + piece * RowCode<Number>::piece);
    }
  }

 private:
  const std::uint8_t* next_;
};

// Rows, and columns of first neighbours.

/// Rows whose neighbours are compressed (simd/compressed_row.hpp): numbers that tell how connected a vertex is
/// (GlobalIdCode::order) rise along a row in small steps. No weights. A row is read in pieces, as global ids; what an
/// Adjacency shows in place is here decompressed to the reader's stack.
template <class OneNeighbour>
class CompressedAdjacency {
 public:
  using Neighbour = OneNeighbour;
  using Code = RowCode<Neighbour>;

  CompressedAdjacency() = default;
  /// `offsets` tells where the row of each vertex begins in `bytes`, and the last ends; after which there are
  /// Code::slack_bytes more.
  CompressedAdjacency(const GlobalIdCode& code, Buffer<std::uint32_t> degrees, Buffer<EdgeOffset> offsets,
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
    return bytes_beside_rows(degrees_.size(), offsets_.size()) + bytes_.size();
  }
  /// Bytes of the rows that are to be expected of so many entries in a graph of so many vertices with edges. How far
  /// apart neighbours are depends on the graph: these are Kronecker graphs' of scale 10 to 22, fitted within 0.5 %.
  static std::uint64_t expected_row_bytes(std::uint64_t entries, std::uint64_t vertices) {
    const double bits = std::log2(static_cast<double>(std::max<std::uint64_t>(vertices, 1)));
    const double of_entry = 1.35 - 0.0297 * bits + 0.00227 * bits * bits;
    return static_cast<std::uint64_t>(static_cast<double>(entries) * of_entry);
  }
  static constexpr std::uint64_t bytes_beside_rows(std::uint64_t vertices, std::uint64_t offsets) noexcept {
    return vertices * sizeof(std::uint32_t) + offsets * sizeof(EdgeOffset);
  }

  /// What the row holds, for those who read it compressed.
  [[nodiscard]] const std::uint8_t* row_bytes(LocalVertex vertex) const noexcept {
    return bytes_.data() + offsets_[vertex.index()];
  }
  [[nodiscard]] RotatedBits code() const noexcept { return code_; }

  /// Calls body(global_ids) for the neighbours at places [begin, end) of a row, in one or several parts.
  template <class Body>
  void for_each_span(LocalVertex vertex, IndexRange places, Body&& body) const {
    std::array<Neighbour, Code::piece> global_ids;
    const std::size_t count = degree(vertex);
    for (std::size_t place = places.begin; place < places.end;) {
      const std::size_t piece = place / Code::piece;
      const std::size_t first = piece * Code::piece;
      const std::size_t end = std::min(first + Code::piece, places.end);
      decompress_piece(row_bytes(vertex), count, piece, code_, global_ids.data());
      body(std::span<const Neighbour>(global_ids).subspan(place - first, end - place));
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
