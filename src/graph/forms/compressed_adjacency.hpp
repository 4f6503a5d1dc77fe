// Compressed rows: a writer and a reader for kernel 1, and the adjacency that searches read.
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

/// Compresses rows of ascending numbers and collects them until take(). Reuses its memory.
template <class Number>
class CompressedRowsWriter {
 public:
  /// Appends a row of at least one number. Returns the row's size in bytes.
  std::size_t append(std::span<const Number> row) {
    const std::size_t needed = size_ + RowCode<Number>::max_bytes(row.size());
    if (bytes_.size() < needed) bytes_.resize(2 * needed);
    const std::size_t length = RowCode<Number>::compress(row, bytes_.data() + size_);
    size_ += length;
    return length;
  }

  /// Returns the rows, followed by as many bytes as a reader may touch, and starts over.
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

/// Reads rows of a CompressedRowsWriter, from the first on.
template <class Number>
class CompressedRowsReader {
 public:
  explicit CompressedRowsReader(std::span<const std::uint8_t> rows) : next_(rows.data()) {}

  /// Reads the next row, which has `count` numbers. `to` must have room for RowCode::group - 1 more.
  void read(std::size_t count, Number* to) {
    const std::uint8_t* const row = next_;
    for (std::size_t piece = 0; piece < RowCode<Number>::pieces(count); ++piece) {
      next_ = decompress_piece(row, count, piece, {}, to + piece * RowCode<Number>::piece);
    }
  }

 private:
  const std::uint8_t* next_;
};

// The adjacency.

/// Rows with compressed neighbours (simd/compressed_row.hpp). A row stores the differences between its numbers
/// GlobalIdCode::order, which ascend along the row in small steps, because the most connected vertices have the
/// smallest numbers. No weights. A row is decompressed in pieces to the reader's stack, as global ids.
template <class OneNeighbour>
class CompressedAdjacency {
 public:
  using Neighbour = OneNeighbour;
  using Code = RowCode<Neighbour>;

  CompressedAdjacency() = default;
  /// `offsets` has where the row of each vertex begins in `bytes`, and where the last row ends. Code::slack_bytes more
  /// bytes follow the last row.
  CompressedAdjacency(const GlobalIdCode& code, Buffer<std::uint32_t> degrees, Buffer<EdgeOffset> offsets,
                      Buffer<std::uint8_t> bytes, std::uint64_t entries)
      : code_{code.rank_bits(), code.local_bits()},
        degrees_(std::move(degrees)),
        offsets_(std::move(offsets)),
        bytes_(std::move(bytes)),
        entries_(entries) {}

  /// The number of neighbours in all rows.
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }
  /// The number of neighbours in the rows of these vertices. O(vertices).
  [[nodiscard]] std::uint64_t entries(IndexRange vertices) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = vertices.begin; i < vertices.end; ++i) sum += degrees_[i];
    return sum;
  }
  [[nodiscard]] std::size_t degree(LocalVertex vertex) const noexcept { return degrees_[vertex.index()]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_beside_rows(degrees_.size(), offsets_.size()) + bytes_.size();
  }
  /// The expected bytes of rows with `entries` entries, in a graph of `vertices` vertices with edges. The differences
  /// between neighbours depend on the graph: this formula is fitted to Kronecker graphs of scale 10 to 22, within 0.5
  /// %.
  static std::uint64_t expected_row_bytes(std::uint64_t entries, std::uint64_t vertices) {
    const double bits = std::log2(static_cast<double>(std::max<std::uint64_t>(vertices, 1)));
    const double of_entry = 1.35 - 0.0297 * bits + 0.00227 * bits * bits;
    return static_cast<std::uint64_t>(static_cast<double>(entries) * of_entry);
  }
  static constexpr std::uint64_t bytes_beside_rows(std::uint64_t vertices, std::uint64_t offsets) noexcept {
    return vertices * sizeof(std::uint32_t) + offsets * sizeof(EdgeOffset);
  }

  /// The compressed bytes of a row.
  [[nodiscard]] const std::uint8_t* row_bytes(LocalVertex vertex) const noexcept {
    return bytes_.data() + offsets_[vertex.index()];
  }

  /// Searches batches of rows for neighbours in the frontier, each row from its front.
  using Search = CompressedRowSearch<Neighbour>;
  void start(Search& search, LocalVertex) const { search.start(code_); }
  bool add(Search& search, LocalVertex vertex, IndexRange) const {
    search.add({row_bytes(vertex), vertex.value, degrees_[vertex.index()]});
    return true;
  }

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

  /// First prefetch the index entries of the row, and later the row. Always inlined: g++ drops calls that do nothing
  /// but prefetch.
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
