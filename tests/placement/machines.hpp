// Machines that are made up.
#pragma once

#include <vector>

#include "placement/binding_plan.hpp"

namespace breadth::test {

/// How many of each there are in one of what is before it.
struct MachineShape {
  int sockets = 1;
  int domains = 1;
  int cores = 1;
  int processors = 1;
};

/// Processors counted first core by core, then again for the second of each core, as Linux does on most machines.
inline Topology make_machine(const MachineShape& shape) {
  Topology topology;
  const int cores = shape.sockets * shape.domains * shape.cores;
  for (int core = 0; core < cores; ++core) {
    for (int sibling = 0; sibling < shape.processors; ++sibling) {
      const int domain = core / shape.cores;
      topology.push_back({.number = sibling * cores + core,
                          .core = core,
                          .numa_domain = domain,
                          .socket = domain / shape.domains,
                          .allowed = true});
    }
  }
  return topology;
}

}  // namespace breadth::test
