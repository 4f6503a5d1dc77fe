// The machine that a result was measured on.
#pragma once

#include <cstdint>
#include <string>

#include "placement/placement.hpp"

namespace breadth {

/// The machine of rank 0. Fields that the system does not tell are empty or 0.
struct Machine {
  std::string hostname;
  std::string cpu;  ///< the processor's model name
  int sockets = 0;
  int numa_domains = 0;
  int cores = 0;
  int processors = 1;         ///< logical ones
  int usable_processors = 1;  ///< those that the rank may run on, before it binds its threads to some
  BindingPolicy bind = BindingPolicy::automatic;  ///< what threads were to be bound to
  Binding binding = Binding::none;                ///< what they were bound to
  std::string binding_reason;                     ///< why to nothing, or to nothing else
  std::string simd;                               ///< the instruction set that kernels are for
  bool huge_pages = false;                        ///< whether arrays may lie in them
  std::uint64_t memory_bytes = 0;                 ///< of the machine
  std::string mpi;                                ///< library and version
  std::string compiler;                           ///< with version
};

/// The machine that this process runs on, and where on it.
Machine describe_machine(const Placement& placement);

}  // namespace breadth
