// The processors of this machine, and to which of them each thread of a rank is bound: a pure function of the machine
// and of the ranks on it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/words.hpp"

namespace breadth {

// The machine.

/// A logical processor: what the system runs one thread on at a time.
struct Processor {
  int number;       ///< the system's own
  int core;         ///< of the machine; processors of one core share its units and first caches
  int numa_domain;  ///< of the machine; its memory is nearer than others'
  int socket;       ///< of the machine
  bool allowed;     ///< whether the control group of this process has it

  bool operator==(const Processor&) const = default;
};

/// The logical processors of a machine by socket, NUMA domain and core: what shares most stands together.
using Topology = std::vector<Processor>;

/// This machine's, as hwloc sees it; empty where it is not known: in a build without hwloc, and where hwloc was told to
/// describe another machine. Takes milliseconds. (placement/topology_hwloc.cpp or topology_unknown.cpp, as CMake
/// picks.)
Topology this_topology();

// The plan.

/// What to bind threads to. `numa`: the processors of one NUMA domain that are the rank's; `core`: a core each, or a
/// processor where there are more threads than cores; `automatic`: numa where there are several domains and the threads
/// leave no core to others, else none, since binding inside one domain gains nothing and hurts where others want a core
/// too (benchmarks/results/binding.md).
enum class BindingPolicy { automatic, none, numa, core };
constexpr auto words_of(BindingPolicy) {
  return word_list<BindingPolicy>({{BindingPolicy::automatic, "auto"},
                                   {BindingPolicy::none, "none"},
                                   {BindingPolicy::numa, "numa"},
                                   {BindingPolicy::core, "core"}});
}

/// What threads are bound to. `launcher`: what bound the ranks before they started, left as it is.
enum class Binding { none, launcher, numa, core };
constexpr auto words_of(Binding) {
  return word_list<Binding>(
      {{Binding::none, "none"}, {Binding::launcher, "launcher"}, {Binding::numa, "numa"}, {Binding::core, "core"}});
}

/// A rank as the machine sees it.
struct RankOnMachine {
  int threads = 1;
  std::vector<int> usable;  ///< the processors that it may run on, in rising order
  bool narrowed = false;    ///< whether those are fewer than its control group has: its launcher bound it
};

/// Where the threads of one rank run.
struct BindingPlan {
  Binding binding = Binding::none;
  std::string reason;                        ///< why nothing is bound, for people; empty where something is
  std::vector<std::vector<int>> processors;  ///< for each thread, if the plan binds them
};

/// The plan of ranks[self]. Ranks that may use the same processors share them out evenly: whole NUMA domains if that
/// gives every rank a processor for each of its threads, else whole cores, else processors. Nothing is bound where a
/// launcher did it, where ranks may use some of the same processors but not all, and where there are more threads than
/// processors: the system's scheduler does better then. All ranks with the same `ranks` make plans that fit together.
BindingPlan plan_binding(const Topology& topology, std::span<const RankOnMachine> ranks, std::size_t self,
                         BindingPolicy policy);

/// The threads that ranks[self] runs if nobody says: its share of the processors that it may use, one that several
/// ranks may use counting for each by as much less. At least 1.
int fair_threads(std::span<const RankOnMachine> ranks, std::size_t self);

}  // namespace breadth
