// Who is not visited yet? The inner loops of push levels, on vectors of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/frontier.hpp"

namespace breadth {

/// Sets the bits of those neighbours that a bitmap does not have, and gives them `label` as their parent. They go to
/// the front of `claimed`, which has room for most_lanes more than there are neighbours. Returns how many there are. No
/// neighbour is there twice, and no other thread uses the words of their bits. Neighbour is uint32_t or uint64_t.
template <class Neighbour>
std::size_t claim_unvisited(std::span<const Neighbour> neighbours, Neighbour label, std::uint64_t* visited,
                            Neighbour* parents, Neighbour* claimed);

/// Copies those neighbours that a bitmap does not have to the front of `unvisited`, which has room for most_lanes more
/// than there are neighbours. Returns how many there are. No other thread sets bits meanwhile. Neighbour is uint32_t
/// or uint64_t.
template <class Neighbour>
std::size_t copy_unvisited(std::span<const Neighbour> neighbours, const std::uint64_t* visited, Neighbour* unvisited);

}  // namespace breadth
