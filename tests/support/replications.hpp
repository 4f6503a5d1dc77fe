// Every way in which frontiers come to all ranks.
#pragma once

#include "core/replication.hpp"

namespace breadth::test {

constexpr Replication every_replication[] = {Replication::allgather, Replication::leader, Replication::shared_in,
                                             Replication::shared, Replication::subgroups};
constexpr SharedBits every_shared_bits[] = {SharedBits::automatic, SharedBits::all, SharedBits::unvisited};

}  // namespace breadth::test
