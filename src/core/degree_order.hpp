// Looking for degrees in the order of vertices by degree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"
#include "core/parallel.hpp"

namespace breadth {

/// In the order of degrees, the first of vertices [first, end) from which on each has at most so many edges, 32 at the
/// most. `degree` tells a vertex's. O(log vertices).
template <class Degree>
std::size_t first_with_at_most(std::size_t edges, IndexRange vertices, Degree&& degree) {
  std::size_t first = vertices.begin;
  for (std::size_t end = vertices.end; first < end;) {
    const std::size_t middle = first + (end - first) / 2;
    if (degree(LocalVertex{static_cast<std::uint32_t>(middle)}) > edges) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

}  // namespace breadth
