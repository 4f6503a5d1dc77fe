// Predicts the traffic between ranks in a search, by the formulas of papers.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/policy/graph_layout.hpp"
#include "model/graph_size.hpp"

namespace breadth {

/// The traffic of a search that pushes along every edge and never pulls; partial messages are not counted.
struct PushTraffic {
  double messages_per_rank = 0;  ///< Fuentes et al. 2014, equation 1
  double bytes = 0;              ///< of all ranks; Fuentes et al., equation 2, where a query takes 16 bytes
};

/// The bytes that all ranks together send for one pull level with a replicated frontier, without a summary.
struct PullTraffic {
  double bytes = 0;
  double bytes_between_nodes = 0;
};

/// Predicts a pull with a frontier bitmap of `bitmap_bytes` bytes by Cui et al. 2012, equations 1 (allgather) and 2
/// (the other steps, between nodes).
inline PullTraffic predict_pull(double bitmap_bytes, int ranks, const FrontierPlan& plan) {
  const double p = ranks;
  const auto nodes = static_cast<double>(plan.node_count(static_cast<std::uint64_t>(ranks)));
  const double to_leaders = bitmap_bytes * (p - nodes) / p;  // from each rank that is not a leader
  const double from_leaders = bitmap_bytes * (p - nodes);
  const double between_leaders = bitmap_bytes * (nodes - 1);
  switch (plan.how) {
    case Replication::allgather: return {bitmap_bytes * (p - 1), bitmap_bytes * (p - p / nodes)};
    case Replication::leader: return {to_leaders + between_leaders + from_leaders, between_leaders};
    case Replication::shared_in: return {to_leaders + between_leaders, between_leaders};
    case Replication::shared:
    case Replication::subgroups: break;
  }
  return {between_leaders, between_leaders};
}

/// The most that a search on a grid of ranks sends, all ranks together (traverse/papers/paper_searches.hpp).
struct GridTraffic {
  double expand_bytes_per_level = 0;  ///< n (R - 1) / 8: each column's frontier, as bits, to all of its ranks
  double fold_bytes = 0;              ///< n (C - 1) times the bytes of a vertex and its parent
  double messages_per_rank_and_level = 0;
};

/// Predicts the traffic for n vertices with edges, on R rows of C ranks.
inline GridTraffic predict_grid_traffic(std::uint64_t vertices, GridShape grid, double candidate_bytes) {
  const auto n = static_cast<double>(vertices);
  return {.expand_bytes_per_level = n * (grid.rows - 1) / 8,
          .fold_bytes = n * (grid.columns - 1) * candidate_bytes,
          .messages_per_rank_and_level = grid.rows + grid.columns - 2.0};
}

/// Predicts the traffic for `edges` undirected edges, pushed from both ends, whose ends are on any rank with equal
/// chance. The paper counts all tuples of the edge list, 2^scale times the edge factor. Kernel 1 drops duplicates and
/// self-loops, so `edges` is the number of distinct edges.
inline PushTraffic predict_push_traffic(std::uint64_t edges, int ranks, std::uint64_t coalescing,
                                        double query_bytes = 16) {
  const double n = ranks;
  const double queries = 2.0 * static_cast<double>(edges) * (n - 1) / n;  // every edge is looked at from both ends
  return {.messages_per_rank = queries / static_cast<double>(coalescing) / n, .bytes = queries * query_bytes};
}

/// The bytes that all ranks send to combine the masks of hubs after a level: one bit per hub in each direction, except
/// for each rank's own part (Pan et al. 2018, section V-A, where it is 2 d p / 8).
inline double predict_mask_bytes(std::uint64_t hubs, int ranks) {
  const std::uint64_t words = (hubs + 63) / 64;
  return 2.0 * 8 * static_cast<double>(words) * (ranks - 1);
}

/// The queries between `parts` parts of a graph before the first pull of a search.
inline double queries_before_pulls(std::uint64_t edges, double parts) {
  return 0.0146 * std::pow(2 * static_cast<double>(edges), 0.93) * (parts - 1) / parts;
}

/// The bytes that all ranks send in an average direction-optimising search of a Kronecker graph that replicates its
/// frontier, without hubs or a summary. There are queries before the first pull, and then the frontier: once for each
/// of about three pulls and once for the pass over the leaves. A whole frontier takes `pull_bytes`; less is sent if
/// ranks leave out vertices that are visited before. The number of queries varies more between graphs than it grows
/// with them: fitted within a quarter of all bytes at scales 16 to 22 on 2, 4 and 8 ranks
/// (benchmarks/results/ranks.md). A query takes 4 bytes in long runs.
inline double predict_search_traffic(std::uint64_t edges, int ranks, double pull_bytes, bool leaves_out_visited,
                                     double query_bytes = 4) {
  constexpr double whole_frontiers = 3.75;
  constexpr double frontiers_of_unvisited = 1.6;
  const double frontiers = leaves_out_visited ? frontiers_of_unvisited : whole_frontiers;
  return queries_before_pulls(edges, ranks) * query_bytes + frontiers * pull_bytes;
}

/// The bytes between nodes that the `hubs` most connected vertices as hubs save in a search as in
/// predict_search_traffic(); negative if they cost more. Nearly all queries of such a search come from hubs or go to
/// them (fitted within 40 % of the queries). A hub's bits in some levels and its parent take 4.25 bytes for each other
/// node.
inline double predict_hub_savings(std::uint64_t edges, std::uint64_t hubs, std::uint64_t nodes) {
  constexpr double query_bytes = 4;  // in long runs
  constexpr double hub_bytes = 4.25;
  const auto n = static_cast<double>(nodes);
  return queries_before_pulls(edges, n) * query_bytes - hub_bytes * static_cast<double>(hubs) * (n - 1);
}

/// The traffic of a search that only pushes, with groups of equal size, where queries for another group are forwarded.
struct RoutedTraffic {
  double messages_per_rank = 0;
  double bytes_inside = 0;   ///< of all ranks, each hop counted: to ranks of the same group
  double bytes_between = 0;  ///< to ranks of another group
};

/// Predicts routed traffic. `hops_inside` is the number of hops inside groups on the longest route to another group
/// (comm/routes/routed_exchange.hpp), beside the one hop between groups. Each of these hops is saved for one in
/// `group_ranks` ranks, which would send to itself. Addresses and partial messages are not counted. group_ranks is 1 ..
/// ranks.
inline RoutedTraffic predict_routed_traffic(std::uint64_t edges, int ranks, int group_ranks, int hops_inside,
                                            std::uint64_t coalescing, double query_bytes) {
  const double n = ranks;
  const double group = group_ranks;
  const double ends = 2.0 * static_cast<double>(edges);
  const double across = ends * (n - group) / n;
  const double inside = ends * (group - 1) / n + across * hops_inside * (group - 1) / group;
  return {.messages_per_rank = (inside + across) / static_cast<double>(coalescing) / n,
          .bytes_inside = inside * query_bytes,
          .bytes_between = across * query_bytes};
}

}  // namespace breadth
