// Parting rows by owner, on vectors of any length.
#pragma once

#include <cstddef>
#include <span>

namespace breadth {

/// Which positions (graph/partition.hpp) are a rank's own: those that have these bits above the local id.
template <class Neighbour>
struct OwnPositions {
  Neighbour above;
  Neighbour local_mask;
};

/// Puts the local ids of those positions that are a rank's own to the front of `own`, and the other positions to the
/// front of `others`, both in the order that they have. Both have room for most_lanes more than there are positions.
/// Returns how many are own. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t split_row(std::span<const Neighbour> positions, OwnPositions<Neighbour> which, Neighbour* own,
                      Neighbour* others);

}  // namespace breadth
