// How much ranks send each other in a search, by the papers' formulas.
#pragma once

#include <cstdint>

#include "core/policy/graph_layout.hpp"
#include "model/graph_size.hpp"

namespace breadth {

/// What a search that only pushes along every edge sends, partial messages not counted.
struct PushTraffic {
  double messages_per_rank = 0;  ///< Fuentes et al. 2014, equation 1
  double bytes = 0;              ///< of all ranks; their equation 2, where a query takes 16 bytes
};

/// Bytes that all ranks together send for one pull level that replicates the frontier, of a bitmap of so many bytes
/// without a summary.
struct PullTraffic {
  double bytes = 0;
  double bytes_between_nodes = 0;
};

/// By Cui et al. 2012, equations 1 (allgather) and 2 (the others, between nodes).
PullTraffic predict_pull(double bitmap_bytes, int ranks, const FrontierPlan& plan);

/// What a search on a grid of ranks sends at the most, all ranks together (traverse/papers/paper_searches.hpp).
struct GridTraffic {
  double expand_bytes_per_level = 0;  ///< n (R - 1) / 8: each column's frontier, as bits, to all of its ranks
  double fold_bytes = 0;              ///< n (C - 1) times the bytes of a vertex and its parent
  double messages_per_rank_and_level = 0;
};

/// For n vertices with edges, on R rows of C ranks.
GridTraffic predict_grid_traffic(std::uint64_t vertices, GridShape grid, double candidate_bytes);

/// For so many undirected edges, looked at from both ends, whose ends are on any rank alike. The paper counts all
/// tuples of the edge list, 2^scale times the edge factor; where duplicates and self-loops are dropped beforehand, as
/// in kernel 1 here, it is the distinct edges that are left.
PushTraffic predict_push_traffic(std::uint64_t edges, int ranks, std::uint64_t coalescing, double query_bytes = 16);

/// What all ranks send to combine the masks of so many hubs after a level: a bit a hub there and back, but for each
/// rank's own part (Pan et al. 2018, section V-A, where it is 2 d p / 8).
double predict_mask_bytes(std::uint64_t hubs, int ranks);

/// What all ranks send in an average search of a Kronecker graph that chooses its directions and replicates its
/// frontier, without hubs or a summary: queries before it pulls, and then the frontier, once for each of three pulls or
/// so and for the pass over the leaves, of `pull_bytes` if it travels whole; less where ranks leave out vertices that
/// all know to be visited. How many queries there are differs from graph to graph by more than it rises: fitted within
/// a quarter of all bytes at scales 16 to 22 on 2, 4 and 8 ranks (benchmarks/results/ranks.md). A query takes 4 bytes
/// in long runs.
double predict_search_traffic(std::uint64_t edges, int ranks, double pull_bytes, bool leaves_out_visited,
                              double query_bytes = 4);

/// Bytes between nodes that hubs save such a search, if there are so many, the most connected ones; negative where they
/// cost more. Nearly all of its queries come from hubs or go to them (fitted within 40 % of the queries); a hub's
/// bits in some levels and its parent take 4.25 bytes for each other node.
double predict_hub_savings(std::uint64_t edges, std::uint64_t hubs, std::uint64_t nodes);

/// What the same sends in groups of equal size, where queries for another group are forwarded.
struct RoutedTraffic {
  double messages_per_rank = 0;
  double bytes_inside = 0;   ///< of all ranks, hop by hop: to ranks of the same group
  double bytes_between = 0;  ///< to another one
};

/// `hops_inside` is how many hops inside groups the longest way across has (comm/routes/routed_exchange.hpp), beside
/// one between groups. Each is spared by the one in `group_ranks` who would send to himself. Addresses and partial
/// messages are not counted. group_ranks is 1 .. ranks.
RoutedTraffic predict_routed_traffic(std::uint64_t edges, int ranks, int group_ranks, int hops_inside,
                                     std::uint64_t coalescing, double query_bytes);

}  // namespace breadth
