// Where ranks know each other's distances in buckets.
#pragma once

#include <cstdint>

namespace breadth {

/// Whether it pays that buckets know what others' vertices have, 4 bytes for each vertex with edges of the graph on
/// each node: where one has at least two edges from a node, of which one often comes in vain. `entries` are those of
/// all rows that are pushed along: an undirected edge is two.
constexpr bool worth_knowing_others(std::uint64_t nodes, std::uint64_t vertices, std::uint64_t entries) {
  return nodes == 1 || 2 * nodes * vertices <= entries;
}

}  // namespace breadth
