// Every way to replicate frontiers on all ranks.
#pragma once

#include <span>

#include "core/policy/replication.hpp"
#include "support/ranks.hpp"

namespace breadth::test {

constexpr Replication every_replication[] = {Replication::allgather, Replication::leader, Replication::shared_in,
                                             Replication::shared, Replication::subgroups};
constexpr SharedBits every_shared_bits[] = {SharedBits::automatic, SharedBits::all, SharedBits::unvisited};

/// The kinds of replication that differ on this number of ranks: a single rank has nothing to replicate, so one is
/// enough.
inline std::span<const Replication> different_replications() {
  return std::span(every_replication).first(world().size() == 1 ? 1 : std::size(every_replication));
}

/// Numbers of ranks per node that differ on this number of ranks, from one to more ranks than there are.
inline std::span<const int> different_nodes() {
  static constexpr int ranks_per_node[] = {1, 2, 3, 100};
  return std::span(ranks_per_node).first(world().size() == 1 ? 1 : std::size(ranks_per_node));
}

}  // namespace breadth::test
