// Compressed rows one after the other, as kernel 1 writes and reads them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/memory/buffer.hpp"
#include "simd/compressed_row.hpp"

namespace breadth {

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

}  // namespace breadth
