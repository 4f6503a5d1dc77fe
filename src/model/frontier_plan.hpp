// What it takes that every rank has the frontier of all.
#pragma once

#include <cstdint>

#include "core/policy/replication.hpp"

namespace breadth {

// What it takes that ranks have each other's distances.

/// How searches for shortest paths keep and move all ranks' distances (traverse/replication/replicated_distances.hpp):
/// sweeps read them, and so do buckets where that pays (core/policy/replication.hpp).
struct DistancePlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;       ///< that the ranks are on, evenly; 0: each is on its own
  bool may_sweep = true;         ///< where vertices are in the order of degrees
  bool known_in_buckets = true;  ///< unless it does not pay
};

/// Where a pull finds the frontier: every rank has all of it; each has its own part twice, and asks the others; or each
/// has what it needs, since subgraphs go their own ways and light vertices of other ranks are never looked at
/// (traverse/papers/separated_search.hpp), or since its device has it (traverse/devices/gpu_search.hpp).
enum class FrontierHolding { replicated, asked, apart, on_devices };

/// How a search keeps and moves the frontier of its pulls (traverse/replication/replicated_frontier.hpp).
struct FrontierPlan {
  Replication how = Replication::allgather;
  std::uint64_t nodes = 0;        ///< that the ranks are on, evenly; 0: each is on its own
  std::uint64_t granularity = 0;  ///< of the summary; 0 for none
  SharedBits bits = SharedBits::automatic;
  FrontierHolding holding = FrontierHolding::replicated;
  bool keeps_levels = false;  ///< a word for each vertex (traverse/papers/light_parents.hpp)
  bool only_pushes = false;   ///< every edge to another rank is a query

  /// The nodes of so many ranks.
  [[nodiscard]] std::uint64_t node_count(std::uint64_t ranks) const { return nodes == 0 ? ranks : nodes; }
  /// Whether so many ranks share the bits of unvisited vertices alone, but for the first time in a search.
  [[nodiscard]] bool leaves_out_visited(std::uint64_t ranks) const {
    return ranks > 1 && breadth::leaves_out_visited(bits, node_count(ranks), granularity != 0);
  }
};

/// Bytes that all ranks together send for one pull level that replicates the frontier, of a bitmap of so many bytes
/// without a summary.
struct PullTraffic {
  double bytes = 0;
  double bytes_between_nodes = 0;
};

/// By Cui et al. 2012, equations 1 (allgather) and 2 (the others, between nodes).
PullTraffic predict_pull(double bitmap_bytes, int ranks, const FrontierPlan& plan);

/// Memory of all ranks for the frontier. `bitmap_bytes` are those of one copy, gaps between ranks included, and
/// `part_bytes` what the ranks' own parts of it are together.
std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan);

}  // namespace breadth
