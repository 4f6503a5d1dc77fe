// What every parallel step is given.
#pragma once

#include "comm/communicator.hpp"
#include "core/thread_team.hpp"

namespace breadth {

/// The ranks and threads that carry out a step. Both outlive it.
struct Context {
  const Communicator& ranks;
  ThreadTeam& threads;
};

}  // namespace breadth
