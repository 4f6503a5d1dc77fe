// The processors of this machine, and the plan that binds each thread of a rank to some of them: a pure function of the
// machine and the ranks on it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/words.hpp"

namespace breadth {

// The machine.

/// A logical processor, on which the system runs one thread at a time.
struct Processor {
  int number;       ///< the system's number
  int core;         ///< of the machine; processors of one core share its units and first-level caches
  int numa_domain;  ///< of the machine; its memory is nearer than that of other domains
  int socket;       ///< of the machine
  bool allowed;     ///< whether the control group of this process has it

  bool operator==(const Processor&) const = default;
};

/// The logical processors of a machine, sorted by socket, NUMA domain and core, so that processors that share most are
/// next to each other.
using Topology = std::vector<Processor>;

/// The topology of this machine as hwloc reports it. Empty in a build without hwloc, and if hwloc is set to describe
/// another machine. Takes milliseconds. (CMake chooses placement/topology_hwloc.cpp or topology_unknown.cpp.)
Topology this_topology();

// The plan.

/// The requested binding of threads. `numa`: the rank's processors in one NUMA domain. `core`: one core per thread, or
/// one processor where there are more threads than cores. `automatic`: numa if there are several domains and the
/// threads leave no core to others, else none, because binding inside one domain gains nothing and hurts where other
/// programs need a core too (benchmarks/results/binding.md).
enum class BindingPolicy { automatic, none, numa, core };
constexpr auto words_of(BindingPolicy) { return word_list<BindingPolicy>({"auto", "none", "numa", "core"}); }

/// The actual binding of threads. `launcher`: the launcher bound the ranks before they started, and this is left
/// unchanged.
enum class Binding { none, launcher, numa, core };
constexpr auto words_of(Binding) { return word_list<Binding>({"none", "launcher", "numa", "core"}); }

/// The threads and processors of a rank on this machine.
struct RankOnMachine {
  int threads = 1;
  std::vector<int> usable;  ///< the processors that it may run on, in ascending order
  bool narrowed = false;    ///< whether these are fewer than its control group has, so that its launcher bound it
};

/// Where the threads of one rank run.
struct BindingPlan {
  Binding binding = Binding::none;
  std::string reason;                        ///< a message why nothing is bound; empty if something is
  std::vector<std::vector<int>> processors;  ///< for each thread, if the plan binds them
};

/// The plan of ranks[self]. Ranks that may use the same processors share them evenly: whole NUMA domains if each rank
/// then has a processor for each of its threads, else whole cores, else processors. Nothing is bound if a launcher did
/// it, if ranks share some of their processors but not all, or if there are more threads than processors; the system's
/// scheduler does better then. All ranks that pass the same `ranks` get plans that fit together.
BindingPlan plan_binding(const Topology& topology, std::span<const RankOnMachine> ranks, std::size_t self,
                         BindingPolicy policy);

/// The default number of threads of ranks[self]: its share of the processors that it may use. A processor that n ranks
/// may use counts 1/n for each of them. At least 1.
int fair_threads(std::span<const RankOnMachine> ranks, std::size_t self);

}  // namespace breadth
