// The processors of this machine, and what they share.
#pragma once

#include <vector>

namespace breadth {

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

}  // namespace breadth
