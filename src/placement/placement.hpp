// The placement of the threads of the ranks on a machine, and the processors that a thread may run on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "placement/binding_plan.hpp"

namespace breadth {

// The processors of a thread.

/// The logical processors that the calling thread may run on, in ascending order; empty if the system does not report
/// them.
std::vector<int> usable_processors();

/// Binds the calling thread to these processors. Returns whether the system agreed.
bool bind_this_thread(std::span<const int> processors);

// Threads of the ranks on a machine.

/// The number of a rank's threads, and where they run.
struct Placement {
  int threads = 1;
  BindingPolicy policy = BindingPolicy::automatic;
  BindingPlan plan;
  Topology topology;        ///< the machine's
  std::vector<int> usable;  ///< the processors that the rank was given at its start
  std::string warning;      ///< a warning about how the ranks were started; the same on every rank
};

/// Decides the placement by the processors that the ranks on this machine may use. If `threads` is 0, a rank runs as
/// many threads as its share of the processors. Binds nothing yet. Collective: one exchange among the ranks of each
/// machine.
Placement place_rank(BindingPolicy policy, int threads, const Communicator& ranks);

/// Binds a team of placement.threads threads as planned. Call it before the team touches the memory that it will work
/// on, because pages are placed in the NUMA domain of the thread that touches them first. If the system refuses on any
/// rank, no rank stays bound and the plan says so. Collective.
void bind_threads(Placement& placement, ThreadTeam& threads, const Communicator& ranks);

}  // namespace breadth
