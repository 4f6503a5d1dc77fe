// Compressed rows: the neighbours of a vertex in few bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "simd/frontier.hpp"

namespace breadth {

/// Converts a number of a compressed row (GlobalIdCode::order) into a global id: its low `rank_bits` move above the
/// other `local_bits` (graph/partition.hpp, GlobalIdCode::from_order).
struct RotatedBits {
  int rank_bits = 0;
  int local_bits = 0;

  template <class Number>
  [[nodiscard]] Number global_id(Number order) const {
    return static_cast<Number>(((order & ((Number{1} << rank_bits) - 1)) << local_bits) | (order >> rank_bits));
  }
};

/// Ascending numbers as differences in the StreamVByte format (Lemire, Kurz & Rupp 2018): first a code of 2 bits for
/// each number, then the bytes of the numbers. A code stands for 1, 2, 3 or 4 bytes; for numbers of 64 bits, which are
/// not part of the format, for 1, 2, 4 or 8. A row of more than `piece` neighbours is divided into pieces so that
/// threads can share it. Each piece starts again from 0, and the row begins with a table of where all pieces but the
/// first begin.
template <class Number>
struct RowCode {
  static_assert(sizeof(Number) == 4 || sizeof(Number) == 8);
  static constexpr std::size_t piece = 512;
  /// A reader takes `group` numbers at a time, and may read up to slack_bytes bytes beyond the last of a row.
  static constexpr std::size_t group = 4;
  static constexpr std::size_t slack_bytes = 16;
  /// The number of bytes for each code.
  static constexpr std::array<std::uint8_t, 4> lengths =
      sizeof(Number) == 4 ? std::array<std::uint8_t, 4>{1, 2, 3, 4} : std::array<std::uint8_t, 4>{1, 2, 4, 8};

  [[nodiscard]] static std::size_t pieces(std::size_t count) { return (count + piece - 1) / piece; }
  [[nodiscard]] static std::size_t count_in_piece(std::size_t count, std::size_t i) {
    return std::min(piece, count - i * piece);
  }
  [[nodiscard]] static std::size_t code_bytes(std::size_t count) { return (count + group - 1) / group; }
  /// The most bytes that compress() writes for `count` neighbours.
  [[nodiscard]] static std::size_t max_bytes(std::size_t count) {
    return pieces(count) * (table_entry + 1) + code_bytes(count) + (count + 1) * sizeof(Number);
  }
  /// Where piece i of a row of `count` neighbours begins.
  [[nodiscard]] static const std::uint8_t* piece_at(const std::uint8_t* row, std::size_t count, std::size_t i) {
    const std::uint8_t* first = row + table_bytes(count);
    if (i == 0) return first;
    std::uint64_t offset;
    std::memcpy(&offset, row + (i - 1) * table_entry, sizeof offset);
    return first + offset;
  }

  /// Compresses a strictly ascending row to `to`, which must have room for max_bytes. Returns the number of bytes.
  static std::size_t compress(std::span<const Number> row, std::uint8_t* to);

 private:
  static constexpr std::size_t table_entry = sizeof(std::uint64_t);
  static std::size_t table_bytes(std::size_t count) { return count == 0 ? 0 : (pieces(count) - 1) * table_entry; }
};

/// Decompresses one piece of a compressed row of `count` neighbours to global ids. Writes whole groups; `global_ids`
/// must have room for RowCode::piece. Returns where the piece ends. O(piece).
template <class Number>
const std::uint8_t* decompress_piece(const std::uint8_t* row, std::size_t count, std::size_t piece, RotatedBits code,
                                     Number* global_ids);

/// Searches compressed rows one after the other, each from its front to the first neighbour in the frontier. The rest
/// of a row is not decompressed.
template <class Number>
class CompressedRowSearch {
 public:
  struct Row {
    const std::uint8_t* bytes;
    std::uint32_t vertex;
    std::uint32_t count;
  };
  /// Makes room for `max_rows` rows.
  explicit CompressedRowSearch(std::size_t max_rows) : found_vertices_(max_rows), found_neighbours_(max_rows) {
    rows_.reserve(max_rows);
  }

  /// Starts a new batch.
  void start(RotatedBits code) {
    code_ = code;
    rows_.clear();
  }
  /// Adds a vertex with at least one neighbour.
  void add(const Row& row) {
    rows_.push_back(row);
    __builtin_prefetch(row.bytes);
    __builtin_prefetch(row.bytes + RowCode<Number>::code_bytes(row.count));
  }
  /// Searches the added rows. Returns the number of neighbours examined. Reads the bitmap only, because decoding a row
  /// costs more than a summary could save.
  std::uint64_t run(const Frontier& frontier);

  /// The vertices that have a neighbour in the frontier, in the order in which they were added, and these neighbours.
  [[nodiscard]] std::span<const std::uint32_t> found_vertices() const {
    return std::span(found_vertices_).first(found_);
  }
  [[nodiscard]] std::span<const Number> found_neighbours() const { return std::span(found_neighbours_).first(found_); }

 private:
  RotatedBits code_;
  std::vector<Row> rows_;
  std::size_t found_ = 0;
  std::vector<std::uint32_t> found_vertices_;
  std::vector<Number> found_neighbours_;
};

}  // namespace breadth
