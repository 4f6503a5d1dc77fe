// Where the threads of the ranks on a machine run, and which processors a thread may run on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "placement/binding_plan.hpp"

namespace breadth {

// Processors of a thread, as the system has them.

/// The logical processors that the calling thread may run on, in rising order; empty where the system does not tell.
std::vector<int> usable_processors();

/// Lets the calling thread run on these alone. Returns whether the system agreed.
bool bind_this_thread(std::span<const int> processors);

// Threads of the ranks on a machine.

/// How many threads a rank runs, where, and why there.
struct Placement {
  int threads = 1;
  BindingPolicy policy = BindingPolicy::automatic;
  BindingPlan plan;
  Topology topology;        ///< the machine's
  std::vector<int> usable;  ///< the processors that the rank was given, before it bound its threads
  std::string warning;      ///< what a person should know of how the ranks were started; the same on every rank
};

/// Decides it, by what the ranks on this machine may use of it. `threads` is 0 for the rank's share of the processors.
/// Nothing is bound yet. Collective: one exchange among the ranks of each machine.
Placement place_rank(BindingPolicy policy, int threads, const Communicator& ranks);

/// Binds a team of placement.threads threads as planned, before it touches the memory that it will work on: pages lie
/// in the NUMA domain of the thread that touches them first. Where the system refuses on any rank, no rank stays bound
/// and the plan says so. Collective.
void bind_threads(Placement& placement, ThreadTeam& threads, const Communicator& ranks);

}  // namespace breadth
