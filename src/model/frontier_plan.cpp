#include "model/frontier_plan.hpp"

namespace breadth {

PullTraffic predict_pull(double bitmap_bytes, int ranks, const FrontierPlan& plan) {
  const double p = ranks;
  const auto nodes = static_cast<double>(plan.node_count(static_cast<std::uint64_t>(ranks)));
  const double to_leaders = bitmap_bytes * (p - nodes) / p;  // from each rank that is none
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

std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan) {
  if (plan.holding == FrontierHolding::asked) return 2 * part_bytes;
  if (plan.holding == FrontierHolding::apart) return part_bytes + bitmap_bytes;  // visited vertices, and hubs alone
  const std::uint64_t nodes = plan.node_count(ranks);
  const std::uint64_t queue_copies = shares_in_queues(plan.how) ? nodes : ranks;
  const std::uint64_t summary_copies = shares_all(plan.how) ? nodes : ranks;
  const std::uint64_t parts_apart = plan.how == Replication::shared_in ? part_bytes : 0;
  const std::uint64_t queue = queue_copies * bitmap_bytes + parts_apart;
  const bool sends_what_changed = ranks > 1 && (plan.granularity != 0 || plan.leaves_out_visited(ranks));
  const std::uint64_t sent = sends_what_changed ? queue_copies * part_bytes + parts_apart : 0;
  const std::uint64_t summary_and_changes =
      plan.granularity == 0 ? 0 : 2 * summary_copies * bitmap_bytes / plan.granularity;
  return queue + sent + summary_and_changes;
}

}  // namespace breadth
