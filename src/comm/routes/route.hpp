// Routes of messages through ranks.
#pragma once

#include <span>
#include <vector>

#include "comm/routes/groups.hpp"
#include "comm/routes/monitors.hpp"

namespace breadth {

/// What one rank knows of the ways that messages take: for each destination the rank to hand them to, the same for
/// those that it makes and those that it forwards. O(ranks) memory.
struct Route {
  int hops = 1;                 ///< from rank to rank, on the longest way there is; the same on every rank
  std::vector<int> next;        ///< by destination; empty if every message goes straight to it
  std::vector<bool> crosses;    ///< by destination: the next hop leads out of this rank's group
  std::vector<int> peers = {};  ///< the ranks that this one sends to or hears from, rising

  [[nodiscard]] bool direct() const noexcept { return next.empty(); }
};

/// "Local all2all" (Pan et al. 2018, section V-B): a message for another group first goes to the member of the own
/// group whose lane is the receiver's, then across. Ranks talk to their group and to one rank of each other group, so
/// p ranks in groups of g make p^2 / g pairs between groups where they were p^2. In a smaller group the lane is taken
/// modulo its size.
Route local_route(const Groups& groups, int rank);

/// Group-based monitor communication (Gan & Zhang 2021, section 4.3): a message for another group goes to the own
/// group's monitor for that group, from there to that group's monitor for the own one, then to its receiver. Two ranks
/// of each pair of groups talk. `shares` has every rank's; the same on every rank. O(groups * ranks) time.
Route monitored_route(const Groups& groups, MonitorPolicy policy, std::span<const HeavyShare> shares, int rank);

}  // namespace breadth
