// What it takes that ranks have each other's distances.
#pragma once

#include <cstdint>

#include "core/policy/replication.hpp"

namespace breadth {

/// How searches for shortest paths keep and move all ranks' distances (traverse/replication/replicated_distances.hpp):
/// sweeps read them, and so do buckets where that pays (core/policy/known_distances.hpp).
struct DistancePlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;       ///< that the ranks are on, evenly; 0: each is on its own
  bool may_sweep = true;         ///< where vertices are in the order of degrees
  bool known_in_buckets = true;  ///< unless it does not pay
};

}  // namespace breadth
