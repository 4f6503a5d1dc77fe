// Which vertices have a neighbour in the frontier? The inner loops of pull levels, on vectors of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/ids.hpp"
#include "simd/frontier.hpp"

namespace breadth {

/// Tests one neighbour of each of 64 * wanted.size() consecutive vertices. Bit i of found becomes set if bit i of
/// wanted is and the frontier has global_ids[i]; then parents[i] becomes labels[i]. Neighbour is uint32_t or
/// uint64_t. The arrays end with the last wanted vertex. O(64 * words), no branch on what the frontier holds
/// (TianheGraph, section 4.2).
template <class Neighbour>
void test_column(const Neighbour* global_ids, const Neighbour* labels, FrontierBits frontier,
                 std::span<const std::uint64_t> wanted, std::span<std::uint64_t> found, Neighbour* parents);

/// Rows of neighbours that are searched together, each from its front to the first neighbour in the frontier: as many
/// rows at a time as a vector has lanes, if the rows before ended after few neighbours, else one row after the other.
template <class Neighbour>
class RowSearch {
 public:
  /// Makes room for that many rows.
  explicit RowSearch(std::size_t most_rows);

  /// Starts over. `neighbours` is what the offsets of the rows count from.
  void start(const Neighbour* neighbours) {
    neighbours_ = neighbours;
    rows_ = 0;
  }
  /// The largest offset: lanes count in signed numbers.
  static constexpr EdgeOffset longest =
      static_cast<EdgeOffset>(std::numeric_limits<std::make_signed_t<Neighbour>>::max());
  /// Adds the neighbours [begin, end) of a vertex: at least one, and end at most `longest`.
  void add(std::uint32_t vertex, EdgeOffset begin, EdgeOffset end) {
    vertices_[rows_] = vertex;
    nexts_[rows_] = static_cast<Neighbour>(begin);
    ends_[rows_] = static_cast<Neighbour>(end);
    __builtin_prefetch(neighbours_ + begin);
    __builtin_prefetch(neighbours_ + begin + 64 / sizeof(Neighbour));
    ++rows_;
  }
  /// Searches the rows that were added. Returns how many neighbours it looked at.
  std::uint64_t run(const Frontier& frontier);

  /// The vertices that have a neighbour in the frontier, and which, in no order.
  [[nodiscard]] std::span<const Neighbour> found_vertices() const { return std::span(found_vertices_).first(found_); }
  [[nodiscard]] std::span<const Neighbour> found_neighbours() const {
    return std::span(found_neighbours_).first(found_);
  }

  /// What the vectors work on: rows that are left, and results. Room for a vector more than there are rows.
  struct Arrays {
    const Neighbour* neighbours;
    Neighbour* vertices;
    Neighbour* nexts;
    Neighbour* ends;
    Neighbour* found_vertices;
    Neighbour* found_neighbours;
  };

 private:
  const Neighbour* neighbours_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t found_ = 0;
  bool end_soon_ = true;  ///< what was searched last mostly ended after few neighbours
  std::vector<Neighbour> vertices_;
  std::vector<Neighbour> nexts_;
  std::vector<Neighbour> ends_;
  std::vector<Neighbour> found_vertices_;
  std::vector<Neighbour> found_neighbours_;
};

}  // namespace breadth
