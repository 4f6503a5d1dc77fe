// The inner loops of pull levels, which find vertices with a neighbour in the frontier, on vectors of any length.
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

/// Tests one neighbour of each of 64 * wanted.size() consecutive vertices. If bit i of `wanted` is set and
/// global_ids[i] is in the frontier, sets bit i of `found`, and parents[i] to labels[i]. The arrays may end with the
/// last wanted vertex. Neighbour is uint32_t or uint64_t. O(64 * words), without a branch on the content of the
/// frontier (TianheGraph, section 4.2).
template <class Neighbour>
void test_column(const Neighbour* global_ids, const Neighbour* labels, FrontierBits frontier,
                 std::span<const std::uint64_t> wanted, std::span<std::uint64_t> found, Neighbour* parents);

/// Searches a batch of rows, each from its front to the first neighbour in the frontier. If the rows of the last batch
/// ended after few neighbours, as many rows are searched side by side as a vector has lanes; else one row after the
/// other.
template <class Neighbour>
class RowSearch {
 public:
  /// Makes room for `max_rows` rows.
  explicit RowSearch(std::size_t max_rows);

  /// Starts a new batch of rows that lie behind `neighbours`.
  void start(const Neighbour* neighbours) {
    neighbours_ = neighbours;
    rows_ = 0;
  }
  /// Adds the neighbours [begin, end) of a vertex, at least one. Returns false, and adds nothing, if they lie too far
  /// behind the start of the batch: offsets from there are signed numbers of the neighbours' width.
  bool add(std::uint32_t vertex, const Neighbour* begin, const Neighbour* end) {
    if (end - neighbours_ > std::numeric_limits<std::make_signed_t<Neighbour>>::max()) return false;
    vertices_[rows_] = vertex;
    nexts_[rows_] = static_cast<Neighbour>(begin - neighbours_);
    ends_[rows_] = static_cast<Neighbour>(end - neighbours_);
    __builtin_prefetch(begin);
    __builtin_prefetch(begin + 64 / sizeof(Neighbour));
    ++rows_;
    return true;
  }
  /// Searches the added rows. Returns the number of neighbours examined.
  std::uint64_t run(const Frontier& frontier);

  /// The vertices that have a neighbour in the frontier, in unspecified order, and these neighbours.
  [[nodiscard]] std::span<const Neighbour> found_vertices() const { return std::span(found_vertices_).first(found_); }
  [[nodiscard]] std::span<const Neighbour> found_neighbours() const {
    return std::span(found_neighbours_).first(found_);
  }

  /// The arrays that the kernels work on: remaining rows, and results. Each has room for one vector more than there are
  /// rows.
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
  bool end_soon_ = true;  ///< whether the rows of the last batch mostly ended after few neighbours
  std::vector<Neighbour> vertices_;
  std::vector<Neighbour> nexts_;
  std::vector<Neighbour> ends_;
  std::vector<Neighbour> found_vertices_;
  std::vector<Neighbour> found_neighbours_;
};

}  // namespace breadth
