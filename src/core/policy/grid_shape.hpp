// Ranks in rows and columns.
#pragma once

#include "core/errors.hpp"

namespace breadth {

/// So many rows of so many ranks each: rank r is in row r / columns, column r % columns. 0 by 0 stands for as square a
/// grid as the number of ranks allows, of no more rows than columns.
struct GridShape {
  int rows = 0;
  int columns = 0;

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// The grid of so many ranks. Throws Error where the shape is for another number of them. O(sqrt(ranks)).
inline GridShape grid_of(GridShape shape, int ranks) {
  if (shape == GridShape{}) {
    shape.rows = 1;
    for (int rows = 2; rows <= ranks / rows; ++rows) {
      if (ranks % rows == 0) shape.rows = rows;
    }
    shape.columns = ranks / shape.rows;
  }
  if (shape.rows < 1 || shape.columns < 1 || ranks % shape.rows != 0 || ranks / shape.rows != shape.columns) {
    fail("partition {}x{} does not fit: the number of ranks is {}", shape.rows, shape.columns, ranks);
  }
  return shape;
}

}  // namespace breadth
