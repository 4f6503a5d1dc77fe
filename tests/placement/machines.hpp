// Made-up machines.
#pragma once

#include <vector>

#include "placement/binding_plan.hpp"

namespace breadth::test {

/// The number of each part in one of the part before it.
struct MachineShape {
  int sockets = 1;
  int domains = 1;
  int cores = 1;
  int processors = 1;
};

/// Numbers processors as Linux does on most machines: first one of each core, then the second of each core.
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
