// How a search's options choose its directions.
#pragma once

#include <cstdint>

#include "core/direction.hpp"
#include "traverse/bfs.hpp"

namespace breadth {

inline DirectionRule direction_rule(const BfsOptions& options) {
  return {options.direction, options.alpha, options.beta};
}

/// Frontier edges that are too few for a pull, whatever else holds: of `edges`, the frontier's and the unvisited ones
/// together.
inline std::uint64_t too_few_to_pull(std::uint64_t edges, double alpha) {
  return static_cast<std::uint64_t>(static_cast<double>(edges) / (alpha + 1));
}

}  // namespace breadth
