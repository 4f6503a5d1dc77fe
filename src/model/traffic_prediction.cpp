#include "model/traffic_prediction.hpp"

#include <cmath>

namespace breadth {

namespace {
/// The queries between `parts` parts of a graph before the first pull of a search.
double queries_before_pulls(std::uint64_t edges, double parts) {
  return 0.0146 * std::pow(2 * static_cast<double>(edges), 0.93) * (parts - 1) / parts;
}
}  // namespace

PushTraffic predict_push_traffic(std::uint64_t edges, int ranks, std::uint64_t coalescing, double query_bytes) {
  const double n = ranks;
  const double queries = 2.0 * static_cast<double>(edges) * (n - 1) / n;  // every edge is looked at from both ends
  return {.messages_per_rank = queries / static_cast<double>(coalescing) / n, .bytes = queries * query_bytes};
}

RoutedTraffic predict_routed_traffic(std::uint64_t edges, int ranks, int group_ranks, int hops_inside,
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

PullTraffic predict_pull(double bitmap_bytes, int ranks, const FrontierPlan& plan) {
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

double predict_mask_bytes(std::uint64_t hubs, int ranks) {
  const std::uint64_t words = (hubs + 63) / 64;
  return 2.0 * 8 * static_cast<double>(words) * (ranks - 1);
}

double predict_search_traffic(std::uint64_t edges, int ranks, double pull_bytes, bool leaves_out_visited,
                              double query_bytes) {
  constexpr double whole_frontiers = 3.75;
  constexpr double frontiers_of_unvisited = 1.6;
  const double frontiers = leaves_out_visited ? frontiers_of_unvisited : whole_frontiers;
  return queries_before_pulls(edges, ranks) * query_bytes + frontiers * pull_bytes;
}

double predict_hub_savings(std::uint64_t edges, std::uint64_t hubs, std::uint64_t nodes) {
  constexpr double query_bytes = 4;  // in long runs
  constexpr double hub_bytes = 4.25;
  const auto n = static_cast<double>(nodes);
  return queries_before_pulls(edges, n) * query_bytes - hub_bytes * static_cast<double>(hubs) * (n - 1);
}

GridTraffic predict_grid_traffic(std::uint64_t vertices, GridShape grid, double candidate_bytes) {
  const auto n = static_cast<double>(vertices);
  return {.expand_bytes_per_level = n * (grid.rows - 1) / 8,
          .fold_bytes = n * (grid.columns - 1) * candidate_bytes,
          .messages_per_rank_and_level = grid.rows + grid.columns - 2.0};
}

}  // namespace breadth
